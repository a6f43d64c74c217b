// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The loop of every solver. A solver is a step, which `iterate` repeats until there is a reason to
/// stop, and what is made of it afterwards.

#include <genten/cp/observer.hpp>
#include <genten/cp/stop.hpp>
#include <genten/cp/timings.hpp>

namespace genten {

/// What a solver repeats: `sweep` improves the model once and says what that has reached, adding
/// the times of its phases; `model` makes the model as it stands. `Step::Model` is its type.
template <class Step>
concept SolverStep = requires(Step& step, const Step& seen, std::size_t iteration,
                              PhaseTimings& timings) {
  typename Step::Model;
  { step.sweep(iteration, timings) } -> std::same_as<SweepOutcome>;
  { seen.model() } -> std::same_as<typename Step::Model>;
};

namespace detail {

/// One sweep and its record.
template <SolverStep Step>
void iterate_once(Step& step, RunState& state, PhaseTimings& timings, const Stopwatch& watch,
                  double seconds_before) {
  const ProfilingRegion region("genten::iteration");
  IterationRecord record;
  record.iteration = state.history.size() + 1;
  const SweepOutcome outcome = step.sweep(record.iteration, timings);
  record.fit = outcome.fit;
  record.fit_change = outcome.fit - state.fit();
  record.residual_norm = outcome.residual_norm;
  record.seconds = seconds_before + watch.seconds();
  state.history.push_back(record);
}

}  // namespace detail

/// Repeats `step` until `stop` or the observer gives a reason, which is returned; a state that has
/// been iterated before goes on where it stood. The observer sees every iteration with a finite
/// fit, also the one after which `stop` has a reason, and its wish to stop comes first.
///
/// Of the loop's time stands under a phase what the step itself adds, under `observer` what the
/// observer takes, and under `loop` the rest.
template <SolverStep Step, StopCriterion Stop>
StopReason iterate(Step& step, RunState& state, const Stop& stop, PhaseTimings& timings,
                   const Observer<typename Step::Model>& observer = {}) {
  const Stopwatch watch;
  const double seconds_before = state.seconds();
  std::optional<StopReason> reason = stop(state);
  while (!reason) {
    timings.time("loop",
                 [&] { detail::iterate_once(step, state, timings, watch, seconds_before); });
    reason = stop(state);
    if (!observer || !std::isfinite(state.fit())) continue;
    const Iteration<typename Step::Model> iteration{state.start, state.history.back(),
                                                    [&step] { return step.model(); }};
    const auto action = timings.time("observer", [&] { return observer(iteration); });
    if (action == ObserverAction::stop) reason = StopReason::observer;
  }
  return *reason;
}

}  // namespace genten
