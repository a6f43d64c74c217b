// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/plan.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_PLAN, , double, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_RELABELING, , double, std::uint64_t)
