// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpSolver: what SeveralStarts wants to know of cp_gcp.

#include <genten/cp/detail/gcp/gcp_step.hpp>
#include <genten/cp/detail/several_starts.hpp>

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
class GcpSolver : public SolverOfStarts<S, E> {
 public:
  using Base = SolverOfStarts<S, E>;
  using typename Base::Exec;
  using typename Base::Model;
  using typename Base::Scalar;
  using Step = GcpStep<Scalar, Exec>;
  using Reached = GcpReached;
  using State = GcpState<Scalar>;
  using Problem = GcpProblem<Scalar, Exec>;
  static constexpr const char* finish_phase = "arrange";

  /// `watch` has run since the call began.
  GcpSolver(const Exec& exec, Problem& problem, const AnyLoss& loss, const CpGcpOptions& options,
            const Stopwatch& watch)
      : Base(exec), m_problem(problem), m_loss(loss), m_options(options), m_end{watch, options} {}

  [[nodiscard]] std::size_t starts() const { return m_options.starts; }
  [[nodiscard]] const auto& dimensions() const { return m_problem.dimensions; }
  [[nodiscard]] std::size_t rank() const { return m_options.rank; }

  [[nodiscard]] std::unique_ptr<Step> make_step() {
    return std::make_unique<Step>(this->exec(), m_problem, m_options, m_end);
  }
  void start_random(Step& step, std::size_t number) const {
    step.start_random(m_options.seed + number);
  }
  [[nodiscard]] auto criteria(const Step& step) const {
    const bool is_sampled = m_problem.zeros == ZeroSums::sampled;
    const std::size_t patience = m_problem.held_out > 0.0 ? m_options.patience : 0;
    return first_of(NonFinite{}, EndedWithin<Step>{&step}, StepPatience<Step>{&step, patience},
                    KktViolation{is_sampled ? 0.0 : m_options.tolerance},
                    NoStepLeft<Step>{&step, !is_sampled || m_problem.method == GcpMethod::adam},
                    SamplesGainNothing<Step>{&step}, TimeLimit{m_options.time_limit},
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
    return is_lower(measure(reached), measure(best));
  }
  [[nodiscard]] Reached standing(const Step& step, const RunState& /*run*/) const {
    return step.reached();
  }
  [[nodiscard]] Model keep(std::unique_ptr<Step> step) const { return step->model(); }
  [[nodiscard]] RunState saved_run(const Step& step, const RunState& run) const {
    RunState before = run;
    if (step.ended()) before.history.pop_back();  // the epoch is begun again
    return before;
  }

  [[nodiscard]] State state() {
    if (!m_fingerprint) {
      m_fingerprint = m_problem.objective->fingerprint(this->exec());
      m_missing = m_problem.objective->missing_mark(this->exec());
    }
    return {GcpTask{.options = m_options,
                    .loss = SavedLoss::of(m_loss),
                    .kernel = m_problem.kernel,
                    .method = m_problem.method,
                    .tensor = *m_fingerprint,
                    .missing = m_missing}};
  }

 private:
  [[nodiscard]] double measure(const Reached& reached) const {
    if (m_problem.held_out > 0.0) return reached.holdout_loss;
    return m_problem.has_units() ? reached.outcome.objective : -reached.outcome.fit;
  }

  Problem& m_problem;
  const AnyLoss& m_loss;
  const CpGcpOptions& m_options;
  GcpEnd m_end;
  std::optional<TensorFingerprint> m_fingerprint, m_missing;  ///< found when they are first wanted
};

}  // namespace genten::detail
