// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The loop of all solvers, with a step that halves a number.
#include <genten/cp/iterate.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

namespace {

using genten::first_of;
using genten::FitChange;
using genten::iterate;
using genten::IterationLimit;
using genten::NonFinite;
using genten::ObserverAction;
using genten::PhaseTimings;
using genten::RunState;
using genten::StopReason;
using genten::TimeLimit;

/// Fits 1/2, 3/4, 7/8, ...
struct Halving {
  using Model = double;

  double residual = 1.0;
  std::size_t fails_at = 0;  ///< iteration whose fit is no number; 0: none
  double first_residual = 1.0;
  std::size_t begun_at = 0;
  std::size_t restarts = 0;

  std::size_t restart() {
    residual = first_residual;
    ++restarts;
    return begun_at;
  }
  genten::SweepOutcome sweep(std::size_t iteration, PhaseTimings&) {
    residual /= 2.0;
    if (iteration == fails_at) return {std::numeric_limits<double>::quiet_NaN(), residual};
    return {1.0 - residual, residual};
  }
  [[nodiscard]] double model() const { return residual; }
};

struct HalvingRun {
  Halving step{};
  RunState state{};
  PhaseTimings timings{};

  template <class Stop>
  StopReason operator()(const Stop& stop, const genten::Observer<double>& observer = {}) {
    return iterate(step, state, stop, timings, observer);
  }
  [[nodiscard]] std::size_t iterations() const { return state.history.size(); }
};

TEST(Iterate, EverySweepLeavesARecord) {
  HalvingRun run;
  EXPECT_EQ(run(IterationLimit{5}), StopReason::iteration_limit);
  ASSERT_EQ(run.iterations(), 5u);
  double fit = 0.0, seconds = 0.0;
  for (std::size_t k = 0; k < 5; ++k) {
    const auto& record = run.state.history[k];
    EXPECT_EQ(record.iteration, k + 1);
    EXPECT_EQ(record.residual_norm, std::ldexp(1.0, -static_cast<int>(k) - 1));
    EXPECT_EQ(record.fit, 1.0 - record.residual_norm);
    EXPECT_EQ(record.fit_change, record.fit - fit);
    EXPECT_GE(record.seconds, seconds);
    fit = record.fit;
    seconds = record.seconds;
  }
  EXPECT_EQ(run.state.fit(), fit);
}

TEST(Iterate, NoIterationsMeansNoSweep) {
  HalvingRun run;
  EXPECT_EQ(run(IterationLimit{0}), StopReason::iteration_limit);
  EXPECT_EQ(run.iterations(), 0u);
  EXPECT_EQ(run.step.residual, 1.0);
  EXPECT_EQ(run.state.fit(), 0.0);
}

TEST(Iterate, FitChangeCountsAWindow) {
  const std::vector<std::pair<std::size_t, std::size_t>> window_and_iterations{
      {1, 4}, {2, 5}, {3, 7}};
  for (const auto& [window, iterations] : window_and_iterations) {
    HalvingRun run;
    EXPECT_EQ(run(FitChange{0.1, window}), StopReason::converged);
    EXPECT_EQ(run.iterations(), iterations) << window;
  }
}

TEST(Iterate, ObjectiveChangeIsRelativeToTheObjective) {
  const auto reason = [](const std::vector<double>& objectives, double tolerance, double rounding) {
    genten::RunState state;
    for (const double objective : objectives) state.history.push_back({.objective = objective});
    return genten::ObjectiveChange{tolerance, rounding}(state);
  };
  EXPECT_FALSE(reason({}, 0.1, 0.0));
  EXPECT_FALSE(reason({5.0}, 0.1, 9.0));  // there is none before it
  EXPECT_FALSE(reason({9.0, 112.0, 100.0}, 0.1, 0.0));
  EXPECT_EQ(reason({9.0, 109.0, 100.0}, 0.1, 0.0), StopReason::converged);
  EXPECT_EQ(reason({9.0, 91.0, 100.0}, 0.1, 0.0), StopReason::converged);
  EXPECT_EQ(reason({2e-9, 1e-9}, 0.1, 1e-8), StopReason::converged);
  EXPECT_FALSE(reason({1.0, 1.0}, 0.0, 1.0));  // 0: never
}

// Squares leave the range of numbers before residuals do, and those of a tensor of zeros are zero.
TEST(Iterate, ObjectivesBeyondNumbersAreKnownByTheirResiduals) {
  const auto reason = [](double objective, double before, double residual) {
    genten::RunState state;
    state.history.push_back({.residual_norm = before, .objective = objective});
    state.history.push_back({.residual_norm = residual, .objective = objective});
    return genten::ObjectiveChange{0.1, 0.0}(state);
  };
  for (const double objective : {0.0, std::numeric_limits<double>::infinity()}) {
    const double size = objective == 0.0 ? 1e-200 : 1e200;
    EXPECT_EQ(reason(objective, 1.04 * size, size), StopReason::converged);
    EXPECT_FALSE(reason(objective, 1.06 * size, size));
  }
  EXPECT_EQ(reason(0.0, 0.0, 0.0), StopReason::converged);
  EXPECT_FALSE(reason(0.0, 1e-200, 0.0));
}

TEST(Iterate, FirstIterationIsNoChange) {
  HalvingRun run;
  run.step.residual = 1e-300;  // every fit is 1
  EXPECT_EQ(run(FitChange{2.0}), StopReason::converged);
  EXPECT_EQ(run.iterations(), 2u);
  HalvingRun never;
  never.step.residual = 1e-300;
  EXPECT_EQ(never(first_of(FitChange{0.0}, IterationLimit{9})), StopReason::iteration_limit);
}

TEST(Iterate, TimeLimitCountsWhatWasBefore) {
  HalvingRun run;
  run.state.seconds_before = 1000.0;
  EXPECT_EQ(run(TimeLimit{999.0}), StopReason::time_limit);
  EXPECT_EQ(run.iterations(), 1u);
  HalvingRun unlimited;
  unlimited.state.seconds_before = 1000.0;
  EXPECT_EQ(unlimited(first_of(TimeLimit{0.0}, TimeLimit{1e6}, IterationLimit{3})),
            StopReason::iteration_limit);
}

TEST(Iterate, NonFiniteFitsStopUnseen) {
  HalvingRun run;
  run.step.fails_at = 3;
  std::size_t calls = 0;
  const auto count = [&](const auto&) { return ++calls, ObserverAction::proceed; };
  EXPECT_EQ(run(first_of(NonFinite{}, IterationLimit{9}), count), StopReason::non_finite);
  EXPECT_EQ(calls, 2u);
}

TEST(Iterate, NonFiniteIterationsAreUndone) {
  HalvingRun run, whole;
  run.step.fails_at = 4;
  const auto stop = first_of(NonFinite{}, IterationLimit{9});
  EXPECT_EQ(run(stop), StopReason::non_finite);
  EXPECT_EQ(whole(IterationLimit{3}), StopReason::iteration_limit);
  ASSERT_EQ(run.iterations(), 3u);
  EXPECT_EQ(run.step.restarts, 1u);
  EXPECT_EQ(run.step.residual, 0.125);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_EQ(run.state.history[k].iteration, k + 1);
    EXPECT_EQ(run.state.history[k].fit, whole.state.history[k].fit);
    EXPECT_EQ(run.state.history[k].fit_change, whole.state.history[k].fit_change);
    if (k > 0) {
      EXPECT_GE(run.state.history[k].seconds, run.state.history[k - 1].seconds);
    }
  }
  EXPECT_GT(run.timings.seconds("undo"), 0.0);
  HalvingRun at_once;
  at_once.step.fails_at = 1;
  EXPECT_EQ(at_once(stop), StopReason::non_finite);
  EXPECT_EQ(at_once.iterations(), 0u);
  EXPECT_EQ(at_once.step.residual, 1.0);
}

TEST(Iterate, WhatFailsSoonerTheSecondTimeIsUndoneFurther) {
  struct Sooner : Halving {
    std::size_t restart() {
      if (restarts == 0) fails_at = 4;
      if (restarts == 1) fails_at = 2;
      if (restarts == 2) fails_at = 0;
      return Halving::restart();
    }
  };
  Sooner step;
  step.fails_at = 7;
  RunState state;
  PhaseTimings timings;
  EXPECT_EQ(iterate(step, state, first_of(NonFinite{}, IterationLimit{9}), timings),
            StopReason::non_finite);
  EXPECT_EQ(state.history.size(), 1u);
  EXPECT_EQ(step.residual, 0.5);
  EXPECT_EQ(step.restarts, 3u);
}

TEST(Iterate, WhatBeganLaterIsUndoneToThere) {
  HalvingRun run;
  EXPECT_EQ(run(IterationLimit{3}), StopReason::iteration_limit);
  run.step.first_residual = run.step.residual;
  run.step.begun_at = 3;
  run.step.fails_at = 6;
  EXPECT_EQ(run(first_of(NonFinite{}, IterationLimit{9})), StopReason::non_finite);
  ASSERT_EQ(run.iterations(), 5u);
  EXPECT_EQ(run.step.residual, 1.0 / 32.0);
  EXPECT_EQ(run.state.history[4].fit, 1.0 - 1.0 / 32.0);
  EXPECT_EQ(run.state.history[1].fit, 0.75);
}

TEST(Iterate, TheFirstCriterionGivesTheReason) {
  HalvingRun one, other;
  EXPECT_EQ(one(first_of(IterationLimit{4}, FitChange{0.1})), StopReason::iteration_limit);
  EXPECT_EQ(other(first_of(FitChange{0.1}, IterationLimit{4})), StopReason::converged);
  EXPECT_EQ(one.iterations(), 4u);
  EXPECT_EQ(other.iterations(), 4u);
}

TEST(Iterate, AnyCriterionComposes) {
  const auto at_three = [](const RunState& state) -> std::optional<StopReason> {
    if (state.history.size() < 3) return std::nullopt;
    return StopReason::converged;
  };
  HalvingRun run;
  EXPECT_EQ(run(first_of(at_three, first_of(IterationLimit{5}))), StopReason::converged);
  EXPECT_EQ(run.iterations(), 3u);
}

TEST(Iterate, ObserverSeesEveryIterationAndItsWishComesFirst) {
  HalvingRun run;
  run.state.start = 7;
  std::vector<double> models;
  const auto stop_at_four = [&](const genten::Iteration<double>& iteration) {
    EXPECT_EQ(iteration.start, 7u);
    EXPECT_EQ(iteration.record.iteration, models.size() + 1);
    models.push_back(iteration.model());
    return models.size() == 4 ? ObserverAction::stop : ObserverAction::proceed;
  };
  EXPECT_EQ(run(IterationLimit{4}, stop_at_four), StopReason::observer);
  EXPECT_EQ(models, (std::vector<double>{0.5, 0.25, 0.125, 0.0625}));
}

TEST(Iterate, AStateGoesOnWhereItStood) {
  HalvingRun whole, parts;
  EXPECT_EQ(whole(FitChange{0.01}), StopReason::converged);
  EXPECT_EQ(parts(first_of(FitChange{0.01}, IterationLimit{3})), StopReason::iteration_limit);
  std::size_t calls = 0;
  const auto count = [&](const auto&) { return ++calls, ObserverAction::proceed; };
  EXPECT_EQ(parts(FitChange{0.01}, count), StopReason::converged);
  ASSERT_EQ(parts.iterations(), whole.iterations());
  EXPECT_EQ(calls, whole.iterations() - 3);
  for (std::size_t k = 0; k < whole.iterations(); ++k) {
    EXPECT_EQ(parts.state.history[k].iteration, k + 1);
    EXPECT_EQ(parts.state.history[k].fit, whole.state.history[k].fit);
    if (k > 0) {
      EXPECT_GE(parts.state.history[k].seconds, parts.state.history[k - 1].seconds);
    }
  }
  // Who has converged has nothing left to do.
  EXPECT_EQ(parts(FitChange{0.01}), StopReason::converged);
  EXPECT_EQ(parts.iterations(), whole.iterations());
}

// ---- timings

void rest(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

TEST(PhaseTimings, NoSecondCountsTwice) {
  const genten::Stopwatch watch;
  PhaseTimings timings;
  const int found = timings.time("outer", [&] {
    rest(4);
    timings.time(Kokkos::DefaultHostExecutionSpace(), "inner", [] { rest(20); });
    timings.add("inner", 0.0);
    return 3;
  });
  const double all = watch.seconds();
  EXPECT_EQ(found, 3);
  EXPECT_GE(timings.seconds("inner"), 20e-3);
  EXPECT_GE(timings.seconds("outer"), 4e-3);
  EXPECT_LE(timings.sum(), all);
  EXPECT_EQ(timings.sum(), timings.seconds("inner") + timings.seconds("outer"));
}

TEST(PhaseTimings, PhasesHaveAnyName) {
  PhaseTimings timings{"first", "second"};
  timings.add("third", 2.0);
  timings.add("first", 1.0);
  timings.add("third", 2.0);
  ASSERT_EQ(timings.phases().size(), 3u);
  EXPECT_EQ(timings.phases()[0].name, "first");
  EXPECT_EQ(timings.phases()[1].seconds, 0.0);
  EXPECT_EQ(timings.phases()[2].name, "third");
  EXPECT_EQ(timings.seconds("third"), 4.0);
  EXPECT_EQ(timings.seconds("fourth"), 0.0);
  EXPECT_EQ(timings.sum(), 5.0);
}

TEST(PhaseTimings, MoreThanTheClockLeavesNothingBelowZero) {
  // A device's events may say more than the host's clock.
  PhaseTimings timings;
  timings.time("loop", [&] { timings.add("mttkrp", 100.0); });
  EXPECT_EQ(timings.seconds("loop"), 0.0);
}

TEST(PhaseTimings, AnExceptionEndsThePhase) {
  PhaseTimings timings;
  EXPECT_THROW(timings.time("broken",
                            [] {
                              rest(2);
                              throw std::runtime_error("no");
                            }),
               std::runtime_error);
  EXPECT_GE(timings.seconds("broken"), 2e-3);
}

TEST(Iterate, ObserversAndStepsHaveTheirOwnPhases) {
  struct Slow : Halving {
    genten::SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings) {
      timings.time("work", [] { rest(3); });
      return Halving::sweep(iteration, timings);
    }
  };
  Slow step;
  RunState state;
  PhaseTimings timings;
  const auto observer = [](const auto&) { return rest(2), ObserverAction::proceed; };
  (void)iterate(step, state, IterationLimit{3}, timings, genten::Observer<double>(observer));
  EXPECT_GE(timings.seconds("work"), 3 * 3e-3);
  EXPECT_GE(timings.seconds("observer"), 3 * 2e-3);
  EXPECT_LT(timings.seconds("loop"), timings.seconds("work"));
  EXPECT_GE(timings.sum(), 15e-3);
}

}  // namespace
