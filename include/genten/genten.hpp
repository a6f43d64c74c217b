// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What programs use. Writers of solvers and kernels include more: mttkrp/execute_with.hpp,
/// mttkrp/kernel_list.hpp, mttkrp/row_systems.hpp, dist/rank_exchange.hpp.

#include <genten/base/enum_words.hpp>
#include <genten/base/error.hpp>
#include <genten/base/memory.hpp>
#include <genten/base/option_field.hpp>
#include <genten/base/types.hpp>
#include <genten/core/compact.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/core/fill_random.hpp>
#include <genten/core/generate.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/nonzero_residuals.hpp>
#include <genten/core/random.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/core/ttensor.hpp>
#include <genten/core/ttensor_ops.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/cp/gradient.hpp>
#include <genten/cp/iterate.hpp>
#include <genten/cp/loss.hpp>
#include <genten/cp/loss_gradient.hpp>
#include <genten/cp/memory.hpp>
#include <genten/cp/model_part.hpp>
#include <genten/cp/residual.hpp>
#include <genten/cp/score.hpp>
#include <genten/dist/bisection.hpp>
#include <genten/dist/communicator.hpp>
#include <genten/dist/cp_als.hpp>
#include <genten/dist/device_transport.hpp>
#include <genten/dist/distribute.hpp>
#include <genten/dist/exchange_count.hpp>
#include <genten/dist/expected_copies.hpp>
#include <genten/dist/generate.hpp>
#include <genten/dist/iteration_model.hpp>
#include <genten/dist/model_parts.hpp>
#include <genten/dist/rank_memory.hpp>
#include <genten/dist/shared_rows.hpp>
#include <genten/io/any.hpp>
#include <genten/io/any_model.hpp>
#include <genten/io/binary.hpp>
#include <genten/io/cells.hpp>
#include <genten/io/checkpoint.hpp>
#include <genten/io/ktensor.hpp>
#include <genten/io/labels.hpp>
#include <genten/io/part.hpp>
#include <genten/io/shared_model_file.hpp>
#include <genten/io/table.hpp>
#include <genten/io/tns.hpp>
#include <genten/io/ttensor.hpp>
#include <genten/mttkrp/plan.hpp>
#include <genten/mttkrp/semi_sparse.hpp>
#include <genten/mttkrp/ttmc.hpp>
#include <genten/tucker/core_consistency.hpp>
#include <genten/tucker/tucker.hpp>
