# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of modes and of their rows: checked, looked up, and brought into the order of others."""
