// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/mttkrp/detail/permuted_block.hpp>

#define GENTEN_INSTANTIATE(SCALAR, ORDINAL)                                  \
  template void genten::detail::sum_permuted_block_on_host<SCALAR, ORDINAL>( \
      const genten::detail::PermutedSums<SCALAR, ORDINAL, true>&, genten::offset_t);
GENTEN_INSTANTIATE(float, std::uint32_t)
GENTEN_INSTANTIATE(float, std::uint64_t)
GENTEN_INSTANTIATE(double, std::uint32_t)
GENTEN_INSTANTIATE(double, std::uint64_t)
