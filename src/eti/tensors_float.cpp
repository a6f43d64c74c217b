// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/sptensor_ops.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR_OPS, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR_OPS, , float, std::uint64_t)
