// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAprState: where CP-APR stands, as data of the host: the state of a Checkpoint.

#include <genten/cp/cp_apr.hpp>
#include <genten/cp/detail/several_starts.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// One start of CP-APR after a sweep.
template <RealScalar Scalar>
struct AprStepState {
  std::vector<std::vector<Scalar>> factors;  ///< by rows, without padding
  std::vector<double> weights;
  std::size_t inner_iterations = 0;
  /// See Extrapolation; nothing where there has been no sweep to go on from.
  std::vector<std::vector<Scalar>> before;
  std::vector<double> weights_before;
  double length = 0.0;
  /// Half of that of the guess, and whether steps are Newton's by now.
  double first_deviance = 0.0;
  bool by_newton = false;
};

/// What a start has reached.
struct AprReached {
  StopReason stop_reason = StopReason::iteration_limit;
  SweepOutcome outcome{};
  double deviance = 0.0;
  std::size_t inner_iterations = 0;
};

template <RealScalar Scalar>
struct CpAprState {
  /// Says what wrote the bytes, and changes with their meaning.
  static constexpr std::string_view expected_name = "CP-APR, 4";

  std::string name{expected_name};
  CpAprOptions options;
  CountLoss loss{};    ///< of the options, which save those of the table
  std::string kernel;  ///< that traversed
  TensorFingerprint tensor;
  std::vector<StartRecord> starts;                        ///< that are done
  std::optional<FinishedStart<Scalar, AprReached>> best;  ///< of those that are done
  RunState run;                                           ///< of the start in hand
  AprStepState<Scalar> step;
};

template <class Archive, OneOf<AprStepState<float>, AprStepState<double>> Self>
void archive_members(Archive& archive, Self& step) {
  archive(step.factors);
  archive(step.weights);
  archive(step.inner_iterations);
  archive(step.before);
  archive(step.weights_before);
  archive(step.length);
  archive(step.first_deviance);
  archive(step.by_newton);
}
template <class Archive, OneOf<AprReached> Self>
void archive_members(Archive& archive, Self& reached) {
  archive(reached.stop_reason);
  archive(reached.outcome.fit);
  archive(reached.outcome.residual_norm);
  archive(reached.outcome.objective);
  archive(reached.outcome.kkt_violation);
  archive(reached.deviance);
  archive(reached.inner_iterations);
}
template <class Archive, OneOf<CpAprState<float>, CpAprState<double>> Self>
void archive_members(Archive& archive, Self& state) {
  archive(state.name);
  archive(state.options);
  archive(state.loss);
  archive(state.kernel);
  archive(state.tensor);
  archive(state.starts);
  archive(state.best);
  archive(state.run);
  archive(state.step);
}

}  // namespace genten::detail
