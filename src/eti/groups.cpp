// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/detail/subscript_groups.hpp>
#include <genten/core/sptensor_facts.hpp>

GENTEN_ETI_ORDINALS(GENTEN_ETI_SUBSCRIPT_GROUPS, )
GENTEN_ETI_ORDINALS(GENTEN_ETI_LOOK_AT_ORDER, )
