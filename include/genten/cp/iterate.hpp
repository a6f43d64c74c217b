// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The loop of every solver. A solver is a step, which `iterate` repeats until there is a reason to
/// stop, and what is made of it afterwards.

#include <genten/cp/observer.hpp>
#include <genten/cp/stop.hpp>
#include <genten/cp/timings.hpp>

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

/// One sweep and its record, which ends at `seconds()`.
template <SolverStep Step, class Seconds>
void iterate_once(Step& step, RunState& state, PhaseTimings& timings, const Seconds& seconds) {
  const ProfilingRegion region("genten::iteration");
  const SweepOutcome outcome = step.sweep(state.history.size() + 1, timings);
  record_sweep(state, outcome, seconds());
}

/// Begins again and repeats iterations, at the seconds at which they were, until so many are done
/// or one is not finite.
template <SolverStep Step>
void repeat_iterations(Step& step, RunState& state, PhaseTimings& timings, std::size_t count) {
  const auto before = std::exchange(state.history, {});
  state.history.assign(before.begin(),
                       before.begin() + static_cast<std::ptrdiff_t>(step.restart()));
  while (state.history.size() < count && std::isfinite(state.fit())) {
    const double seconds = before[state.history.size()].seconds;
    iterate_once(step, state, timings, [seconds] { return seconds; });
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
  const Stopwatch watch;
  const double seconds_before = state.seconds();
  std::optional<StopReason> reason = stop(state);
  const auto seconds = [&] { return seconds_before + watch.seconds(); };
  while (!reason) {
    timings.time("loop", [&] { detail::iterate_once(step, state, timings, seconds); });
    reason = stop(state);
    if (!observer || !std::isfinite(state.fit())) continue;
    const Iteration<typename Step::Model> iteration{
        state.start, state.history.back(), reason, [&step] { return step.model(); }, {}};
    const auto action = timings.time("observer", [&] { return observer(iteration); });
    if (action == ObserverAction::stop) reason = StopReason::observer;
  }
  if (*reason == StopReason::non_finite) {
    timings.time("undo", [&] { detail::undo_iteration(step, state, timings); });
  }
  return *reason;
}

}  // namespace genten
