# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A run of `genten.cp`: its request, initial guess, progress and diagnostics."""
