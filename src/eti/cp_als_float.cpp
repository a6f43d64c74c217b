// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/cp_als_impl.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_FINISH_MODEL, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_ALS, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_ALS, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_ALS_PREPARED, , float)
