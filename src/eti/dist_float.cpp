// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/dist/detail/cp_als_impl.hpp>
#include <genten/dist/detail/model_parts_impl.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_DIST_CP_ALS, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_DIST_CP_ALS, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_DIST_OPTIONS, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_MODEL_PARTS, , float)
