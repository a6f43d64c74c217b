// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/apr/cp_apr_impl.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_CP_APR, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_APR, , float, std::uint64_t)
