// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/cp/detail/gcp/cp_gcp_impl.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_CP_GCP, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_GCP, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_LOSS_GRADIENT, , float)
