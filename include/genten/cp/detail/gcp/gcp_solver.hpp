// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpSolver: what SeveralStarts wants to know of cp_gcp.

#include <genten/cp/detail/gcp/gcp_step.hpp>

#include <cmath>
#include <memory>
#include <optional>

namespace genten::detail {

/// Stops where no step lowers the objective.
template <class Step>
struct NoStepLeft {
  const Step* step;
  bool applies = true;
  std::optional<StopReason> operator()(const RunState& state) const {
    if (!applies || state.history.empty()) return std::nullopt;
    if (step->is_stationary()) return StopReason::converged;
    return step->is_stalled() ? std::optional(StopReason::stalled) : std::nullopt;
  }
};

/// Stops where so many steps have not brought the loss over held-out entries down.
template <class Step>
struct StepPatience {
  const Step* step;
  std::size_t patience;
  std::optional<StopReason> operator()(const RunState&) const {
    if (patience == 0 || step->steps_without_progress() < patience) return std::nullopt;
    return StopReason::no_improvement;
  }
};

/// Stops where new samples of zeros tell of no gain any more: `stalled` where they tell of a loss.
template <class Step>
struct SamplesGainNothing {
  const Step* step;
  std::optional<StopReason> operator()(const RunState&) const {
    if (!step->gains_nothing()) return std::nullopt;
    return step->has_lost() ? StopReason::stalled : StopReason::converged;
  }
};

/// Stops where the last epoch was ended from outside.
template <class Step>
struct EndedWithin {
  const Step* step;
  std::optional<StopReason> operator()(const RunState& state) const {
    return state.history.empty() ? std::nullopt : step->ended();
  }
};

template <RealScalar S, ExecutionSpace E>
class GcpSolver {
 public:
  using Scalar = S;
  using Exec = E;
  using Model = Ktensor<Scalar, Exec>;
  using Step = GcpStep<Scalar, Exec>;
  using Reached = GcpReached;
  using State = GcpState<Scalar>;
  using Problem = GcpProblem<Scalar, Exec>;
  static constexpr const char* finish_phase = "arrange";

  /// `watch` has run since the call began.
  GcpSolver(const Exec& exec, Problem& problem, const AnyLoss& loss, const CpGcpOptions& options,
            const Stopwatch& watch)
      : m_exec(exec), m_problem(problem), m_loss(loss), m_options(options), m_end{watch, options} {}

  [[nodiscard]] const Exec& exec() const { return m_exec; }
  [[nodiscard]] std::size_t starts() const { return m_options.starts; }
  [[nodiscard]] const auto& dimensions() const { return m_problem.dimensions; }
  [[nodiscard]] std::size_t rank() const { return m_options.rank; }

  [[nodiscard]] std::unique_ptr<Step> make_step() {
    auto step = std::make_unique<Step>(m_exec, m_problem, m_options, m_end);
    m_step = step.get();
    return step;
  }
  void start_random(Step& step, std::size_t number) const {
    step.start_random(m_options.seed + number);
  }
  /// Of the step that was made last.
  [[nodiscard]] auto criteria() const {
    const bool is_sampled = m_problem.zeros == ZeroSums::sampled;
    const std::size_t patience = m_problem.held_out > 0.0 ? m_options.patience : 0;
    return first_of(NonFinite{}, EndedWithin<Step>{m_step}, StepPatience<Step>{m_step, patience},
                    KktViolation{is_sampled ? 0.0 : m_options.tolerance},
                    NoStepLeft<Step>{m_step, !is_sampled || m_problem.method == GcpMethod::adam},
                    SamplesGainNothing<Step>{m_step}, TimeLimit{m_options.time_limit},
                    IterationLimit{m_options.max_iterations});
  }
  [[nodiscard]] Reached reached(Step& step, const RunState&, StopReason reason) const {
    step.measure_anew();
    Reached reached = step.reached();
    reached.stop_reason = reason;
    return reached;
  }
  [[nodiscard]] StartRecord record(const RunState& run, const Reached& reached) const {
    return {m_options.seed + run.start,
            reached.outcome.fit,
            reached.outcome.objective,
            run.history.size(),
            reached.stop_reason,
            reached.outcome.holdout_rmse,
            m_problem.in_units(reached.holdout_loss)};
  }
  [[nodiscard]] bool is_better(const Reached& reached, const Reached& best) const {
    return std::isnan(measure(best)) || measure(reached) < measure(best);
  }
  [[nodiscard]] bool stays_best(const Reached& best, const Step& step, const RunState&) const {
    return measure(best) <= measure(step.reached());
  }
  [[nodiscard]] Model take_model(Step& step) const { return step.model(); }

  [[nodiscard]] State state(const Step& step, const RunState& run) {
    if (!m_fingerprint) {
      m_fingerprint = m_problem.objective->fingerprint(m_exec);
      m_missing = m_problem.objective->missing_mark(m_exec);
    }
    RunState before = run;
    if (step.ended()) before.history.pop_back();  // the epoch is begun again
    return {.options = m_options,
            .loss = SavedLoss::of(m_loss),
            .kernel = m_problem.kernel,
            .method = m_problem.method,
            .tensor = *m_fingerprint,
            .missing = m_missing,
            .starts = {},
            .best = {},
            .run = std::move(before),
            .step = step.save()};
  }

 private:
  [[nodiscard]] double measure(const Reached& reached) const {
    if (m_problem.held_out > 0.0) return reached.holdout_loss;
    return m_problem.has_units() ? reached.outcome.objective : -reached.outcome.fit;
  }

  Exec m_exec;
  Problem& m_problem;
  const AnyLoss& m_loss;
  const CpGcpOptions& m_options;
  GcpEnd m_end;
  const Step* m_step = nullptr;
  std::optional<TensorFingerprint> m_fingerprint, m_missing;  ///< found when they are first wanted
};

}  // namespace genten::detail
