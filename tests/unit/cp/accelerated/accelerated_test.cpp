// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Accelerated CP-ALS: fewer sweeps, and never a worse model.
#include "accelerated_support.hpp"

#include "thread_counts.hpp"

namespace {

using namespace genten_test::cp;
using genten_test::PlainTensor;
using genten_test::random_tensor;

template <class RealScalar>
class Accelerated : public testing::Test {
 protected:
  using Scalar = RealScalar;
  using Result = genten::CpAlsResult<Scalar, Exec>;

  const Exec exec{};
  const PlainTensor plain_swamp = collinear_tensor({20, 20, 20}, 3, 0.9, 0.01, 1);
  const Tensor<Scalar> swamp = make<Scalar>(plain_swamp);
  /// Nothing but noise: many sweeps make the model worse.
  const PlainTensor plain_noise =
      random_tensor({.dimensions = {20, 15, 10}, .nnz = 700, .seed = 3, .empty_slices = true});
  const Tensor<Scalar> noise = make<Scalar>(plain_noise);
  /// How far a fit may be from what it is.
  static constexpr double rounding = sizeof(Scalar) == 4 ? 1e-5 : 1e-11;

  static CpAlsOptions options(std::size_t iterations, Acceleration acceleration) {
    return {
        .rank = 3, .max_iterations = iterations, .tolerance = 0.0, .acceleration = acceleration};
  }
  /// What is minimized is never larger than it was by more than `part` of the tensor's norm,
  /// squared.
  static void expect_monotone(const Result& result, double part) {
    double least = std::numeric_limits<double>::infinity(), fit = 0.0;
    for (const auto& record : result.history) {
      EXPECT_LE(record.objective, least + part * result.tensor_norm * result.tensor_norm);
      EXPECT_EQ(record.fit_change, record.fit - fit);
      least = std::min(least, record.objective);
      fit = record.fit;
    }
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Accelerated, Scalars);

TYPED_TEST(Accelerated, LeavesASwampInHalfOfTheSweepsAtMost) {
  for (std::size_t seed = 1; seed <= 5; ++seed) {
    auto options = this->options(400, Acceleration::none);
    options.seed = seed;
    const auto plain = cp_als(this->exec, this->swamp, options);
    options.acceleration = Acceleration::nesterov;
    const auto found = cp_als(this->exec, this->swamp, options);
    const double goal = plain.history.back().fit - 1e-5;
    EXPECT_LE(2 * iterations_to(found, goal), iterations_to(plain, goal)) << seed;
    EXPECT_GE(found.fit, plain.fit - this->rounding);
    EXPECT_NEAR(found.fit,
                genten_test::fit_reference(this->plain_swamp, genten_test::plain(found.model)),
                10.0 * this->rounding);
    EXPECT_GT(found.seconds("extrapolate"), 0.0);
    EXPECT_EQ(plain.seconds("extrapolate"), 0.0);
    EXPECT_EQ(plain.momentum_restarts, 0u);
  }
}

TYPED_TEST(Accelerated, TheModelNeverGetsWorse) {
  for (const std::size_t rank : {1, 4, 25}) {  // the last is rank-deficient
    auto options = this->options(150, Acceleration::nesterov);
    options.rank = rank;
    const auto result = cp_als(this->exec, this->noise, options);
    // Pseudoinverses in float make sweeps worse that have no momentum and so stay.
    this->expect_monotone(result, rank == 25 ? 10.0 * this->rounding : this->rounding);
    EXPECT_EQ(result.iterations, 150u);
    EXPECT_NEAR(result.fit,
                genten_test::fit_reference(this->plain_noise, genten_test::plain(result.model)),
                10.0 * this->rounding);
    if (rank == 4) {
      EXPECT_GT(result.momentum_restarts, 0u);
    }
    std::size_t taken_back = 0;
    for (const auto& record : result.history) taken_back += record.fit_change == 0.0 ? 1 : 0;
    EXPECT_GE(taken_back, result.momentum_restarts);
  }
}

TYPED_TEST(Accelerated, TheFirstTwoSweepsAreThoseOfPlainALS) {
  for (const std::size_t iterations : {1, 2, 3}) {
    const auto with = [&](Acceleration acceleration) {
      return numbers(
          cp_als(this->exec, this->noise, this->options(iterations, acceleration)).model);
    };
    EXPECT_EQ(with(Acceleration::none) == with(Acceleration::nesterov), iterations < 3);
  }
}

TYPED_TEST(Accelerated, TheModelIsThatOfEveryIteration) {
  std::size_t calls = 0, restarts = 0;
  auto options = this->options(60, Acceleration::nesterov);
  options.rank = 4;
  options.mode_order = {2, 0, 1};
  (void)cp_als(
      this->exec, this->noise, options, [&](const genten::KtensorIteration<TypeParam, Exec>& seen) {
        ++calls;
        restarts += seen.record.fit_change == 0.0 ? 1 : 0;
        EXPECT_NEAR(genten_test::fit_reference(this->plain_noise, genten_test::plain(seen.model())),
                    seen.record.fit, this->rounding)
            << calls;
        return ObserverAction::proceed;
      });
  EXPECT_EQ(calls, 60u);
  EXPECT_GT(restarts, 0u);
}

TYPED_TEST(Accelerated, FixedModesStay) {
  const auto plain_guess = genten_test::random_model({20, 15, 10}, 4, 8);
  const auto guess = genten_test::to_ktensor<TypeParam, Exec>(plain_guess);
  for (const std::vector<int>& fixed : {std::vector<int>{0}, {2}, {0, 1}, {0, 1, 2}}) {
    auto options = this->options(40, Acceleration::nesterov);
    options.fixed_modes = fixed;
    const auto result = cp_als(this->exec, this->noise, guess, options);
    this->expect_monotone(result, this->rounding);
    options.acceleration = Acceleration::none;
    const auto plain = cp_als(this->exec, this->noise, guess, options);
    EXPECT_NEAR(result.fit,
                genten_test::fit_reference(this->plain_noise, genten_test::plain(result.model)),
                10.0 * this->rounding);
    // With one mode free the first sweep is the last.
    if (fixed.size() > 1) {
      EXPECT_NEAR(result.fit, plain.fit, this->rounding);
    }
  }
}

TYPED_TEST(Accelerated, TensorsOfAnyScale) {
  const auto options = this->options(40, Acceleration::nesterov);
  const auto expected = cp_als(this->exec, this->swamp, options);
  PlainTensor tiny = this->plain_swamp;
  for (double& value : tiny.values) value *= sizeof(TypeParam) == 4 ? 0x1p-100 : 0x1p-800;
  const auto found = cp_als(this->exec, make<TypeParam>(tiny), options);
  ASSERT_EQ(found.history.size(), expected.history.size());
  for (std::size_t k = 0; k < found.history.size(); ++k) {
    EXPECT_NEAR(found.history[k].fit, expected.history[k].fit, this->rounding);
  }
  const PlainTensor zeros = {.dimensions = {4, 3, 2}, .subscripts = {}, .values = {}};
  EXPECT_EQ(cp_als(this->exec, make<TypeParam>(zeros), options).fit, 1.0);
}

TYPED_TEST(Accelerated, TheToleranceIsOfSeveralSweepsTogether) {
  auto options = this->options(1000, Acceleration::nesterov);
  options.tolerance = 1e-6;
  const auto result = cp_als(this->exec, this->swamp, options);
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  const std::size_t done = result.history.size(), window = genten::acceleration_window;
  ASSERT_GT(done, window + 1);
  const auto change = [&](std::size_t last) {
    return std::abs(result.history[last].fit - result.history[last - window].fit);
  };
  EXPECT_LT(change(done - 1), options.tolerance);
  for (std::size_t k = window; k + 1 < done; ++k) EXPECT_GE(change(k), options.tolerance);
}

TEST(AcceleratedBits, SameForOneTwoAndThreeThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    genten_test::BitHash hash;
    const auto add = [&hash](const auto& result) {
      for (const auto x : numbers(result.model)) hash.add(x);
      for (const auto& record : result.history) hash.add(record.fit);
    };
    const auto random =
        random_tensor({.dimensions = {2000, 900, 6}, .nnz = 40'000, .heavy_slice = true});
    CpAlsOptions options{.rank = 9, .max_iterations = 8, .tolerance = 0.0};
    options.acceleration = Acceleration::nesterov;
    add(cp_als(Exec(), make<double>(random), options));
    add(cp_als(Exec(), make<float>(random), options));
    options.nonnegative.all = true;
    add(cp_als(Exec(), make<double>(random), options));
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
