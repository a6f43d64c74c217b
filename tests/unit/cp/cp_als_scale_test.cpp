// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// CP-ALS of tensors whose values are as large or small as their type allows.
#include "cp_als_support.hpp"

#include <genten/cp/residual.hpp>
#include <genten/mttkrp/kernel_list.hpp>

#include <gmock/gmock.h>

namespace {

using namespace genten_test::cp;
using genten_test::error_of;
using genten_test::fit_reference;
using genten_test::plain;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::random_model;
using genten_test::random_tensor;
using testing::HasSubstr;

template <class RealScalar>
class CpAlsScaleTest : public testing::Test {
 protected:
  using Scalar = RealScalar;
  static constexpr bool is_float = sizeof(Scalar) == 4;
  static constexpr int quantum = is_float ? 48 : 256;

  /// Decimal exponents of values, from below to above what squares allow.
  static std::vector<int> decimal_exponents() {
    return is_float ? std::vector<int>{-40, -37, -30, -25, -20, -10, 10, 19, 25, 30, 37}
                    : std::vector<int>{-310, -300, -230, -160, -154, -100, 100, 154, 200, 305};
  }
  static PlainTensor times(PlainTensor tensor, double factor) {
    for (double& value : tensor.values) value *= factor;
    return tensor;
  }
  /// The model divided by a number, as the reference likes its numbers.
  static PlainModel over(const Model<Scalar>& model, double factor) {
    PlainModel result = plain(model);
    for (double& weight : result.weights) weight /= factor;
    return result;
  }

  const Exec exec{};
  const PlainTensor tensor = random_tensor({.dimensions = {9, 8, 7}, .nnz = 150, .seed = 3});
  const CpAlsOptions options{.rank = 4, .max_iterations = 12, .tolerance = 0.0, .seed = 5};
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CpAlsScaleTest, Scalars);

TYPED_TEST(CpAlsScaleTest, EverySizeOfValuesWorks) {
  const auto plain_result = cp_als(this->exec, make<TypeParam>(this->tensor), this->options);
  for (const int decimal : this->decimal_exponents()) {
    SCOPED_TRACE(decimal);
    const double size = std::pow(10.0, decimal);
    const auto result =
        cp_als(this->exec, make<TypeParam>(this->times(this->tensor, size)), this->options);
    EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
    EXPECT_TRUE(all_finite(result.model));
    // Weights after the first sweep depend on the size: another path to about the same place.
    EXPECT_NEAR(result.fit, plain_result.fit, 0.02);
    const double precision = this->is_float ? 1e-5 : 1e-11;
    EXPECT_NEAR(result.fit, fit_reference(this->tensor, this->over(result.model, size)),
                decimal <= -40 || decimal <= -310 ? 1e-3 : precision);
    EXPECT_NEAR(result.tensor_norm / size, plain_result.tensor_norm, 1e-4);
    EXPECT_NEAR(result.residual_norm / size / plain_result.residual_norm, 1.0, 0.05);
    EXPECT_NEAR(result.history.back().residual_norm, result.residual_norm,
                1e-4 * result.residual_norm);
  }
}

TYPED_TEST(CpAlsScaleTest, PowersOfTwoOfTheScaleChangeNothingButTheWeights) {
  const auto expected = cp_als(this->exec, make<TypeParam>(this->tensor), this->options);
  for (const auto& kernel : genten::kernel_names<Exec>()) {
    for (const int quanta :
         this->is_float ? std::vector<int>{-2, -1, 1, 2} : std::vector<int>{-3, -2, -1, 1, 2, 3}) {
      SCOPED_TRACE(kernel + ", " + std::to_string(quanta));
      CpAlsOptions with_kernel = this->options;
      with_kernel.mttkrp.kernel = kernel;
      const auto unscaled = cp_als(this->exec, make<TypeParam>(this->tensor), with_kernel);
      const int power = quanta * this->quantum;
      const auto scaled = make<TypeParam>(this->times(this->tensor, std::ldexp(1.0, power)));
      std::vector<TypeParam> seen;
      const auto result = cp_als(this->exec, scaled, with_kernel,
                                 [&](const genten::KtensorIteration<TypeParam, Exec>& iteration) {
                                   seen = numbers(iteration.model());
                                   return ObserverAction::proceed;
                                 });
      auto wanted = numbers(unscaled.model);
      for (std::size_t r = 0; r < 4; ++r) wanted[r] = std::ldexp(wanted[r], power);
      if (kernel == "sorted") {  // others may add in any order
        EXPECT_EQ(numbers(result.model), wanted);
        EXPECT_EQ(result.fit, unscaled.fit);
        EXPECT_EQ(result.residual_norm, std::ldexp(unscaled.residual_norm, power));
        for (std::size_t k = 0; k < result.history.size(); ++k) {
          EXPECT_EQ(result.history[k].fit, unscaled.history[k].fit);
          EXPECT_EQ(result.history[k].residual_norm,
                    std::ldexp(unscaled.history[k].residual_norm, power));
        }
      }
      EXPECT_EQ(seen, numbers(result.model));
      EXPECT_NEAR(result.fit, expected.fit, 1e-4);
      EXPECT_EQ(result.tensor_norm, std::ldexp(unscaled.tensor_norm, power));
    }
  }
}

TYPED_TEST(CpAlsScaleTest, GuessesAreScaledWithTheTensor) {
  const auto guess = random_model({9, 8, 7}, 4, 8);
  CpAlsOptions changed = this->options;
  const auto of = [&](int tensor_power, int guess_power) {
    PlainModel scaled = guess;
    for (double& weight : scaled.weights) weight *= std::ldexp(1.0, guess_power);
    return cp_als(this->exec,
                  make<TypeParam>(this->times(this->tensor, std::ldexp(1.0, tensor_power))),
                  genten_test::to_ktensor<TypeParam, Exec>(scaled), changed);
  };
  const auto expected = of(0, 0);
  const int power = 2 * this->quantum;
  for (const auto& [tensor_power, guess_power] : std::vector<std::pair<int, int>>{
           {power, power}, {-power, -power}, {power, 0}, {0, -power}}) {
    SCOPED_TRACE(std::to_string(tensor_power) + ", " + std::to_string(guess_power));
    const auto result = of(tensor_power, guess_power);
    auto wanted = numbers(expected.model);
    for (std::size_t r = 0; r < 4; ++r) wanted[r] = std::ldexp(wanted[r], tensor_power);
    EXPECT_EQ(numbers(result.model), wanted);
  }
  // Without iterations the guess is evaluated as it is.
  changed.max_iterations = 0;
  const auto unchanged = of(0, power);
  EXPECT_NEAR(unchanged.residual_norm / std::ldexp(norm_reference(guess), power), 1.0, 1e-5);
  EXPECT_NEAR(unchanged.model.weights()(0) / std::ldexp(of(0, 0).model.weights()(0), power), 1.0,
              1e-5);
  const auto huge = of(-power, 0);
  EXPECT_NEAR(huge.fit / (-norm_reference(guess) / huge.tensor_norm), 1.0, 1e-5);
}

TYPED_TEST(CpAlsScaleTest, GuessesOfAnySizeOfColumnsWork) {
  // Squares of the columns of the first two modes overflow and underflow, products of three do.
  auto guess = random_model({9, 8, 7}, 4, 8);
  const auto expected = cp_als(this->exec, make<TypeParam>(this->tensor),
                               genten_test::to_ktensor<TypeParam, Exec>(guess), this->options);
  const int power = this->is_float ? 120 : 1000;
  for (std::size_t i = 0; i < 9; ++i) guess.factors[0](i, 1) *= std::ldexp(1.0, power);
  for (std::size_t i = 0; i < 8; ++i) guess.factors[1](i, 1) *= std::ldexp(1.0, -power);
  for (std::size_t i = 0; i < 7; ++i) guess.factors[2](i, 2) *= std::ldexp(1.0, -power);
  guess.weights[3] *= std::ldexp(1.0, power);
  const auto result = cp_als(this->exec, make<TypeParam>(this->tensor),
                             genten_test::to_ktensor<TypeParam, Exec>(guess), this->options);
  EXPECT_EQ(result.stop_reason, StopReason::iteration_limit);
  EXPECT_NEAR(result.fit, expected.fit, this->is_float ? 1e-5 : 1e-12);
}

TYPED_TEST(CpAlsScaleTest, WeightsThatTheTypeDoesNotHaveAreNamed) {
  // Many entries as large as the type has: their norm is larger.
  PlainTensor huge{{40, 30, 2}, {}, {}};
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      huge.subscripts.push_back({i, j, 1});
      huge.values.push_back(std::numeric_limits<TypeParam>::max());
    }
  }
  const std::string message =
      error_of([&] { (void)cp_als(this->exec, make<TypeParam>(huge), CpAlsOptions{.rank = 1}); });
  if (this->is_float) {
    EXPECT_THAT(message,
                HasSubstr("the weight of component 1, 1.179e+40, is not representable in float"));
  } else {
    EXPECT_THAT(message, HasSubstr("the norm of the tensor, 6.227e+309, is not representable"));
  }
  const TypeParam least = std::numeric_limits<TypeParam>::denorm_min();
  const auto smallest = [&](TypeParam value) {
    const PlainTensor one{{3, 3}, {{1, 2}}, {static_cast<double>(value)}};
    return cp_als(this->exec, make<TypeParam>(one), CpAlsOptions{.rank = 1});
  };
  EXPECT_EQ(smallest(least).model.weights()(0), least);
  EXPECT_EQ(smallest(1234 * least).model.weights()(0), 1234 * least);
  const PlainTensor two{
      {2, 1}, {{0, 0}, {1, 0}}, {static_cast<double>(least), static_cast<double>(least)}};
  EXPECT_THAT(
      error_of([&] { (void)cp_als(this->exec, make<TypeParam>(two), CpAlsOptions{.rank = 1}); }),
      HasSubstr("is not representable in"));
}

TYPED_TEST(CpAlsScaleTest, SmallValuesBesideLargeOnesStay) {
  const double gap = this->is_float ? 1e-15 : 1e-100;
  for (const double size : {1.0, this->is_float ? 1e-22 : 1e-180, this->is_float ? 1e25 : 1e180}) {
    const PlainTensor two{{2, 2, 2}, {{0, 0, 0}, {1, 1, 1}}, {size, gap * size}};
    PlainModel guess{{1.0, 1.0}, {}};
    for (int n = 0; n < 3; ++n) {
      genten_test::PlainMatrix identity(2, 2);
      identity(0, 0) = identity(1, 1) = 1.0;
      guess.factors.push_back(identity);
    }
    const auto result =
        cp_als(this->exec, make<TypeParam>(two), genten_test::to_ktensor<TypeParam, Exec>(guess),
               CpAlsOptions{.tolerance = 0.0});
    EXPECT_NEAR(result.model.weights()(0) / size, 1.0, 1e-6);
    EXPECT_NEAR(result.model.weights()(1) / (gap * size), 1.0, 1e-6);
  }
}

TEST_F(CpAlsTest, TheSmallestDifferencesOfSizeAreSeen) {
  const PlainTensor two{{2, 2, 2}, {{0, 0, 0}, {1, 1, 1}}, {1e-200, 2e-200}};
  const auto result = cp_als(exec, make(two), CpAlsOptions{.rank = 1, .starts = 5});
  EXPECT_NEAR(result.model.weights()(0) / 2e-200, 1.0, 1e-6);
  EXPECT_NEAR(result.fit, 1.0 - 1.0 / std::sqrt(5.0), 1e-6);
}

TEST_F(CpAlsTest, DuplicatesThatCancelDoNotOverflow) {
  const PlainTensor two{
      {2, 2}, {{1, 1}, {1, 1}, {1, 1}, {0, 1}}, {1.5e308, 1e308, -1.7e308, 1e307}};
  const auto result = cp_als(exec, make(two), CpAlsOptions{.rank = 1});
  EXPECT_NEAR(result.model.weights()(0) / std::hypot(8e307, 1e307), 1.0, 1e-12);
  EXPECT_NEAR(result.fit, 1.0, 1e-12);
}

TEST_F(CpAlsTest, ExtendedResidualsOfAnySizeAreThoseOfTheElements) {
  const auto entries = random_tensor({.dimensions = {9, 8, 7}, .nnz = 3, .seed = 1});
  const auto model = random_model({9, 8, 7}, 3, 2);
  const double expected = genten_test::residual_reference(entries, model);
  for (const double size : {1e-290, 1e-170, 1e170, 1e290}) {
    PlainTensor scaled = entries;
    PlainModel scaled_model = model;
    for (double& value : scaled.values) value *= size;
    for (double& weight : scaled_model.weights) weight *= size;
    EXPECT_NEAR(genten::residual_norm_extended(
                    exec, make(scaled), genten_test::to_ktensor<double, Exec>(scaled_model)) /
                    size,
                expected, 1e-12 * expected);
  }
}

}  // namespace
