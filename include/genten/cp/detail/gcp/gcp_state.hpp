// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpState: where cp_gcp stands, as data of the host: the state of a Checkpoint.

#include <genten/base/option_field.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>

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

  static constexpr auto members() {
    using Self = GcpReached;
    return member_table(&Self::stop_reason, &Self::outcome, &Self::penalty,
                        &Self::projected_gradient, &Self::scale_equation, &Self::objective_error,
                        &Self::objective_errors, &Self::holdout_loss, &Self::holdout_loss_error,
                        &Self::holdout_losses, &Self::iteration, &Self::stalled, &Self::objectives,
                        &Self::gradients, &Self::failed_epochs);
  }
};

/// The least loss over held-out entries that a start has come to.
struct GcpHoldout {
  GcpReached best;
  double to_beat = std::numeric_limits<double>::infinity();  ///< by steps that show progress
  std::size_t since = 0;                                     ///< steps that showed none
  std::vector<double> losses;                                ///< one a step

  static constexpr auto members() {
    using Self = GcpHoldout;
    return member_table(&Self::best, &Self::to_beat, &Self::since, &Self::losses);
  }
};

/// Where a start stands whose zeros are sampled.
struct GcpSample {
  std::size_t drawn = 0;         ///< samples
  std::size_t steps = 0;         ///< that the last one has stood for
  std::size_t without_gain = 0;  ///< samples in turn that have told of none
  std::size_t most_steps = 10;   ///< that one stands for
  bool lost = false;             ///< whether the last steps were taken back

  static constexpr auto members() {
    using Self = GcpSample;
    return member_table(&Self::drawn, &Self::steps, &Self::without_gain, &Self::most_steps,
                        &Self::lost);
  }
};

/// Where Adam stands.
struct GcpEpochs {
  std::size_t steps = 0;  ///< of epochs that did not fail
  std::size_t failed = 0;

  static constexpr auto members() {
    using Self = GcpEpochs;
    return member_table(&Self::steps, &Self::failed);
  }
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

  /// Throws Error unless there are `most` at most.
  void require_pairs(std::size_t most) const {
    if (pairs.size() <= most && pairs.size() % 2 == 0) return;
    throw Error::in("cp_gcp", "the checkpoint's steps are not those of its options")
        .as(Error::Code::checkpoint);
  }

  static constexpr auto members() {
    using Self = GcpStepState;
    return member_table(&Self::factors, &Self::pairs, &Self::first_objective, &Self::stalled,
                        &Self::objectives, &Self::gradients, &Self::best, &Self::drawn_from,
                        &Self::sample, &Self::epochs, &Self::objective_errors, &Self::holdout);
  }
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

  static constexpr auto members() {
    return member_table(&SavedLoss::name, &SavedLoss::parameter, &SavedLoss::is_listed);
  }
};

struct GcpTask {
  static constexpr std::string_view expected_name = "generalized CP, 7";

  std::string name{expected_name};
  CpGcpOptions options;
  SavedLoss loss;
  std::string kernel;  ///< that traverses
  GcpMethod method{};  ///< that was taken
  TensorFingerprint tensor;
  std::optional<TensorFingerprint> missing;  ///< the list of missing entries

  static constexpr auto members() {
    using Self = GcpTask;
    return member_table(&Self::name, &Self::options, &Self::loss, &Self::kernel, &Self::method,
                        &Self::tensor, &Self::missing);
  }
};

template <RealScalar Scalar>
using GcpState = SolverState<GcpTask, StartsState<Scalar, GcpReached, GcpStepState<Scalar>>>;

}  // namespace genten::detail

GENTEN_ETI_TASK(extern, genten::detail::GcpTask)
