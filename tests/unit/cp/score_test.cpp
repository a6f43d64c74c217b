// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/compare/assignment.hpp>
#include <genten/cp/score.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace {

using genten::score;
using genten::ScoreOptions;
using genten::detail::best_assignment;
using genten::detail::GainMatrix;
using genten::detail::greedy_assignment;
using genten_test::change_on_host;
using genten_test::error_of;
using genten_test::PlainModel;
using genten_test::random_model;

template <class Combination>
class ScoreTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Model = genten::Ktensor<Scalar, Exec>;

  static Model make(const PlainModel& model) {
    return genten_test::to_ktensor<Scalar, Exec>(model);
  }

  /// A model whose every factor element is one.
  static Model ones(const std::vector<std::size_t>& dimensions, std::vector<double> weights) {
    PlainModel model = random_model(dimensions, weights.size(), 1);
    for (auto& factor : model.factors) std::fill(factor.elements.begin(), factor.elements.end(), 1);
    model.weights = std::move(weights);
    return make(model);
  }
  Exec exec;
  static constexpr double tolerance = std::is_same_v<Scalar, float> ? 1e-6 : 1e-14;
};

TYPED_TEST_SUITE(ScoreTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(ScoreTest, NumbersThatAreNotFiniteAreRefusedByComponent) {
  const auto good = TestFixture::ones({3, 4}, {2, 1});
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    PlainModel plain = random_model({3, 4}, 2, 1);
    plain.factors[1](2, 1) = bad;
    EXPECT_EQ(error_of([&] { (void)score(this->exec, good, TestFixture::make(plain)); }),
              "score: expected finite numbers, component 2 of the reference has others");
    const auto weighted = TestFixture::ones({3, 4}, {bad, 1});
    EXPECT_EQ(error_of([&] { (void)score(this->exec, weighted, good); }),
              "score: expected finite numbers, component 1 of the model has others");
  }
}

// The pair in the documentation of the Tensor Toolbox for Python: 3 x 4 x 5, all factors ones,
// weights 2, 1, 3 against 2, 4. Matches 2 with 2 and 3 with 4: (1 + 3/4) / 2.
TYPED_TEST(ScoreTest, DocumentedPairScoresAsDocumented) {
  const auto a = TestFixture::ones({3, 4, 5}, {2, 1, 3});
  const auto b = TestFixture::ones({3, 4, 5}, {2, 4});
  for (const bool greedy : {false, true}) {
    const auto weighted = score(this->exec, a, b, {.weight_penalty = true, .greedy = greedy});
    EXPECT_NEAR(weighted.score, 0.875, TestFixture::tolerance);
    EXPECT_EQ(weighted.permutation, (std::vector<std::size_t>{0, 2, 1}));
    EXPECT_NEAR(weighted.component_scores[0], 1.0, TestFixture::tolerance);
    EXPECT_NEAR(weighted.component_scores[1], 0.75, TestFixture::tolerance);
    EXPECT_FALSE(weighted.signs_flipped);
    const auto unweighted = score(this->exec, a, b, {.weight_penalty = false, .greedy = greedy});
    EXPECT_NEAR(unweighted.score, 1.0, TestFixture::tolerance);
    EXPECT_EQ(unweighted.permutation, (std::vector<std::size_t>{0, 1, 2}));
  }
}

TYPED_TEST(ScoreTest, ReorderedAndRescaledModelsMatch) {
  const auto contents = random_model({12, 15, 10}, 6, 3);
  const auto reference = TestFixture::make(contents), model = TestFixture::make(contents);
  const std::vector<std::size_t> shuffle{3, 0, 5, 1, 4, 2};
  arrange(this->exec, model, shuffle);
  normalize(this->exec, model);
  const auto result = score(this->exec, model, reference);
  EXPECT_NEAR(result.score, 1.0, TestFixture::tolerance);
  for (std::size_t r = 0; r < 6; ++r) EXPECT_EQ(shuffle[result.permutation[r]], r);
  arrange(this->exec, model, result.permutation);
  EXPECT_EQ(score(this->exec, model, reference).permutation,
            (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

// As in the Tensor Toolboxes, which take absolute cosines mode by mode.
TYPED_TEST(ScoreTest, SignsDoNotCountAndAreTold) {
  const auto contents = random_model({5, 6, 7}, 3, 4);
  auto changed = contents;
  const auto turn_round = [&](std::size_t mode, std::size_t column) {
    auto& factor = changed.factors[mode];
    for (std::size_t i = 0; i < factor.rows; ++i) factor(i, column) *= -1;
  };
  turn_round(1, 0);  // one column: the opposite rank-one tensor
  turn_round(0, 1);  // two columns: the same
  turn_round(2, 1);
  const auto reference = TestFixture::make(contents);
  const auto result = score(this->exec, TestFixture::make(changed), reference);
  for (const double one : result.component_scores) EXPECT_NEAR(one, 1.0, TestFixture::tolerance);
  EXPECT_NEAR(result.score, 1.0, TestFixture::tolerance);
  EXPECT_EQ(result.flipped, (std::vector<bool>{true, true, false}));
  EXPECT_TRUE(result.signs_flipped);

  changed = contents;
  changed.weights[0] *= -1;
  const auto opposite = score(this->exec, TestFixture::make(changed), reference);
  EXPECT_NEAR(opposite.score, 1.0, TestFixture::tolerance);
}

TYPED_TEST(ScoreTest, MultipliesCosinesAndPenalty) {
  // Columns at 60 and 45 degrees, weights 2 and 5.
  const typename TestFixture::Model a(std::vector<std::size_t>{2, 2}, 1);
  const typename TestFixture::Model b(std::vector<std::size_t>{2, 2}, 1);
  using Real = typename TypeParam::Scalar;
  change_on_host(a, [](const auto& host) {
    host.weights()(0) = 2;
    for (int n = 0; n < 2; ++n) host.factor(n)(0, 0) = 1;
  });
  change_on_host(b, [](const auto& host) {
    host.weights()(0) = 5;
    host.factor(0)(0, 0) = Real(0.5);
    host.factor(0)(1, 0) = static_cast<Real>(std::sqrt(0.75));
    host.factor(1)(0, 0) = host.factor(1)(1, 0) = static_cast<Real>(std::sqrt(0.5));
  });
  EXPECT_NEAR(score(this->exec, a, b).score, 0.5 * std::sqrt(0.5) * 0.4, TestFixture::tolerance);
  EXPECT_NEAR(score(this->exec, a, b, {.weight_penalty = false}).score, 0.5 * std::sqrt(0.5),
              TestFixture::tolerance);
}

TYPED_TEST(ScoreTest, ZeroColumnsScoreZeroAndNothingIsChanged) {
  auto contents = random_model({5, 6}, 2, 5);
  for (std::size_t i = 0; i < 5; ++i) contents.factors[0](i, 1) = 0.0;
  const auto model = TestFixture::make(contents);
  const auto result = score(this->exec, model, model);
  EXPECT_NEAR(result.score, 0.5, TestFixture::tolerance);
  EXPECT_EQ(genten_test::plain(model).weights, contents.weights);
  EXPECT_EQ(genten_test::plain(model).factors[1].elements, contents.factors[1].elements);
}

TYPED_TEST(ScoreTest, ColumnsAndWeightsOfAnySizeMatch) {
  using Limits = std::numeric_limits<typename TestFixture::Scalar>;
  const PlainModel plain = random_model({6, 5, 4}, 3, 2);
  for (const int power : {Limits::max_exponent - 20, Limits::min_exponent + 20}) {
    PlainModel scaled = plain;
    for (double& x : scaled.factors[0].elements) x = std::ldexp(x, power);
    for (double& x : scaled.factors[1].elements) x = std::ldexp(x, power);
    for (double& x : scaled.factors[2].elements) x = std::ldexp(x, -power);
    for (double& weight : scaled.weights) weight = std::ldexp(weight, -power);
    const auto result = score(this->exec, TestFixture::make(scaled), TestFixture::make(plain));
    EXPECT_NEAR(result.score, 1.0, 10 * TestFixture::tolerance);
    EXPECT_FALSE(result.signs_flipped);
    for (double& weight : scaled.weights) weight *= 2.0;
    EXPECT_NEAR(score(this->exec, TestFixture::make(scaled), TestFixture::make(plain)).score, 0.5,
                10 * TestFixture::tolerance);
  }
}

TYPED_TEST(ScoreTest, RefusesModelsThatCannotBeMatched) {
  const auto a = TestFixture::ones({3, 4}, {1, 1}), b = TestFixture::ones({3, 4}, {1, 1, 1});
  EXPECT_EQ(error_of([&] { (void)score(this->exec, a, b); }),
            "score: expected a model of at least the reference's 3 components, got 2");
  EXPECT_EQ(error_of([&] {
              (void)score(this->exec, a, TestFixture::ones({3, 5}, {1}));
            }),
            "score: expected dimensions 3 x 5, got 3 x 4");
}

// ---- matching

GainMatrix random_gains(std::size_t rows, std::size_t columns, unsigned seed, unsigned levels) {
  std::mt19937_64 random(seed);
  GainMatrix gains(rows, columns);
  for (double& gain : gains.gains) {
    gain = static_cast<double>(random() % levels) / levels - 0.25;
  }
  return gains;
}

double total(const GainMatrix& gains, const std::vector<std::size_t>& columns) {
  double sum = 0.0;
  for (std::size_t i = 0; i < columns.size(); ++i) sum += gains(i, columns[i]);
  return sum;
}

/// The largest total over all ways to match, by trying them.
double largest_total(const GainMatrix& gains) {
  std::vector<std::size_t> columns(gains.columns);
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  double largest = -1e300;
  do {
    largest = std::max(largest, total(gains, {columns.begin(), columns.begin() + gains.rows}));
  } while (std::next_permutation(columns.begin(), columns.end()));
  return largest;
}

void expect_all_different(std::vector<std::size_t> columns, std::size_t below) {
  std::sort(columns.begin(), columns.end());
  EXPECT_EQ(std::adjacent_find(columns.begin(), columns.end()), columns.end());
  EXPECT_LT(columns.back(), below);
}

TEST(Assignment, FindsTheBestOfAllMatchings) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::size_t rows = 1 + seed % 6, columns = rows + seed % 3;
    // Few levels make ties, which is where such algorithms go wrong.
    const auto gains = random_gains(rows, columns, seed, seed % 2 == 0 ? 4 : 1000);
    const auto matched = best_assignment(gains);
    expect_all_different(matched, columns);
    EXPECT_NEAR(total(gains, matched), largest_total(gains), 1e-12);
    const auto greedy = greedy_assignment(gains);
    expect_all_different(greedy, columns);
    EXPECT_LE(total(gains, greedy), total(gains, matched) + 1e-12);
  }
}

TEST(Assignment, BeatsGreedyWhereGreedyFails) {
  GainMatrix gains(2, 2);
  gains(0, 0) = 1.0;
  gains(0, 1) = gains(1, 0) = 0.9;
  EXPECT_EQ(greedy_assignment(gains), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(best_assignment(gains), (std::vector<std::size_t>{1, 0}));
}

TEST(Assignment, RecoversAPermutationOfAThousand) {
  constexpr std::size_t rank = 1000;
  auto gains = random_gains(rank, rank, 3, 1000);
  std::vector<std::size_t> shuffle(rank);
  std::iota(shuffle.begin(), shuffle.end(), std::size_t{0});
  std::shuffle(shuffle.begin(), shuffle.end(), std::mt19937(4));
  for (std::size_t i = 0; i < rank; ++i) gains(i, shuffle[i]) = 1.0;
  EXPECT_EQ(best_assignment(gains), shuffle);
}

}  // namespace
