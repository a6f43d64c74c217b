// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsState: where CP-ALS stands, as data of the host: all that the bits of what follows depend
/// on. It is the state of a Checkpoint.

#include <genten/base/member_table.hpp>
#include <genten/cp/detail/nesterov/momentum_state.hpp>
#include <genten/cp/detail/row_update.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>
#include <genten/cp/options.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// A factor that CpAlsStep has, by rows and without padding: either the rows with nonzeros in the
/// order of the tensor, however many processes have had them, or all rows of a factor that the
/// caller has given and no update replaced.
template <RealScalar Scalar>
struct FactorState {
  bool given = false;
  std::vector<Scalar> elements;

  static constexpr auto members() {
    return member_table(&FactorState::given, &FactorState::elements);
  }
};

/// One start of CP-ALS after a sweep.
template <RealScalar Scalar>
struct StepState {
  std::vector<FactorState<Scalar>> factors;
  AlgebraState algebra;
  MomentumState<Scalar> momentum = {};

  static constexpr auto members() {
    return member_table(&StepState::factors, &StepState::algebra, &StepState::momentum);
  }
};

/// What a start has reached: of the figures those that its iterations give.
struct CpAlsReached : CpFigures {
  ResidualRoute residual_route = ResidualRoute::identity;
  std::size_t momentum_restarts = 0;

  static constexpr auto members() {
    using Self = CpAlsReached;
    return member_table(&Self::stop_reason, &Self::iterations, &Self::fit, &Self::residual_norm,
                        &Self::residual_error, &Self::tensor_norm, &Self::objective, &Self::penalty,
                        &Self::kkt_violation, &Self::rank_deficient_solves, &Self::residual_route,
                        &Self::momentum_restarts);
  }
};

struct CpAlsTask {
  static constexpr std::string_view expected_name = "CP-ALS, 8";

  std::string name{expected_name};
  CpAlsOptions options;
  std::string kernel;          ///< that ran
  bool counts_tuples = false;  ///< whether modes could be fused by tuples that occur
  std::vector<int> updates;    ///< modes in the order of their updates
  TensorFingerprint tensor;

  static constexpr auto members() {
    using Self = CpAlsTask;
    return member_table(&Self::name, &Self::options, &Self::kernel, &Self::counts_tuples,
                        &Self::updates, &Self::tensor);
  }
};

template <RealScalar Scalar>
using CpAlsState = SolverState<CpAlsTask, StartsState<Scalar, CpAlsReached, StepState<Scalar>>>;

}  // namespace genten::detail

GENTEN_ETI_TASK(extern, genten::detail::CpAlsTask)
