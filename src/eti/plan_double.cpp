// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/apr/traversal_plan.hpp>
#include <genten/mttkrp/detail/plan_impl.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_SORTED, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_PLAN, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_COUNT_WALK, , double)
