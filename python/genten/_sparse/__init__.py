# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tensors are and do: their entries, what is computed of them, and other forms of them."""
