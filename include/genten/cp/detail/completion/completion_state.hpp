// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CompletionState: where a decomposition with missing entries stands, as data of the host: the
/// state of a Checkpoint.

#include <genten/cp/cp_completion.hpp>
#include <genten/cp/detail/several_starts.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// What a start has come to: of its best iteration where entries are held out, else of its last.
struct CompletionReached {
  StopReason stop_reason = StopReason::iteration_limit;
  SweepOutcome outcome{};
  double penalty = 0.0;
  std::size_t iteration = 0;  ///< 0: the guess, of which nothing is known
};

/// One start after a sweep.
template <RealScalar Scalar>
struct CompletionStepState {
  std::vector<std::vector<Scalar>> factors;  ///< as they are stored, by rows, without padding
  std::vector<std::vector<Scalar>> best;     ///< of the best iteration, where entries are held out
  CompletionReached reached;
  std::size_t rank_deficient_solves = 0;
};

template <RealScalar Scalar>
struct CompletionState {
  /// Says what wrote the bytes, and changes with their meaning.
  static constexpr std::string_view expected_name = "tensor completion, 2";

  std::string name{expected_name};
  CpCompletionOptions options;
  std::string kernel;  ///< of MTTKRP, where missing entries are listed
  TensorFingerprint tensor;
  std::optional<TensorFingerprint> missing;  ///< the list
  std::vector<StartRecord> starts;           ///< that are done
  std::size_t rank_deficient_solves = 0;     ///< of these
  std::optional<FinishedStart<Scalar, CompletionReached>> best;
  RunState run;  ///< of the start in hand
  CompletionStepState<Scalar> step;
};

template <class Archive, OneOf<CompletionReached> Self>
void archive_members(Archive& archive, Self& reached) {
  archive(reached.stop_reason);
  archive(reached.outcome.fit);
  archive(reached.outcome.residual_norm);
  archive(reached.outcome.objective);
  archive(reached.outcome.kkt_violation);
  archive(reached.outcome.holdout_rmse);
  archive(reached.outcome.holdout_mae);
  archive(reached.penalty);
  archive(reached.iteration);
}
template <class Archive, OneOf<CompletionStepState<float>, CompletionStepState<double>> Self>
void archive_members(Archive& archive, Self& step) {
  archive(step.factors);
  archive(step.best);
  archive(step.reached);
  archive(step.rank_deficient_solves);
}
template <class Archive, OneOf<CompletionState<float>, CompletionState<double>> Self>
void archive_members(Archive& archive, Self& state) {
  archive(state.name);
  archive(state.options);
  archive(state.kernel);
  archive(state.tensor);
  archive(state.missing);
  archive(state.starts);
  for (auto& start : state.starts) archive(start.holdout_rmse);
  archive(state.rank_deficient_solves);
  archive(state.best);
  if (state.best) archive_holdout(archive, state.best->run);
  archive(state.run);
  archive_holdout(archive, state.run);
  archive(state.step);
}

}  // namespace genten::detail
