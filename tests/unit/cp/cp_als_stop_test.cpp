// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Why CP-ALS stops.
#include "cp_als_support.hpp"

#include <gmock/gmock.h>

namespace {

using namespace genten_test::cp;
using genten_test::random_model;

TEST_F(CpAlsTest, StopsWhenConverged) {
  const auto result = cp_als(exec, tensor, CpAlsOptions{.rank = 4, .tolerance = 1e-3});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_LT(result.iterations, 100u);
  EXPECT_LT(std::abs(result.history.back().fit_change), 1e-3);
  for (std::size_t k = 1; k + 1 < result.history.size(); ++k) {
    EXPECT_GE(std::abs(result.history[k].fit_change), 1e-3) << k;
  }
}

TEST_F(CpAlsTest, StopsAtTheIterationLimit) {
  const auto result =
      cp_als(exec, tensor, CpAlsOptions{.rank = 4, .max_iterations = 3, .tolerance = 0.0});
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  EXPECT_EQ(result.iterations, 3u);
}

TEST_F(CpAlsTest, StopsAtTheTimeLimitAfterAWholeIteration) {
  CpAlsOptions options{.rank = 4, .tolerance = 0.0, .time_limit = 1e-9, .starts = 3};
  // Alone, and beside the others that have begun with the first.
  genten::MachineProperties machine = genten::MachineProperties::of(exec);
  for (const std::size_t begun : {3, 1}) {
    if (begun == 1) machine.l2_cache = 1.0;
    options.mttkrp.machine = machine;
    const auto result = cp_als(exec, tensor, options);
    EXPECT_EQ(result.stop_reason, StopReason::time_limit);
    EXPECT_EQ(result.iterations, 1u);
    EXPECT_EQ(result.starts.size(), begun);
    for (const auto& start : result.starts) {
      EXPECT_EQ(start.stop_reason, StopReason::time_limit);
      EXPECT_EQ(start.iterations, 1u);
    }
    CpAlsOptions one{.rank = 4, .max_iterations = 1, .tolerance = 0.0};
    one.seed += result.best_start;
    one.mttkrp.machine = machine;
    EXPECT_EQ(numbers(result.model), numbers(cp_als(exec, tensor, one).model));
  }
}

TEST_F(CpAlsTest, InterruptedRunIsTheRunWithThatManyIterations) {
  for (const std::size_t stop_at : {1, 2, 5}) {
    const auto stopped =
        cp_als(exec, tensor, CpAlsOptions{.rank = 4, .tolerance = 0.0, .starts = 2},
               [&](const Iteration& iteration) {
                 return iteration.record.iteration == stop_at ? ObserverAction::stop
                                                              : ObserverAction::proceed;
               });
    EXPECT_EQ(stopped.stop_reason, StopReason::observer);
    EXPECT_EQ(stopped.iterations, stop_at);
    ASSERT_EQ(stopped.starts.size(), 2u);
    for (const auto& start : stopped.starts) EXPECT_EQ(start.iterations, stop_at);
    CpAlsOptions one{.rank = 4, .max_iterations = stop_at, .tolerance = 0.0};
    one.seed += stopped.best_start;
    const auto whole = cp_als(exec, tensor, one);
    EXPECT_EQ(numbers(stopped.model), numbers(whole.model));
    EXPECT_EQ(stopped.fit, whole.fit);
  }
}

TEST_F(CpAlsTest, NonFiniteGuessesAreRefused) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    auto plain_guess = random_model({20, 15, 10}, 4, 8);
    const auto refused = [&] {
      return genten_test::error_of([&] {
        (void)cp_als(exec, tensor, genten_test::to_ktensor<double, Exec>(plain_guess),
                     CpAlsOptions{});
      });
    };
    plain_guess.factors[1](7, 2) = bad;
    EXPECT_THAT(refused(), testing::HasSubstr("in component 3 of the factor of mode 2"));
    plain_guess.factors[1](7, 2) = 0.0;
    plain_guess.weights[1] = bad;
    EXPECT_THAT(refused(), testing::HasSubstr("in component 2 of the weight"));
  }
}

}  // namespace
