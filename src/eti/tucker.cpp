// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/mttkrp/detail/ttmc/semi_sparse_impl.hpp>
#include <genten/mttkrp/detail/ttmc/ttmc_impl.hpp>
#include <genten/tucker/detail/core_consistency_impl.hpp>
#include <genten/tucker/detail/tucker_impl.hpp>

GENTEN_ETI_HOSTS(GENTEN_ETI_TTMC, , float)
GENTEN_ETI_HOSTS(GENTEN_ETI_TTMC, , double)
GENTEN_ETI_HOSTS(GENTEN_ETI_SEMI_SPARSE, , float)
GENTEN_ETI_HOSTS(GENTEN_ETI_SEMI_SPARSE, , double)
GENTEN_ETI_HOST_TENSORS(GENTEN_ETI_TUCKER, )
GENTEN_ETI_HOST_TENSORS(GENTEN_ETI_CORE_CONSISTENCY, )
