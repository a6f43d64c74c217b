// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CompletionState: where a decomposition with missing entries stands, as data of the host: the
/// state of a Checkpoint.

#include <genten/cp/cp_completion.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace genten::detail {

/// What a start has come to: of its best iteration where entries are held out, else of its last.
struct CompletionReached {
  StopReason stop_reason = StopReason::iteration_limit;
  SweepOutcome outcome{};
  double penalty = 0.0;
  double ridge = 0.0;         ///< of the scaled tensor, where the run fits it
  std::size_t iteration = 0;  ///< 0: the guess, of which nothing is known

  static constexpr auto members() {
    using Self = CompletionReached;
    return std::tuple{&Self::stop_reason, &Self::outcome, &Self::penalty, &Self::ridge,
                      &Self::iteration};
  }
};

/// One start after a sweep.
template <RealScalar Scalar>
struct CompletionStepState {
  std::vector<std::vector<Scalar>> factors;  ///< as they are stored, by rows, without padding
  std::vector<std::vector<Scalar>> best;     ///< of the best iteration, where entries are held out
  CompletionReached reached;
  double ridge = 0.0;                        ///< of the next sweep, where the run fits it
  double last_ridge = 0.0, objective = 0.0;  ///< of the last one
  std::size_t rank_deficient_solves = 0;

  static constexpr auto members() {
    using Self = CompletionStepState;
    return std::tuple{&Self::factors,
                      &Self::best,
                      &Self::reached,
                      &Self::ridge,
                      &Self::last_ridge,
                      &Self::objective,
                      &Self::rank_deficient_solves};
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
    return std::tuple{&Self::name,   &Self::options, &Self::kernel,
                      &Self::tensor, &Self::missing, &Self::rank_deficient_solves};
  }
};

template <RealScalar Scalar>
using CompletionState =
    SolverState<CompletionTask,
                StartsState<Scalar, CompletionReached, CompletionStepState<Scalar>>>;

}  // namespace genten::detail

GENTEN_ETI_TASK(extern, genten::detail::CompletionTask)
