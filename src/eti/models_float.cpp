// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/compare/components_impl.hpp>
#include <genten/cp/detail/compare/evaluate_impl.hpp>
#include <genten/cp/detail/compare/residual_impl.hpp>
#include <genten/cp/detail/compare/score_impl.hpp>
#include <genten/cp/detail/gradient_impl.hpp>
#include <genten/cp/detail/memory_impl.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_FAC_MATRIX, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_KTENSOR, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_WEIGHTS, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_CROSS_GRAM, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_COLUMN_NORMS, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_COLUMNS, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_FILL_RANDOM, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_KTENSOR_OPS, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_SCORE, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_COMPONENTS, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_INNERPROD, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_INNERPROD, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_RESIDUAL, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_RESIDUAL, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_EVALUATE, , float, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_EVALUATE, , float, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_ALS_MEMORY, , float)
GENTEN_ETI_EXECS(GENTEN_ETI_GRADIENT, , float)
