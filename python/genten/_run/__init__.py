# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What belongs to a run of `genten.cp`: where it begins, how it is followed, what to know of it.
"""
