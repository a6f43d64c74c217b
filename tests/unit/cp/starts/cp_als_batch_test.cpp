// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Starts of CP-ALS that run side by side have the bits that they have one by one.
#include "batch_support.hpp"
#include "thread_counts.hpp"
#include "tool_recorder.hpp"

#include <genten/cp/detail/cp_als_solver.hpp>

#include <algorithm>
#include <cmath>

namespace {

using namespace genten_test::cp;
using genten::PhaseTimings;
using genten_test::random_tensor;

template <class Scalar>
struct Run {
  genten::CpAlsResult<Scalar, Exec> result;
  Histories seen;                                          ///< by the observer
  std::vector<std::pair<std::size_t, std::size_t>> order;  ///< start and iteration, as they came
  bool side_by_side = false;
};

/// Runs, and with an observer if `look` is asked what to do.
template <class Scalar, class Look>
Run<Scalar> run(const Tensor<Scalar>& tensor, const CpAlsOptions& options, const Look& look) {
  Run<Scalar> run;
  const genten_test::ToolRecorder recorder;
  run.result = cp_als(Exec{}, tensor, options, [&](const auto& iteration) {
    run.seen[iteration.start].push_back(facts_of(iteration.record));
    run.order.emplace_back(iteration.start, iteration.record.iteration);
    return look(iteration);
  });
  const auto& labels = recorder.allocations();
  run.side_by_side =
      std::find(labels.begin(), labels.end(), "genten::factors_side_by_side") != labels.end();
  return run;
}
template <class Scalar>
Run<Scalar> run(const Tensor<Scalar>& tensor, const CpAlsOptions& options) {
  return run(tensor, options, [](const auto&) { return ObserverAction::proceed; });
}

/// The runs of the starts, each alone.
template <class Scalar>
std::vector<Run<Scalar>> one_by_one(const Tensor<Scalar>& tensor, CpAlsOptions options) {
  std::vector<Run<Scalar>> runs;
  const std::size_t starts = std::exchange(options.starts, 1);
  for (std::size_t s = 0; s < starts; ++s) {
    runs.push_back(run(tensor, options));
    EXPECT_FALSE(runs.back().side_by_side);
    ++options.seed;
  }
  return runs;
}

template <class Scalar>
void expect_same_model(const Model<Scalar>& found, const Model<Scalar>& expected) {
  const auto a = numbers(found), b = numbers(expected);
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) ASSERT_EQ(a[k], b[k]) << "number " << k;
}

/// In each turn the observer sees the iterations of live starts by their numbers: who has been seen
/// as many times as another that began with it, or before, comes later only if its number is
/// larger.
void expect_turns(const std::vector<std::pair<std::size_t, std::size_t>>& order) {
  std::map<std::size_t, std::size_t> last;  // by start, the turn that it was seen in
  std::size_t turn = 0, before = 0;
  for (const auto& [start, iteration] : order) {
    if (start <= before) ++turn;
    before = start;
    if (last.contains(start)) {
      EXPECT_EQ(turn, last[start] + 1) << start;
      EXPECT_GT(iteration, 1u);
    } else {
      EXPECT_EQ(iteration, 1u);
    }
    last[start] = turn;
  }
}

/// Of several starts, all as each is alone.
template <class Scalar>
void expect_as_alone(const Run<Scalar>& all, const std::vector<Run<Scalar>>& alone) {
  EXPECT_TRUE(all.side_by_side);
  ASSERT_EQ(all.result.starts.size(), alone.size());
  for (std::size_t s = 0; s < alone.size(); ++s) {
    SCOPED_TRACE("start " + std::to_string(s));
    const auto& one = alone[s];
    EXPECT_EQ(all.seen.at(s), one.seen.at(0));
    EXPECT_EQ(all.result.starts[s].iterations, one.result.iterations);
    EXPECT_EQ(all.result.starts[s].stop_reason, one.result.stop_reason);
    EXPECT_EQ(all.result.starts[s].seed, one.result.starts[0].seed);
  }
  const auto& best = alone[all.result.best_start].result;
  for (const auto& one : alone) EXPECT_LE(one.result.fit, best.fit);
  expect_same_model(all.result.model, best.model);
  EXPECT_EQ(all.result.fit, best.fit);
  EXPECT_EQ(all.result.residual_norm, best.residual_norm);
  EXPECT_EQ(all.result.rank_deficient_solves, best.rank_deficient_solves);
  ASSERT_EQ(all.result.history.size(), best.history.size());
  for (std::size_t k = 0; k < best.history.size(); ++k) {
    EXPECT_EQ(facts_of(all.result.history[k]), facts_of(best.history[k]));
    const double before = k == 0 ? 0.0 : all.result.history[k - 1].seconds;
    EXPECT_GE(all.result.history[k].seconds, before);
  }
  expect_turns(all.order);
}

/// Makes a factor of a start infinite after its third iteration, once.
template <class Scalar>
struct PoisonedSolver
    : genten::detail::CpAlsSolver<Scalar, std::uint32_t, Exec,
                                  genten::detail::LeastSquaresUpdate<Scalar, Exec>> {
  using Base = genten::detail::CpAlsSolver<Scalar, std::uint32_t, Exec,
                                           genten::detail::LeastSquaresUpdate<Scalar, Exec>>;
  using Base::Base;
  static constexpr std::size_t victim = 2;
  bool is_done = false;

  struct Poison {
    const typename Base::Step* step;
    bool* is_done;
    std::optional<StopReason> operator()(const genten::RunState& run) const {
      if (run.start == victim && run.history.size() == 3 && !std::exchange(*is_done, true)) {
        step->factors()[1](4, 2) = std::numeric_limits<Scalar>::infinity();
      }
      return std::nullopt;
    }
  };
  [[nodiscard]] auto criteria(const typename Base::Step& step) {
    return genten::first_of(Poison{&step, &is_done}, genten::NonFinite{},
                            genten::IterationLimit{8});
  }
};

template <class RealScalar>
class CpAlsBatchTest : public testing::Test {
 protected:
  using Scalar = RealScalar;
  const Exec exec{};

  static Tensor<Scalar> tensor_of(std::size_t order) {
    std::vector<std::size_t> dimensions{30, 25, 20, 7, 5};
    dimensions.resize(order);
    return make<Scalar>(
        random_tensor({.dimensions = dimensions, .nnz = 3000, .seed = 4, .duplicate_every = 13}));
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CpAlsBatchTest, Scalars);

TYPED_TEST(CpAlsBatchTest, StartsHaveTheBitsThatTheyHaveAlone) {
  for (const std::size_t order : {3, 4, 5}) {
    const auto tensor = this->tensor_of(order);
    for (const std::size_t rank : {1, 3, 8, 11}) {
      SCOPED_TRACE("order " + std::to_string(order) + ", rank " + std::to_string(rank));
      const CpAlsOptions options{
          .rank = rank, .max_iterations = 8, .tolerance = 0.0, .seed = 3, .starts = 5};
      expect_as_alone(run(tensor, options), one_by_one(tensor, options));
    }
  }
}

TYPED_TEST(CpAlsBatchTest, StartsThatConvergeAtDifferentTimesMakeRoomForOthers) {
  const auto tensor = this->tensor_of(3);
  CpAlsOptions options{
      .rank = 4, .max_iterations = 60, .tolerance = 2e-4, .seed = 10, .starts = 13};
  const auto alone = one_by_one(tensor, options);
  std::size_t least = 60, most = 0;
  for (const auto& one : alone) {
    least = std::min(least, one.result.iterations);
    most = std::max(most, one.result.iterations);
  }
  ASSERT_LT(2 * least, most);
  expect_as_alone(run(tensor, options), alone);
  // By the cache of a host that has room for the rows of so many.
  genten::MachineProperties machine = genten::MachineProperties::of(this->exec);
  for (const std::size_t places : {2, 3, 5}) {
    SCOPED_TRACE(places);
    machine.l2_cache = static_cast<double>(75 * places * 4 * sizeof(TypeParam)) + 100.0;
    options.mttkrp.machine = machine;
    expect_as_alone(run(tensor, options), one_by_one(tensor, options));
  }
}

TYPED_TEST(CpAlsBatchTest, ModesThatStayAndRanksOfWideRowsAreAsAlone) {
  const auto tensor = this->tensor_of(4);
  CpAlsOptions options{.rank = 16, .max_iterations = 5, .tolerance = 0.0, .seed = 1, .starts = 3};
  options.fixed_modes = {1};
  expect_as_alone(run(tensor, options), one_by_one(tensor, options));
}

TYPED_TEST(CpAlsBatchTest, WideRowsConstraintsAndOtherKernelsRunOneByOne) {
  const auto tensor = this->tensor_of(3);
  const CpAlsOptions narrow{.rank = 3, .max_iterations = 3, .starts = 3};
  ASSERT_TRUE(run(tensor, narrow).side_by_side);
  CpAlsOptions options = narrow;
  options.rank = 40;
  EXPECT_FALSE(run(tensor, options).side_by_side);
  options = narrow;
  options.nonnegative.all = true;
  EXPECT_FALSE(run(tensor, options).side_by_side);
  options = narrow;
  options.mttkrp.kernel = "permuted";
  EXPECT_FALSE(run(tensor, options).side_by_side);
  options = narrow;
  genten::MachineProperties machine;
  machine.l2_cache = 1000.0;
  options.mttkrp.machine = machine;
  EXPECT_FALSE(run(tensor, options).side_by_side);
}

TYPED_TEST(CpAlsBatchTest, TensorsWithoutNonzerosAndWithOneAreAsAlone) {
  for (const std::size_t nonzeros : {0, 1}) {
    SCOPED_TRACE(nonzeros);
    const auto tensor =
        make<TypeParam>(random_tensor({.dimensions = {4, 3, 5}, .nnz = nonzeros, .seed = 1}));
    const CpAlsOptions options{.rank = 2, .max_iterations = 4, .tolerance = 0.0, .starts = 3};
    const auto all = run(tensor, options);
    const auto alone = one_by_one(tensor, options);
    ASSERT_EQ(all.result.starts.size(), 3u);
    EXPECT_EQ(all.result.fit, alone[all.result.best_start].result.fit);
    for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(all.seen.at(s), alone[s].seen.at(0));
  }
}

TYPED_TEST(CpAlsBatchTest, AnObserverThatAsksForModelsGetsThoseOfTheIteration) {
  const auto tensor = this->tensor_of(3);
  const CpAlsOptions options{
      .rank = 3, .max_iterations = 6, .tolerance = 0.0, .seed = 2, .starts = 5};
  // Every model of some starts, from the first iteration on or later, while others go on.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<TypeParam>> models;
  const auto ask = [&](const auto& iteration) {
    const std::size_t s = iteration.start, k = iteration.record.iteration;
    if ((s == 1 && k == 4) || s == 3 || (s == 4 && k == 6)) {
      models[{s, k}] = numbers(iteration.model());
    }
    return ObserverAction::proceed;
  };
  expect_as_alone(run(tensor, options, ask), one_by_one(tensor, options));
  EXPECT_EQ(models.size(), 8u);
  for (const auto& [at, found] : models) {
    CpAlsOptions alone = options;
    alone.starts = 1;
    alone.seed += at.first;
    alone.max_iterations = at.second;
    EXPECT_EQ(found, numbers(cp_als(this->exec, tensor, alone).model));
  }
}

TYPED_TEST(CpAlsBatchTest, AnObserverThatStopsEndsAllStartsAfterTheirTurn) {
  const auto tensor = this->tensor_of(3);
  const CpAlsOptions options{
      .rank = 3, .max_iterations = 9, .tolerance = 0.0, .seed = 2, .starts = 6};
  for (const std::size_t iteration : {1, 5, 9}) {
    std::map<std::size_t, std::optional<StopReason>> ends;
    const auto stopped = run(tensor, options, [&](const auto& seen) {
      if (seen.record.iteration == iteration) ends[seen.start] = seen.ends;
      return seen.start == 2 && seen.record.iteration == iteration ? ObserverAction::stop
                                                                   : ObserverAction::proceed;
    });
    EXPECT_TRUE(stopped.side_by_side);
    ASSERT_EQ(stopped.result.starts.size(), 6u);
    const auto by_itself =
        iteration == 9 ? std::optional(StopReason::iteration_limit) : std::optional<StopReason>();
    for (std::size_t s = 0; s < 6; ++s) {
      SCOPED_TRACE(s);
      EXPECT_EQ(stopped.seen.at(s).size(), iteration);
      EXPECT_EQ(ends.at(s), s <= 2 || by_itself ? by_itself : std::optional(StopReason::observer));
      const auto& start = stopped.result.starts[s];
      EXPECT_EQ(start.stop_reason,
                s == 2 ? StopReason::observer : by_itself.value_or(StopReason::observer));
      EXPECT_EQ(start.iterations, iteration);
      CpAlsOptions alone = options;
      alone.starts = 1;
      alone.seed += s;
      alone.max_iterations = iteration;
      const auto last = cp_als(this->exec, tensor, alone);
      EXPECT_EQ(start.fit, last.fit);
      if (stopped.result.best_start == s) expect_same_model(stopped.result.model, last.model);
    }
  }
}

/// That a run that goes on ends as the starts do alone, and shows every iteration once.
/// `same_bits`: unless it is planned for another cache.
template <class Scalar>
void expect_resumed(const Tensor<Scalar>& tensor, const CpAlsOptions& options,
                    const std::vector<Run<Scalar>>& alone,
                    const genten::Checkpoint<Model<Scalar>>& checkpoint, Histories seen,
                    bool same_bits) {
  const auto resumed = cp_als(Exec{}, tensor, checkpoint, options, [&](const auto& more) {
    seen[more.start].push_back(facts_of(more.record));
    return ObserverAction::proceed;
  });
  ASSERT_EQ(resumed.starts.size(), alone.size());
  for (std::size_t s = 0; s < alone.size(); ++s) {
    EXPECT_EQ(seen[s].size(), resumed.starts[s].iterations);
    EXPECT_NEAR(resumed.starts[s].fit, alone[s].result.fit, 1e-3);
    if (!same_bits) continue;
    EXPECT_EQ(resumed.starts[s].fit, alone[s].result.fit);
    EXPECT_EQ(resumed.starts[s].iterations, alone[s].result.iterations);
    EXPECT_EQ(resumed.starts[s].stop_reason, alone[s].result.stop_reason);
    EXPECT_EQ(seen[s], alone[s].seen.at(0));  // every iteration once
  }
  if (same_bits) expect_same_model(resumed.model, alone[resumed.best_start].result.model);
}

TYPED_TEST(CpAlsBatchTest, ACheckpointOfAnyIterationLeadsToTheSameResult) {
  const auto tensor = this->tensor_of(3);
  CpAlsOptions options{.rank = 4, .max_iterations = 12, .tolerance = 5e-4, .seed = 10, .starts = 7};
  genten::MachineProperties machine = genten::MachineProperties::of(this->exec);
  const auto set_places = [&](std::size_t places) {
    machine.l2_cache = static_cast<double>(75 * places * 4 * sizeof(TypeParam)) + 100.0;
    options.mttkrp.machine = machine;
  };
  set_places(3);
  const auto alone = one_by_one(tensor, options);
  std::vector<std::pair<genten::Checkpoint<Model<TypeParam>>, Histories>> saved;
  Histories seen;
  const auto whole = run(tensor, options, [&](const auto& iteration) {
    seen[iteration.start].push_back(facts_of(iteration.record));
    saved.emplace_back(iteration.checkpoint(), seen);
    return ObserverAction::proceed;
  });
  expect_as_alone(whole, alone);
  ASSERT_GT(saved.size(), 30u);
  for (std::size_t k = 0; k < saved.size(); k += 3) {
    SCOPED_TRACE("checkpoint " + std::to_string(k));
    // Where as many, fewer or more starts run side by side.
    for (const std::size_t places : {3, 1, 2, 7}) {
      set_places(places);
      expect_resumed(tensor, options, alone, saved[k].first, saved[k].second, places == 3);
    }
  }
}

TYPED_TEST(CpAlsBatchTest, StartsThatWaitEndWhenTheRunIsStopped) {
  const auto tensor = this->tensor_of(3);
  CpAlsOptions options{.rank = 3, .max_iterations = 9, .tolerance = 0.0, .seed = 2, .starts = 4};
  std::optional<genten::Checkpoint<Model<TypeParam>>> checkpoint;
  (void)run(tensor, options, [&](const auto& seen) {
    if (seen.start == 1 && seen.record.iteration == 4) checkpoint = seen.checkpoint();
    return ObserverAction::proceed;
  });
  genten::MachineProperties machine = genten::MachineProperties::of(this->exec);
  machine.l2_cache = 1000.0;
  options.mttkrp.machine = machine;
  std::vector<std::pair<std::size_t, std::size_t>> order;
  const auto stopped = cp_als(this->exec, tensor, *checkpoint, options, [&](const auto& seen) {
    order.emplace_back(seen.start, seen.record.iteration);
    return seen.record.iteration == 6 ? ObserverAction::stop : ObserverAction::proceed;
  });
  // Two iterations were still to be shown.
  using At = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(order, (std::vector<At>{{0, 5}, {0, 6}, {2, 4}, {3, 4}}));
  ASSERT_EQ(stopped.starts.size(), 4u);
  for (std::size_t s = 0; s < 4; ++s) {
    EXPECT_EQ(stopped.starts[s].seed, 2 + s);
    EXPECT_EQ(stopped.starts[s].stop_reason, StopReason::observer);
    EXPECT_EQ(stopped.starts[s].iterations, s == 0 ? 6u : 4u);
  }
}

TYPED_TEST(CpAlsBatchTest, ATimeLimitEndsAllThatHaveBegun) {
  const auto tensor = this->tensor_of(3);
  CpAlsOptions options{
      .rank = 3, .max_iterations = 1'000'000, .tolerance = 0.0, .seed = 2, .starts = 60};
  options.time_limit = 0.2;
  const auto all = run(tensor, options);
  EXPECT_TRUE(all.side_by_side);
  const auto& starts = all.result.starts;
  EXPECT_GT(starts.size(), 1u);
  EXPECT_LT(starts.size(), 60u);
  for (const auto& start : starts) {
    EXPECT_EQ(start.stop_reason, StopReason::time_limit);
    EXPECT_GT(start.iterations, 0u);
  }
  EXPECT_EQ(all.seen.size(), starts.size());
  EXPECT_LT(all.result.history.back().seconds, 5.0);
  // As far as it has come.
  options.time_limit = 0.0;
  options.starts = 1;
  options.seed += all.result.best_start;
  options.max_iterations = all.result.history.size();
  expect_same_model(all.result.model, cp_als(this->exec, tensor, options).model);
}

TYPED_TEST(CpAlsBatchTest, AStartThatLeavesFiniteNumbersIsUndoneAndTheOthersDoNotSeeIt) {
  using namespace genten::detail;
  using Solver = PoisonedSolver<TypeParam>;
  const auto tensor = sum_duplicates(this->exec, this->tensor_of(3)).tensor;
  const CpAlsOptions options{.rank = 3, .max_iterations = 8, .tolerance = 0.0, .starts = 4};
  auto problem = prepare_cp_als(
      this->exec, UnscaledTensor<TypeParam, std::uint32_t, Exec>::of(this->exec, tensor, options),
      3, {0, 1, 2}, options, false);
  ASSERT_EQ(problem.batch, 4u);
  const genten::Stopwatch watch;
  PhaseTimings timings;
  Solver solver(this->exec, tensor, problem, options, timings);
  Histories seen;
  std::size_t checkpoints = 0;
  const genten::KtensorObserver<TypeParam, Exec> observer = [&](const auto& iteration) {
    seen[iteration.start].push_back(facts_of(iteration.record));
    // The start that is undone is in no checkpoint as it left finite numbers.
    const auto state = read_state<CpAlsState<TypeParam>>(iteration.checkpoint().state);
    for (const auto& live : state.starts.live) {
      EXPECT_TRUE(std::isfinite(live.run.fit()));
      ++checkpoints;
    }
    return ObserverAction::proceed;
  };
  SeveralStarts starts(solver, observer, timings, watch);
  starts.run(nullptr);
  EXPECT_TRUE(solver.is_done);
  EXPECT_GT(checkpoints, 20u);
  ASSERT_EQ(starts.records().size(), 4u);
  for (std::size_t s = 0; s < 4; ++s) {
    SCOPED_TRACE(s);
    const bool is_victim = s == Solver::victim;
    const auto& record = starts.records()[s];
    EXPECT_EQ(record.stop_reason, is_victim ? StopReason::non_finite : StopReason::iteration_limit);
    EXPECT_EQ(record.iterations, is_victim ? 3u : 8u);
    CpAlsOptions alone = options;
    alone.seed += s;
    alone.starts = 1;
    alone.max_iterations = record.iterations;
    const auto one = run(tensor, alone);
    EXPECT_EQ(seen.at(s), one.seen.at(0));
    EXPECT_EQ(record.fit, one.result.fit);
  }
}

TEST(CpAlsBatchThreadsTest, TheBitsAreThoseOfEveryNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const auto tensor =
        make<double>(random_tensor({.dimensions = {40, 30, 20}, .nnz = 90'000, .seed = 4}));
    const CpAlsOptions options{
        .rank = 5, .max_iterations = 6, .tolerance = 1e-5, .seed = 3, .starts = 6};
    const auto all = run(tensor, options);
    genten_test::BitHash bits;
    for (const double x : numbers(all.result.model)) bits.add(x);
    for (const auto& [start, history] : all.seen) {
      for (const auto& record : history) bits.add(record[0]);
    }
    const auto alone = one_by_one(tensor, options);
    expect_as_alone(all, alone);
    return bits.text();
  });
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
