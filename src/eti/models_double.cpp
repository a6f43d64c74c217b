// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/compare/components_impl.hpp>
#include <genten/cp/detail/compare/evaluate_impl.hpp>
#include <genten/cp/detail/compare/residual_impl.hpp>
#include <genten/cp/detail/compare/score_impl.hpp>
#include <genten/cp/detail/gradient_impl.hpp>
#include <genten/cp/detail/memory_impl.hpp>

GENTEN_ETI_EXECS(GENTEN_ETI_FAC_MATRIX, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_KTENSOR, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_WEIGHTS, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_CROSS_GRAM, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_COLUMN_NORMS, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_COLUMNS, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_FILL_RANDOM, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_KTENSOR_OPS, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_SCORE, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_COMPONENTS, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_INNERPROD, , double, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_INNERPROD, , double, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_RESIDUAL, , double, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_RESIDUAL, , double, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_EVALUATE, , double, std::uint32_t)
GENTEN_ETI_EXECS(GENTEN_ETI_EVALUATE, , double, std::uint64_t)
GENTEN_ETI_EXECS(GENTEN_ETI_CP_ALS_MEMORY, , double)
GENTEN_ETI_EXECS(GENTEN_ETI_GRADIENT, , double)
