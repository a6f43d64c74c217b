// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/cp_als.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_FINISH_MODEL, , double, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_ALS, , double, std::uint32_t)
