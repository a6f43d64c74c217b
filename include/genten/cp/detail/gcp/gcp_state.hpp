// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpState: where cp_gcp stands, as data of the host: the state of a Checkpoint.

#include <genten/base/option_field.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/detail/several_starts.hpp>

#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// What a start has reached: with its best iteration where entries are held out, else its last.
struct GcpReached {
  StopReason stop_reason = StopReason::iteration_limit;
  SweepOutcome outcome{};
  double penalty = 0.0;
  double projected_gradient = 0.0;
  double scale_equation = 0.0;
  double objective_error = 0.0;
  std::vector<double> objective_errors = {};
  double holdout_loss = std::numeric_limits<double>::quiet_NaN();  ///< scaled; see CpGcpFigures
  double holdout_loss_error = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> holdout_losses = {};
  std::size_t iteration = 0;
  bool stalled = false;
  std::size_t objectives = 0;
  std::size_t gradients = 0;
  std::size_t failed_epochs = 0;
};

/// The least loss over held-out entries that a start has come to.
struct GcpHoldout {
  GcpReached best;
  double to_beat = std::numeric_limits<double>::infinity();  ///< by steps that show progress
  std::size_t since = 0;                                     ///< steps that showed none
  std::vector<double> losses;                                ///< one a step
};

/// Where a start stands whose zeros are sampled.
struct GcpSample {
  std::size_t drawn = 0;         ///< samples
  std::size_t steps = 0;         ///< that the last one has stood for
  std::size_t without_gain = 0;  ///< samples in turn that have told of none
  std::size_t most_steps = 10;   ///< that one stands for
  bool lost = false;             ///< whether the last steps were taken back
};

/// Where Adam stands.
struct GcpEpochs {
  std::size_t steps = 0;  ///< of epochs that did not fail
  std::size_t failed = 0;
};

/// One start after a step. Objective and gradient follow from the factors.
template <RealScalar Scalar>
struct GcpStepState {
  std::vector<Scalar> factors;  ///< one below the other, by rows, without padding
  /// Differences of factors and of gradients, in turn; of Adam its moments.
  std::vector<std::vector<Scalar>> pairs;
  double first_objective = 0.0;
  bool stalled = false;
  std::size_t objectives = 0;
  std::size_t gradients = 0;
  std::vector<Scalar> best;        ///< factors likewise, where entries are held out
  std::vector<Scalar> drawn_from;  ///< factors likewise, where zeros are sampled
  GcpSample sample;
  GcpEpochs epochs;
  std::vector<double> objective_errors;
  GcpHoldout holdout;
};

/// A loss as checkpoints have it.
struct SavedLoss {
  std::string name;
  std::optional<double> parameter;
  bool is_listed = true;  ///< whether it is found by its name

  bool operator==(const SavedLoss&) const = default;

  static SavedLoss of(const AnyLoss& loss) {
    const LossFacts& facts = loss.facts();
    SavedLoss saved{facts.name, {}, loss.kernel().is_listed()};
    if (!facts.parameter_name.empty()) saved.parameter = facts.parameter;
    return saved;
  }
  [[nodiscard]] std::string text() const {
    return parameter ? name + "(" + number_text(*parameter) + ")" : name;
  }
};

template <RealScalar Scalar>
struct GcpState {
  /// Says what wrote the bytes, and changes with their meaning.
  static constexpr std::string_view expected_name = "generalized CP, 6";

  std::string name{expected_name};
  CpGcpOptions options;
  SavedLoss loss;
  std::string kernel;  ///< that traverses
  GcpMethod method{};  ///< that was taken
  TensorFingerprint tensor;
  std::optional<TensorFingerprint> missing;               ///< the list of missing entries
  std::vector<StartRecord> starts;                        ///< that are done
  std::optional<FinishedStart<Scalar, GcpReached>> best;  ///< of those that are done
  RunState run;                                           ///< of the start in hand
  GcpStepState<Scalar> step;
};

template <class Archive, OneOf<GcpReached> Self>
void archive_members(Archive& archive, Self& reached) {
  archive(reached.stop_reason);
  archive(reached.outcome.fit);
  archive(reached.outcome.residual_norm);
  archive(reached.outcome.objective);
  archive(reached.outcome.kkt_violation);
  archive(reached.outcome.holdout_rmse);
  archive(reached.outcome.holdout_mae);
  archive(reached.penalty);
  archive(reached.projected_gradient);
  archive(reached.scale_equation);
  archive(reached.objective_error);
  archive(reached.objective_errors);
  archive(reached.holdout_loss);
  archive(reached.holdout_loss_error);
  archive(reached.holdout_losses);
  archive(reached.iteration);
  archive(reached.stalled);
  archive(reached.objectives);
  archive(reached.gradients);
  archive(reached.failed_epochs);
}
template <class Archive, OneOf<GcpHoldout> Self>
void archive_members(Archive& archive, Self& holdout) {
  archive(holdout.best);
  archive(holdout.to_beat);
  archive(holdout.since);
  archive(holdout.losses);
}
template <class Archive, OneOf<GcpSample> Self>
void archive_members(Archive& archive, Self& sample) {
  archive(sample.drawn);
  archive(sample.steps);
  archive(sample.without_gain);
  archive(sample.most_steps);
  archive(sample.lost);
}
template <class Archive, OneOf<GcpEpochs> Self>
void archive_members(Archive& archive, Self& epochs) {
  archive(epochs.steps);
  archive(epochs.failed);
}
template <class Archive, OneOf<SavedLoss> Self>
void archive_members(Archive& archive, Self& loss) {
  archive(loss.name);
  archive(loss.parameter);
  archive(loss.is_listed);
}
template <class Archive, OneOf<GcpStepState<float>, GcpStepState<double>> Self>
void archive_members(Archive& archive, Self& step) {
  archive(step.factors);
  archive(step.pairs);
  archive(step.first_objective);
  archive(step.stalled);
  archive(step.objectives);
  archive(step.gradients);
  archive(step.best);
  archive(step.drawn_from);
  archive(step.sample);
  archive(step.epochs);
  archive(step.objective_errors);
  archive(step.holdout);
}
template <class Archive, OneOf<GcpState<float>, GcpState<double>> Self>
void archive_members(Archive& archive, Self& state) {
  archive(state.name);
  archive(state.options);
  archive(state.loss);
  archive(state.kernel);
  archive(state.method);
  archive(state.tensor);
  archive(state.missing);
  archive(state.starts);
  for (auto& start : state.starts) {
    archive(start.holdout_rmse);
    archive(start.holdout_loss);
  }
  archive(state.best);
  if (state.best) archive_holdout(archive, state.best->run);
  archive(state.run);
  archive_holdout(archive, state.run);
  archive(state.step);
}

}  // namespace genten::detail
