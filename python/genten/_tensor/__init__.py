# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What tensors can do: be handed over, and lose rows without nonzeros."""
