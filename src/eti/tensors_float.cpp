// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/compact.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/tensor_fingerprint.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR_OPS, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_SPTENSOR_OPS, , float, std::uint64_t)
GENTEN_ETI_COMPACT(, float, std::uint32_t)
GENTEN_ETI_COMPACT(, float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_ROW_NUMBERS, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_FINGERPRINT, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_FINGERPRINT, , float, std::uint64_t)
