// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/cp_apr.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_CP_APR, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_APR, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_COUNT_WALK, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_COUNT_WALK, , float, std::uint64_t)
