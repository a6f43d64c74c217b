// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// A tensor 2^k times as large has the same model, to the bit, with weights 2^k times as large: of
// every solver and loss without numbers of the caller's that would have to change with it.
#include "../cp_als_support.hpp"

#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/dense/row_constraint.hpp>

namespace {

using namespace genten_test::cp;
using genten::CpAprOptions;
using genten::CpCompletionOptions;
using genten_test::PlainTensor;
using genten_test::random_tensor;

PlainTensor times(PlainTensor tensor, int power) {
  for (double& value : tensor.values) value = std::ldexp(value, power);
  return tensor;
}

/// Positive numbers that no model of small rank meets, so that runs go on.
PlainTensor positive() {
  auto tensor = random_tensor({.dimensions = {9, 8, 7}, .nnz = 150, .seed = 3});
  for (double& value : tensor.values) value = 0.125 + std::abs(value);
  return tensor;
}

template <class RealScalar>
class Equivariance : public testing::Test {
 protected:
  using Scalar = RealScalar;
  static constexpr bool is_float = sizeof(Scalar) == 4;

  /// `run` gives a result for a tensor and a seed.
  template <class Run>
  static void expect_same(const PlainTensor& tensor, const Run& run) {
    for (const int power : {20, -7, 31, -60}) {
      for (std::uint64_t seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE("2^" + std::to_string(power) + ", seed " + std::to_string(seed));
        const auto plain = run(make<Scalar>(tensor), seed);
        const auto scaled = run(make<Scalar>(times(tensor, power)), seed);
        EXPECT_EQ(scaled.fit, plain.fit);
        EXPECT_EQ(scaled.iterations, plain.iterations);
        EXPECT_EQ(scaled.residual_norm, std::ldexp(plain.residual_norm, power));
        auto wanted = numbers(plain.model);
        for (std::size_t r = 0; r < plain.model.rank(); ++r) {
          wanted[r] = std::ldexp(wanted[r], power);
        }
        EXPECT_EQ(numbers(scaled.model), wanted);
      }
    }
  }
  static auto als(CpAlsOptions options) {
    options.rank = 4;
    options.max_iterations = 25;
    return [options](const Tensor<Scalar>& tensor, std::uint64_t seed) {
      CpAlsOptions own = options;
      own.seed = seed;
      return cp_als(Exec(), tensor, own);
    };
  }
  static auto completion(CpCompletionOptions options) {
    options.rank = 3;
    options.max_iterations = 25;
    return [options](const Tensor<Scalar>& tensor, std::uint64_t seed) {
      CpCompletionOptions own = options;
      own.seed = seed;
      return cp_completion(Exec(), tensor, own);
    };
  }
  static auto apr(CpAprOptions options) {
    options.rank = 3;
    options.max_iterations = 30;
    return [options](const Tensor<Scalar>& tensor, std::uint64_t seed) {
      CpAprOptions own = options;
      own.seed = seed;
      return cp_apr(Exec(), tensor, own);
    };
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Equivariance, Scalars);

TYPED_TEST(Equivariance, OfLeastSquares) {
  this->expect_same(random_tensor({.dimensions = {9, 8, 7}, .nnz = 150, .seed = 3}), this->als({}));
}

TYPED_TEST(Equivariance, OfNonnegativeFactors) {
  this->expect_same(positive(), this->als({.nonnegative = {.all = true}}));
}

TYPED_TEST(Equivariance, OfSomeNonnegativeFactors) {
  this->expect_same(positive(), this->als({.nonnegative = {.modes = {1}}}));
  this->expect_same(positive(),
                    this->als({.mode_order = {2, 0, 1}, .nonnegative = {.modes = {0}}}));
}

TYPED_TEST(Equivariance, OfAcceleratedSweeps) {
  this->expect_same(positive(), this->als({.acceleration = genten::Acceleration::nesterov}));
  this->expect_same(positive(), this->als({.acceleration = genten::Acceleration::nesterov,
                                           .nonnegative = {.all = true}}));
}

TYPED_TEST(Equivariance, OfABoundedFactorBesideOthers) {
  constexpr double none = genten::RowConstraint::none;
  const auto run = this->als({.lower = {0.0, 0.0, 0.0}, .upper = {1.0, none, none}});
  for (const int power : {20, -7, 31}) {
    const auto plain = run(make<TypeParam>(positive()), 3);
    const auto scaled = run(make<TypeParam>(times(positive(), power)), 3);
    EXPECT_EQ(scaled.fit, plain.fit);
    EXPECT_EQ(scaled.residual_norm, std::ldexp(plain.residual_norm, power));
    EXPECT_EQ(scaled.model.factor(0)(2, 1), plain.model.factor(0)(2, 1));
  }
}

TYPED_TEST(Equivariance, OfMissingEntries) {
  this->expect_same(positive(), this->completion({}));
  this->expect_same(positive(), this->completion({.nonnegative = {.all = true}}));
  this->expect_same(positive(), this->completion({.ridge = {0.0}}));
}

TYPED_TEST(Equivariance, OfADefaultRidge) {
  const auto run = this->completion({});
  const auto plain = run(make<TypeParam>(positive()), 1);
  const auto scaled = run(make<TypeParam>(times(positive(), 20)), 1);
  ASSERT_EQ(plain.ridge.size(), 3U);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(plain.ridge[n], plain.ridge[0]);
    const double expected = plain.ridge[n] * std::exp2(20 * 2 - 20 * 2 / 3.0);
    EXPECT_NEAR(scaled.ridge[n], expected, 1e-12 * expected);
  }
  EXPECT_EQ(scaled.objective, std::ldexp(plain.objective, 40));
}

// Where the objective, a square, is 0 or infinite.
TEST(Completion, FollowsScaleWhereTheRidgeFalls) {
  const auto model = genten_test::random_model({9, 8, 7}, 2, 5);
  PlainTensor part{{9, 8, 7}, {}, {}};
  genten_test::for_each_element(part.dimensions, [&](const std::vector<std::size_t>& at) {
    if ((at[0] * 31 + at[1] * 17 + at[2] * 7) % 5 > 2) return;
    const double noise = static_cast<double>((at[0] * 7 + at[1] * 3 + at[2]) % 11) - 5.0;
    part.subscripts.push_back(at);
    part.values.push_back(genten_test::entry_reference(model, at) + 1e-3 * noise);
  });
  const auto run = [&](int power, std::size_t starts) {
    const CpCompletionOptions options{.rank = 2, .max_iterations = 200, .starts = starts};
    return cp_completion(Exec(), make<double>(times(part, power)), options);
  };
  for (const std::size_t starts : {1U, 3U}) {
    const auto plain = run(0, starts);
    const double all = 9.0 * 8.0 * 7.0;
    EXPECT_LT(plain.ridge[0],
              0.9 * genten::first_completion_ridge(plain.tensor_norm, plain.entries, all, 3));
    for (const int power : {560, -560}) {
      const auto scaled = run(power, starts);
      EXPECT_EQ(scaled.objective, power > 0 ? std::numeric_limits<double>::infinity() : 0.0);
      EXPECT_EQ(scaled.iterations, plain.iterations);
      EXPECT_EQ(scaled.stop_reason, plain.stop_reason);
      EXPECT_EQ(scaled.best_start, plain.best_start);
      auto wanted = numbers(plain.model);
      for (std::size_t r = 0; r < 2; ++r) wanted[r] = std::ldexp(wanted[r], power);
      EXPECT_EQ(numbers(scaled.model), wanted);
    }
  }
}

TYPED_TEST(Equivariance, OfCounts) {
  auto counts = positive();
  for (double& value : counts.values) value = std::ceil(9.0 * value);
  for (const auto steps : {genten::CountSteps::newton, genten::CountSteps::multiplicative}) {
    this->expect_same(counts, this->apr({.steps = steps}));
  }
  const auto run = this->apr({});
  const double plain = run(make<TypeParam>(counts), 2).deviance;
  EXPECT_EQ(run(make<TypeParam>(times(counts, 20)), 2).deviance, std::ldexp(plain, 20));
}

TYPED_TEST(Equivariance, OfTheBestOfSeveralStarts) {
  auto several = this->als({.starts = 5, .nonnegative = {.all = true}});
  EXPECT_EQ(several(make<TypeParam>(positive()), 7).best_start,
            several(make<TypeParam>(times(positive(), 20)), 7).best_start);
}

/// A count that is large beside the rounding of the sums over all.
TEST(Counts, DevianceOfLargeOnesIsThatOfTheModel) {
  PlainTensor counts{{3, 4, 2}, {}, {}};
  genten_test::for_each_element(counts.dimensions, [&](const std::vector<std::size_t>& at) {
    counts.subscripts.push_back(at);
    counts.values.push_back(1e17 * static_cast<double>((1 + at[0]) * (2 + at[1]) * (1 + at[2])));
  });
  const auto tensor = make<double>(counts);
  for (const auto steps : {genten::CountSteps::newton, genten::CountSteps::multiplicative}) {
    CpAprOptions options{.rank = 1, .max_iterations = 200};
    options.steps = steps;
    const auto result = cp_apr(Exec(), tensor, options);
    const double found = evaluate(Exec(), tensor, result.model).all.deviance;
    // Of sums of 1e19 rounding leaves some thousands; of deviations of 1e-16 this.
    EXPECT_LT(result.deviance, 1.0);
    EXPECT_NEAR(result.deviance, found, 1.0);
  }
}

TEST(Completion, WithoutAnIterationTheGuessIsMeasured) {
  const auto plain = positive();
  const auto tensor = make<double>(plain);
  const auto guess = genten_test::random_model({9, 8, 7}, 3, 2);
  const auto model = genten_test::to_ktensor<double, Exec>(guess);
  CpCompletionOptions options{.max_iterations = 0, .ridge = {0.0}};
  const auto listed = cp_completion(Exec(), tensor, model, options);
  const auto errors = evaluate(Exec(), sum_duplicates(Exec(), tensor).tensor, model);
  EXPECT_NEAR(listed.residual_norm, errors.listed.residual_norm, 1e-11 * listed.residual_norm);
  EXPECT_NEAR(listed.fit, 1.0 - errors.listed.residual_norm / listed.tensor_norm, 1e-11);
  EXPECT_EQ(listed.objective, 0.5 * listed.residual_norm * listed.residual_norm);
  // No entry is missing.
  const auto none = make<double>(PlainTensor{{9, 8, 7}, {}, {}});
  const auto all = cp_completion(Exec(), tensor, none, model, options);
  EXPECT_NEAR(all.residual_norm, errors.all.residual_norm, 1e-9 * all.residual_norm);
  EXPECT_NEAR(all.fit, errors.fit, 1e-9);
  const auto several = cp_completion(Exec(), tensor, {.rank = 2, .max_iterations = 0, .starts = 3});
  EXPECT_TRUE(std::isfinite(several.fit));
  for (const auto& start : several.starts) EXPECT_LE(several.objective, start.objective);
}

}  // namespace
