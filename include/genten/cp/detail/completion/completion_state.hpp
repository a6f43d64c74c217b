// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CompletionState: where a decomposition with missing entries stands, as data of the host: the
/// state of a Checkpoint.

#include <genten/base/member_table.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// What a start has come to: of its best iteration where entries are held out, else of its last.
struct CompletionReached {
  StopReason stop_reason = StopReason::iteration_limit;
  SweepOutcome outcome{};
  double penalty = 0.0;
  /// Of the tensor without its scale: what was minimized, the ridge of the first mode, and the sum
  /// of the squares of all factors' elements.
  double objective = 0.0, ridge = 0.0, squares = 0.0;
  std::size_t iteration = 0;  ///< 0: the guess, of which nothing is known

  static constexpr auto members() {
    using Self = CompletionReached;
    return member_table(&Self::stop_reason, &Self::outcome, &Self::penalty, &Self::objective,
                        &Self::ridge, &Self::squares, &Self::iteration);
  }
  /// What was minimized, with another ridge of all modes. Runs that fit theirs end with several.
  [[nodiscard]] double objective_with(double other) const {
    return other == ridge ? objective : objective - 0.5 * (ridge - other) * squares;
  }
};

/// One start after a sweep.
template <RealScalar Scalar>
struct CompletionStepState {
  std::vector<std::vector<Scalar>> factors;  ///< as they are stored, by rows, without padding
  std::vector<std::vector<Scalar>> best;     ///< of the best iteration, where entries are held out
  CompletionReached reached;
  double ridge = 0.0;  ///< of the next sweep, where the run fits it
  /// Of the last sweep, and the objective of the one before; of the tensor without its scale.
  double last_ridge = 0.0, objective = 0.0, before = 0.0;
  std::size_t rank_deficient_solves = 0;

  static constexpr auto members() {
    using Self = CompletionStepState;
    return member_table(&Self::factors, &Self::best, &Self::reached, &Self::ridge,
                        &Self::last_ridge, &Self::objective, &Self::before,
                        &Self::rank_deficient_solves);
  }
};

struct CompletionTask {
  static constexpr std::string_view expected_name = "tensor completion, 4";

  std::string name{expected_name};
  CpCompletionOptions options;
  std::string kernel;  ///< of MTTKRP, where missing entries are listed
  TensorFingerprint tensor;
  std::optional<TensorFingerprint> missing;  ///< the list
  std::size_t rank_deficient_solves = 0;     ///< of the starts that have ended

  static constexpr auto members() {
    using Self = CompletionTask;
    return member_table(&Self::name, &Self::options, &Self::kernel, &Self::tensor, &Self::missing,
                        &Self::rank_deficient_solves);
  }
};

template <RealScalar Scalar>
using CompletionState =
    SolverState<CompletionTask,
                StartsState<Scalar, CompletionReached, CompletionStepState<Scalar>>>;

}  // namespace genten::detail

GENTEN_ETI_TASK(extern, genten::detail::CompletionTask)
