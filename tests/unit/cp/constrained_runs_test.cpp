// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Options, guesses, starts and checkpoints of CP-ALS under constraints.
#include "cp_als_support.hpp"

#include <genten/cp/row_constraints.hpp>
#include <genten/io/checkpoint.hpp>

#include <gmock/gmock.h>

namespace {

using namespace genten_test::cp;
using genten::RowConstraint;
using genten_test::error_of;
using genten_test::plain;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;
using testing::HasSubstr;

constexpr double none = RowConstraint::none;

class ConstrainedRuns : public CpAlsTest {
 protected:
  using Saved = genten::Checkpoint<Model<double>>;

  static PlainModel nonnegative_model(std::size_t rank) {
    PlainModel model = random_model({20, 15, 10}, rank, 8);
    for (double& weight : model.weights) weight = std::abs(weight);
    for (auto& factor : model.factors) {
      for (double& x : factor.elements) x = std::abs(x);
    }
    return model;
  }
  static Model<double> as_guess(const PlainModel& model) {
    return genten_test::to_ktensor<double, Exec>(model);
  }
  std::string refusal(const CpAlsOptions& options) const {
    return error_of([&] { static_cast<void>(cp_als(exec, tensor, options)); });
  }
};

TEST_F(ConstrainedRuns, ConstraintsOfModesFollowFromTheOptions) {
  CpAlsOptions options;
  EXPECT_FALSE(any_constraint(row_constraints(options, 3)));
  options.ridge = {0.0};
  EXPECT_FALSE(any_constraint(row_constraints(options, 3)));
  options.ridge = {2.0};
  options.l1 = {0.0, 1.0, 0.0};
  options.nonnegative.modes = {2};
  options.lower = {-1.0};
  options.upper = {none, 5.0, none};
  const auto constraints = row_constraints(options, 3);
  EXPECT_EQ(constraints[0], (RowConstraint{.ridge = 2.0, .lower = -1.0}));
  EXPECT_EQ(constraints[1], (RowConstraint{.ridge = 2.0, .l1 = 1.0, .lower = -1.0, .upper = 5.0}));
  EXPECT_EQ(constraints[2], (RowConstraint{.ridge = 2.0, .lower = 0.0}));
  EXPECT_TRUE(any_constraint(constraints));
  EXPECT_FALSE(allow_scaling(constraints));
  options = {};
  options.nonnegative.all = true;
  EXPECT_TRUE(allow_scaling(row_constraints(options, 3)));
}

TEST_F(ConstrainedRuns, ConstraintsThatCannotBeAreRefused) {
  CpAlsOptions options;
  options.ridge = {1.0, 2.0};
  EXPECT_THAT(refusal(options), HasSubstr("option ridge: expected one number for all modes or 3"));
  options = {};
  options.ridge = {-1.0};
  EXPECT_THAT(refusal(options), HasSubstr("option ridge: expected a number of at least 0"));
  options = {};
  options.nonnegative.modes = {3};
  EXPECT_THAT(refusal(options), HasSubstr("option nonnegative"));
  options.nonnegative.modes = {1, 1};
  EXPECT_THAT(refusal(options), HasSubstr("is named twice"));
  options = {};
  options.lower = {1.0};
  options.upper = {2.0, 0.5, 2.0};
  EXPECT_THAT(refusal(options), HasSubstr("no number is from 1 to 0.5, as mode 2 "));
  options = {};
  options.nonnegative.all = true;
  options.upper = {-1.0};
  EXPECT_THAT(refusal(options), HasSubstr("no number is from 0 to -1"));
  options = {};
  options.lower = {none};
  EXPECT_NE(refusal(options), "");
  options.lower = {std::numeric_limits<double>::quiet_NaN()};
  EXPECT_NE(refusal(options), "");
}

TEST_F(ConstrainedRuns, BoundsWithoutZeroNeedNonzerosInAllRows) {
  PlainTensor sparse = plain_tensor;
  sparse.dimensions[1] += 2;
  CpAlsOptions options{.rank = 2, .max_iterations = 3};
  options.lower = {-none, 0.1, -none};
  EXPECT_THAT(error_of([&] { static_cast<void>(cp_als(exec, make(sparse), options)); }),
              HasSubstr("rows without nonzeros are 0, which is outside the bounds; mode 2"));
  const auto result = cp_als(exec, tensor, options);
  for (const double x : plain(result.model.factor(1)).elements) EXPECT_GE(x, 0.1);
  // Zero is all right for them.
  options.lower = {0.0};
  const auto with_empty = cp_als(exec, make(sparse), options);
  EXPECT_EQ(plain(with_empty.model.factor(1))(16, 0), 0.0);
}

TEST_F(ConstrainedRuns, BoundsThatSinglePrecisionLacksAreRefused) {
  const auto single = genten_test::to_sptensor<float, std::uint32_t, Exec>(plain_tensor);
  const auto refused = [&](double lower, double upper) {
    CpAlsOptions options{.rank = 2, .max_iterations = 3};
    options.lower = {lower};
    options.upper = {upper};
    return error_of([&] { static_cast<void>(cp_als(exec, single, options)); });
  };
  EXPECT_EQ(refused(0.0, 1e-30), "");
  EXPECT_THAT(refused(0.0, 1e-60), HasSubstr("1e-60 is 0 in single precision"));
  EXPECT_THAT(refused(-1e60, 1.0), HasSubstr("-1e+60 is infinite in single precision"));
}

TEST_F(ConstrainedRuns, GuessesOutsideTheBoundsAreRefused) {
  CpAlsOptions options{.max_iterations = 3};
  options.nonnegative.all = true;
  const auto refused = [&](const PlainModel& guess) {
    return error_of([&] { static_cast<void>(cp_als(exec, tensor, as_guess(guess), options)); });
  };
  PlainModel guess = nonnegative_model(3);
  EXPECT_EQ(refused(guess), "");
  guess.factors[1](4, 2) = -0.5;
  guess.factors[1](5, 2) = -0.5;
  EXPECT_THAT(refused(guess), HasSubstr("expected an initial guess within the bounds, got 2 "
                                        "elements outside them in the factor of mode 2"));
  guess = nonnegative_model(3);
  guess.weights[0] = -1.0;  // a column of the last factor
  EXPECT_THAT(refused(guess), HasSubstr("10 elements outside them in the factor of mode 3"));
  // Modes that are free may have what they like.
  options.nonnegative = {.modes = {0, 1}};
  EXPECT_EQ(refused(guess), "");
  options.upper = {0.5};
  EXPECT_THAT(refused(nonnegative_model(3)), HasSubstr("outside them in the factor of mode 1"));
}

// Where lengths of columns count, weights go to the modes in equal parts.
TEST_F(ConstrainedRuns, WeightsOfAGuessAreSharedAmongTheModes) {
  PlainModel guess = nonnegative_model(2);
  guess.weights = {8.0, 27.0};
  CpAlsOptions options{.max_iterations = 0};
  options.ridge = {2.0};
  const auto result = cp_als(exec, tensor, as_guess(guess), options);
  double penalty = 0.0;
  for (const auto& factor : guess.factors) {
    for (std::size_t i = 0; i < factor.rows; ++i) {
      penalty += 4.0 * factor(i, 0) * factor(i, 0) + 9.0 * factor(i, 1) * factor(i, 1);
    }
  }
  EXPECT_NEAR(result.penalty, penalty, 1e-12 * penalty);
  const double residual = genten_test::residual_reference(plain_tensor, guess);
  EXPECT_NEAR(result.objective, 0.5 * residual * residual + penalty, 1e-11 * result.objective);
  EXPECT_NEAR(genten_test::residual_reference(plain_tensor, plain(result.model)), residual, 1e-10);
}

// What a bounded run returns is as it counts, so that another can go on from it.
TEST_F(ConstrainedRuns, AModelIsAGuessFromWhichTheObjectiveFalls) {
  for (const bool bounded : {true, false}) {
    CpAlsOptions options{.rank = 3, .max_iterations = 6, .tolerance = 0.0};
    options.ridge = {0.2};
    options.l1 = {0.1};
    if (bounded) options.upper = {1.5};
    const auto first = cp_als(exec, tensor, options);
    const auto second = cp_als(exec, tensor, first.model, options);
    EXPECT_LE(second.history.front().objective, first.objective * (bounded ? 1.0 : 1.01));
    EXPECT_LT(second.objective, first.objective);
  }
}

TEST_F(ConstrainedRuns, RandomStartsAreWithinTheBounds) {
  for (const auto kind : {genten::FactorKind::uniform, genten::FactorKind::normal}) {
    for (const auto& [lower, upper] :
         {std::pair{0.0, none}, {2.0, none}, {-none, -3.0}, {0.25, 0.5}, {-0.5, 4.0}}) {
      CpAlsOptions options{.rank = 2, .max_iterations = 0, .init = kind};
      options.lower = {lower};
      options.upper = {upper};
      const auto model = cp_als(exec, tensor, options).model;
      for (const auto& factor : model.factors()) {
        const auto elements = plain(factor).elements;
        for (const double x : elements) EXPECT_TRUE(x >= lower && x <= upper) << x;
        EXPECT_NE(elements.front(), elements.back());
      }
    }
  }
}

TEST_F(ConstrainedRuns, FixedModesStayAndCostNothing) {
  const PlainModel guess = [] {
    PlainModel model = nonnegative_model(3);
    std::fill(model.weights.begin(), model.weights.end(), 1.0);
    return model;
  }();
  CpAlsOptions options{.max_iterations = 4, .tolerance = 0.0, .fixed_modes = {1}};
  options.ridge = {0.5};
  options.upper = {10.0};
  const auto result = cp_als(exec, tensor, as_guess(guess), options);
  // Components may have changed places.
  const auto found = plain(result.model.factor(1)).elements;
  auto sorted = found, expected = guess.factors[1].elements;
  std::sort(sorted.begin(), sorted.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(sorted, expected);
  double penalty = 0.0;
  for (const int mode : {0, 2}) {
    for (const double x : plain(result.model.factor(mode)).elements) penalty += 0.25 * x * x;
  }
  EXPECT_NEAR(result.penalty, penalty, 1e-12 * penalty);
}

TEST_F(ConstrainedRuns, OptionsThatConstrainNothingChangeNoBit) {
  const CpAlsOptions options{.rank = 4, .max_iterations = 8};
  CpAlsOptions idle = options;
  idle.ridge = {0.0};
  idle.lower = {-none};
  const auto expected = cp_als(exec, tensor, options), result = cp_als(exec, tensor, idle);
  EXPECT_EQ(numbers(result.model), numbers(expected.model));
  EXPECT_EQ(result.stop_reason, expected.stop_reason);
  EXPECT_EQ(result.penalty, 0.0);
  EXPECT_EQ(result.objective, 0.5 * result.residual_norm * result.residual_norm);
}

TEST_F(ConstrainedRuns, TheStartWithTheBestObjectiveIsKept) {
  CpAlsOptions options{.rank = 5, .max_iterations = 10, .tolerance = 0.0, .starts = 6};
  options.l1 = {0.5};
  const auto result = cp_als(exec, tensor, options);
  ASSERT_EQ(result.starts.size(), 6u);
  double least = none;
  for (const auto& start : result.starts) least = std::min(least, start.objective);
  EXPECT_EQ(result.starts[result.best_start].objective, least);
  EXPECT_EQ(result.objective, least);
}

TEST_F(ConstrainedRuns, TheToleranceIsOfTheObjective) {
  CpAlsOptions options{.rank = 3, .max_iterations = 1000, .tolerance = 1e-4};
  options.nonnegative.all = true;
  const auto result = cp_als(exec, tensor, options);
  ASSERT_EQ(result.stop_reason, StopReason::converged);
  const auto& history = result.history;
  ASSERT_GT(history.size(), 2u);
  for (std::size_t k = 1; k < history.size(); ++k) {
    const double change = std::abs(history[k].objective - history[k - 1].objective);
    EXPECT_EQ(change < 1e-4 * history[k].objective, k + 1 == history.size()) << k;
  }
}

// A penalty that no component is worth leaves none.
TEST_F(ConstrainedRuns, ZeroComponentsAreCounted) {
  CpAlsOptions options{.rank = 3, .max_iterations = 10};
  options.l1 = {1e6};
  const auto result = cp_als(exec, tensor, options);
  EXPECT_EQ(result.zero_components, 3u);
  EXPECT_EQ(result.fit, 0.0);
  options = {.rank = 3, .max_iterations = 10};
  options.nonnegative.all = true;
  EXPECT_EQ(cp_als(exec, tensor, options).zero_components, 0u);
}

TEST_F(ConstrainedRuns, EveryIterationOfEveryStartLeadsToTheSameEnd) {
  std::vector<CpAlsOptions> runs(2);
  runs[0].nonnegative.all = true;
  runs[1].ridge = {0.1, 0.2, 0.3};
  runs[1].upper = {none, 1.0, none};
  for (CpAlsOptions options : runs) {
    options.rank = 4;
    options.max_iterations = 6;
    options.starts = 3;
    options.tolerance = 1e-3;
    std::vector<Saved> saved;
    const auto expected = cp_als(exec, tensor, options, [&](const Iteration& iteration) {
      saved.push_back(iteration.checkpoint());
      return ObserverAction::proceed;
    });
    ASSERT_GT(saved.size(), 8u);
    for (const auto& checkpoint : saved) {
      const auto found = cp_als(exec, tensor, checkpoint, checkpoint_options(checkpoint));
      EXPECT_EQ(numbers(found.model), numbers(expected.model));
      EXPECT_EQ(found.objective, expected.objective);
      EXPECT_EQ(found.penalty, expected.penalty);
      EXPECT_EQ(found.best_start, expected.best_start);
      EXPECT_EQ(found.zero_components, expected.zero_components);
      ASSERT_EQ(found.history.size(), expected.history.size());
      for (std::size_t k = 0; k < found.history.size(); ++k) {
        EXPECT_EQ(found.history[k].objective, expected.history[k].objective);
      }
      for (std::size_t s = 0; s < 3; ++s) {
        EXPECT_EQ(found.starts[s].objective, expected.starts[s].objective);
      }
    }
    CpAlsOptions other = checkpoint_options(saved.front());
    other.ridge = {9.0};
    other.nonnegative = {};
    EXPECT_THAT(error_of([&] { static_cast<void>(cp_als(exec, tensor, saved.front(), other)); }),
                HasSubstr("ridge"));
  }
}

}  // namespace
