// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// How the length of a component is shared among its columns.
#include "../cp_als_support.hpp"
#include "places.hpp"

#include <genten/core/weights.hpp>
#include <genten/cp/detail/balance_norms.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/io/tns.hpp>

#include <cmath>
#include <limits>
#include <numeric>

namespace {

using namespace genten_test::cp;
using genten::detail::balance_norms;
using genten::detail::ColumnCost;

double cost_of(const std::vector<ColumnCost>& costs, const std::vector<double>& factors) {
  double sum = 0.0;
  for (std::size_t n = 0; n < costs.size(); ++n) {
    sum += costs[n].square * factors[n] * factors[n] + costs[n].linear * factors[n];
  }
  return sum;
}

TEST(BalanceNorms, SquaresAloneBecomeEqual) {
  const std::vector<ColumnCost> costs = {{4.0, 0.0}, {1e-3, 0.0}, {250.0, 0.0}};
  std::vector<double> factors(3);
  ASSERT_TRUE(balance_norms(costs, factors));
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_NEAR(costs[n].square * factors[n] * factors[n], 1.0, 1e-14);  // (4 * 1e-3 * 250)^(1/3)
  }
}

TEST(BalanceNorms, NoNeighbourCostsLess) {
  const std::vector<std::vector<ColumnCost>> cases = {
      {{1.0, 0.0}, {0.0, 2.0}},
      {{0.0, 1e-9}, {0.0, 1e9}, {0.0, 3.0}},
      {{0.5, 7.0}, {1e6, 1e-3}, {2.0, 0.0}, {0.0, 1e-12}},
      {{1e-150, 0.0}, {1e150, 1e100}}};
  for (const auto& costs : cases) {
    std::vector<double> factors(costs.size());
    ASSERT_TRUE(balance_norms(costs, factors));
    EXPECT_NEAR(std::accumulate(factors.begin(), factors.end(), 1.0, std::multiplies<>()), 1.0,
                1e-12);
    const double least = cost_of(costs, factors);
    for (std::size_t a = 0; a < costs.size(); ++a) {
      for (std::size_t b = 0; b < costs.size(); ++b) {
        if (a == b) continue;
        std::vector<double> other = factors;
        other[a] *= 1.001;
        other[b] /= 1.001;
        EXPECT_GT(cost_of(costs, other), least * (1.0 + 1e-9));
      }
    }
  }
}

TEST(BalanceNorms, WhatHasNoLeastStays) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const ColumnCost other : {ColumnCost{0.0, 0.0}, {nan, 1.0}, {1.0, infinity}, {-1.0, 0.0}}) {
    std::vector<double> factors(2, 5.0);
    EXPECT_FALSE(balance_norms(std::vector<ColumnCost>{{1.0, 1.0}, other}, factors));
    EXPECT_EQ(factors, (std::vector<double>{1.0, 1.0}));
  }
  std::vector<double> alone(1);
  EXPECT_FALSE(balance_norms(std::vector<ColumnCost>{{1.0, 1.0}}, alone));
}

// What is at its most leaves to the others what it would have taken.
TEST(BalanceNorms, NoColumnIsLongerThanItMay) {
  std::vector<ColumnCost> costs = {{1.0, 0.0, 1.25}, {1e4, 0.0}, {100.0, 3.0, 1.0}, {1.0, 2.0}};
  std::vector<double> factors(4);
  ASSERT_TRUE(balance_norms(costs, factors));
  EXPECT_EQ(factors[0], 1.25);
  EXPECT_LE(factors[2], 1.0);
  EXPECT_NEAR(factors[0] * factors[1] * factors[2] * factors[3], 1.0, 1e-14);
  const auto slope = [&](std::size_t n) {
    return 2.0 * costs[n].square * factors[n] * factors[n] + costs[n].linear * factors[n];
  };
  EXPECT_NEAR(slope(1), slope(3), 1e-12 * slope(1));
  EXPECT_NEAR(slope(1), slope(2), 1e-12 * slope(1));
  EXPECT_LT(slope(0), slope(1));  // it would be longer
  // None may: all stay.
  for (ColumnCost& cost : costs) cost.most = 1.0;
  EXPECT_FALSE(balance_norms(costs, factors) && factors[0] != 1.0);
  for (const double factor : factors) EXPECT_NEAR(factor, 1.0, 1e-15);
}

TEST(BalanceNorms, BoundsSayHowLongColumnsMayBe) {
  using genten::RowConstraint;
  using genten::detail::most_length;
  constexpr double none = RowConstraint::none;
  EXPECT_EQ(most_length<double>({}, 7.0), none);
  EXPECT_EQ(most_length<double>({.lower = 0.0}, 7.0), none);
  EXPECT_EQ(most_length<double>({.lower = 0.0, .upper = 14.0}, 0.0), none);
  EXPECT_NEAR(most_length<double>({.lower = 0.0, .upper = 14.0}, 7.0), 2.0, 1e-14);
  EXPECT_LT(most_length<double>({.lower = 0.0, .upper = 14.0}, 7.0), 2.0);
  EXPECT_NEAR(most_length<double>({.lower = -10.5, .upper = 14.0}, 7.0), 1.5, 1e-14);
  EXPECT_EQ(most_length<double>({.lower = -1.0, .upper = 14.0}, 7.0), 1.0);
  EXPECT_TRUE(genten::detail::bounds_allow_lengths({.lower = -1.0, .upper = 14.0}));
  EXPECT_FALSE(genten::detail::bounds_allow_lengths({.lower = 0.5}));
  EXPECT_FALSE(genten::detail::bounds_allow_lengths({.upper = -0.5}));
}

// By sweeps alone 20 of 20 starts were at their 100th iteration, and three had lost a component.
TEST(BalanceNorms, RidgeConvergesFromEveryStart) {
  const Exec exec;
  const auto tensor = genten::read_sptensor<double, std::uint32_t, Exec>(
                          genten_test::data_file("titanic/titanic.tns"))
                          .tensor;
  CpAlsOptions options{.rank = 2, .max_iterations = 200, .tolerance = 1e-6};
  options.ridge = {10.0};
  std::vector<double> objectives;
  for (options.seed = 1; options.seed <= 20; ++options.seed) {
    const auto result = cp_als(exec, tensor, options);
    EXPECT_EQ(result.stop_reason, StopReason::converged) << "seed " << options.seed;
    EXPECT_LT(result.iterations, 60U) << "seed " << options.seed;
    objectives.push_back(result.objective);
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      EXPECT_LE(result.history[k].objective, result.history[k - 1].objective * (1.0 + 1e-12));
    }
    // The penalty of a normalized model's component is N / 2 * ridge * weight^(2/N).
    double penalty = 0.0;
    for (const double weight : genten::host_weights(exec, result.model)) {
      penalty += 0.5 * 4 * 10.0 * std::pow(weight, 2.0 / 4.0);
    }
    EXPECT_NEAR(result.penalty, penalty, 1e-9 * penalty);
  }
  const auto [least, most] = std::minmax_element(objectives.begin(), objectives.end());
  EXPECT_LT(*most, *least * 1.2);
}

}  // namespace
