#!/bin/sh
# SPDX-FileCopyrightText: 2026 Genten contributors
# SPDX-License-Identifier: BSD-3-Clause
# Joins neighbouring string literals, which Sphinx cannot read in default arguments.
exec sed -z 's/"\n *"//g' "$1"
