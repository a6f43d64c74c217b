// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/detail/walk.hpp>

GENTEN_ETI_WALK(, double)
