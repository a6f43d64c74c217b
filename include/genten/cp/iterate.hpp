// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The loop of every solver. A solver is a step, which `iterate` repeats until there is a reason to
/// stop, and what is made of it afterwards.

#include <genten/cp/observer.hpp>
#include <genten/cp/stop.hpp>
#include <genten/cp/timings.hpp>

#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace genten {

/// What a solver repeats: `sweep` improves the model once and says what that has reached, adding
/// the times of its phases; `model` makes the model as it stands. `Step::Model` is its type.
/// `restart` puts the step back to where it began, and says how many iterations that model has had.
template <class Step>
concept SolverStep = requires(Step& step, const Step& seen, std::size_t iteration,
                              PhaseTimings& timings) {
  typename Step::Model;
  { step.sweep(iteration, timings) } -> std::same_as<SweepOutcome>;
  { step.restart() } -> std::same_as<std::size_t>;
  { seen.model() } -> std::same_as<typename Step::Model>;
};

namespace detail {

/// Notes what a sweep has reached, and when.
inline void record_sweep(RunState& state, const SweepOutcome& outcome, double seconds) {
  IterationRecord record;
  record.iteration = state.history.size() + 1;
  record.fit = outcome.fit;
  record.fit_change = outcome.fit - state.fit();
  record.residual_norm = outcome.residual_norm;
  record.objective = outcome.objective;
  record.kkt_violation = outcome.kkt_violation;
  record.holdout_rmse = outcome.holdout_rmse;
  record.holdout_mae = outcome.holdout_mae;
  record.seconds = seconds;
  state.history.push_back(record);
}

/// Begins again and repeats iterations, at the seconds at which they were, until so many are done
/// or one is not finite.
template <SolverStep Step>
void repeat_iterations(Step& step, RunState& state, PhaseTimings& timings, std::size_t count) {
  const auto before = std::exchange(state.history, {});
  state.history.assign(before.begin(),
                       before.begin() + static_cast<std::ptrdiff_t>(step.restart()));
  while (state.history.size() < count && std::isfinite(state.fit())) {
    const std::size_t done = state.history.size();
    record_sweep(state, step.sweep(done + 1, timings), before[done].seconds);
  }
}

/// Undoes the last iteration, which has left the range of finite numbers: repeats those before it
/// from where the step began. So nothing is kept for it while all goes well. Where the same sweeps
/// come out otherwise, by a kernel that adds in any order, and are not finite sooner, there are
/// fewer.
template <SolverStep Step>
void undo_iteration(Step& step, RunState& state, PhaseTimings& timings) {
  std::size_t finite = state.history.size() - 1;
  bool reached = false;
  while (!reached) {
    repeat_iterations(step, state, timings, finite);
    reached = std::isfinite(state.fit());
    if (!reached) finite = state.history.size() - 1;
  }
}

/// The loop of `iterate` turn by turn, for those who sweep several steps in turn or at once. A turn
/// is a sweep, `record`, and `show` where there is an observer; there is none once it has ended.
template <SolverStep Step, StopCriterion Stop>
class StepLoop {
 public:
  using Model = typename Step::Model;

  StepLoop(Step& step, RunState& state, Stop stop)
      : m_step(step),
        m_state(state),
        m_stop(std::move(stop)),
        m_seconds_before(state.seconds()),
        m_ends(m_stop(state)) {}

  /// Why no other turn follows; none where one does.
  [[nodiscard]] const std::optional<StopReason>& ends() const { return m_ends; }
  /// Lets none follow, whatever the criterion says.
  void end(StopReason reason) { m_ends = reason; }

  /// Notes what a sweep has reached that ends now.
  void record(const SweepOutcome& outcome) {
    record_sweep(m_state, outcome, m_seconds_before + m_watch.seconds());
    m_ends = m_stop(m_state);
  }
  /// Shows the last iteration, if its fit is finite.
  ObserverAction show(const Observer<Model>& observer, PhaseTimings& timings,
                      std::function<Checkpoint<Model>()> checkpoint = {}) const {
    if (!observer || !std::isfinite(m_state.fit())) return ObserverAction::proceed;
    const Iteration<Model> iteration{m_state.start, m_state.history.back(), m_ends,
                                     [this] { return m_step.model(); }, std::move(checkpoint)};
    return timings.time("observer", [&] { return observer(iteration); });
  }
  /// Undoes an iteration that has ended the loop since it is not finite. Returns why the loop has
  /// ended.
  StopReason finish(PhaseTimings& timings) {
    if (*m_ends == StopReason::non_finite) {
      timings.time("undo", [&] { undo_iteration(m_step, m_state, timings); });
    }
    return *m_ends;
  }

 private:
  Step& m_step;
  RunState& m_state;
  Stop m_stop;
  Stopwatch m_watch;
  double m_seconds_before;
  std::optional<StopReason> m_ends;
};

}  // namespace detail

/// Repeats `step` until `stop` or the observer gives a reason, which is returned; a state that has
/// been iterated before goes on where it stood. The observer sees every iteration with a finite
/// fit, also the one after which `stop` has a reason, and its wish to stop comes first.
///
/// An iteration after which the reason is `non_finite` is undone: step and state are then those
/// after the last finite one, whose record is the history's last, or at the beginning. What that
/// takes stands under the phase `undo`, beside those of the step.
///
/// Of the loop's time stands under a phase what the step itself adds, under `observer` what the
/// observer takes, and under `loop` the rest.
template <SolverStep Step, StopCriterion Stop>
StopReason iterate(Step& step, RunState& state, const Stop& stop, PhaseTimings& timings,
                   const Observer<typename Step::Model>& observer = {}) {
  detail::StepLoop<Step, Stop> loop(step, state, stop);
  while (!loop.ends()) {
    timings.time("loop", [&] {
      const ProfilingRegion region("genten::iteration");
      loop.record(step.sweep(state.history.size() + 1, timings));
    });
    if (loop.show(observer, timings) == ObserverAction::stop) loop.end(StopReason::observer);
  }
  return loop.finish(timings);
}

}  // namespace genten
