// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The residual that CP-ALS states is that of its model to a hundredth, or said to be uncertain.
#include "cp_als_support.hpp"

namespace {

using namespace genten_test::cp;
using genten_test::plain;
using genten_test::PlainModel;
using genten_test::PlainTensor;
using genten_test::random_model;

/// Every element of a model plus noise, whose norm is that part of the model's, in `Scalar`.
template <class Scalar>
PlainTensor noisy(const PlainModel& model, double noise) {
  PlainTensor tensor = entries_of(model);
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const double size =
      genten_test::norm_reference(tensor) / std::sqrt(static_cast<double>(tensor.nnz()));
  for (double& value : tensor.values) {
    value = static_cast<double>(static_cast<Scalar>(value + noise * size * normal(random)));
  }
  return tensor;
}

// More digits than what is tested has. Where there is no such type, long double has them.
#ifdef __SIZEOF_FLOAT128__
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

/// ||X - M|| of a tensor that stores every element, element by element.
template <class Scalar>
double true_residual(const PlainTensor& tensor, const Model<Scalar>& found) {
  const PlainModel model = plain(found);
  Quad sum = 0;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    Quad difference = tensor.values[p];
    for (std::size_t r = 0; r < model.weights.size(); ++r) {
      Quad term = model.weights[r];
      for (std::size_t n = 0; n < 3; ++n) term *= model.factors[n](tensor.subscripts[p][n], r);
      difference -= term;
    }
    sum += difference * difference;
  }
  return static_cast<double>(std::sqrt(static_cast<long double>(sum)));
}

template <class Scalar>
class CpAlsResidualTest : public testing::Test {
 protected:
  const Exec exec{};

  genten::CpAlsResult<Scalar, Exec> check(const PlainTensor& tensor, const CpAlsOptions& options) {
    const auto result = cp_als(exec, make<Scalar>(tensor), options);
    const double expected = true_residual(tensor, result.model);
    const double wrong = std::abs(result.residual_norm - expected);
    EXPECT_LE(wrong, result.residual_error * (1.0 + 1e-12));
    EXPECT_EQ(result.residual_is_certain(), result.residual_error <= 0.01 * result.residual_norm);
    if (result.residual_is_certain()) {
      EXPECT_LE(wrong, 0.01 * expected);
    }
    EXPECT_EQ(result.fit, result.starts[result.best_start].fit);
    EXPECT_NEAR(1.0 - result.fit, result.residual_norm / result.tensor_norm, 1e-15);
    return result;
  }
};

using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(CpAlsResidualTest, Scalars);

TYPED_TEST(CpAlsResidualTest, EveryNoiseLeavesACertainResidual) {
  const auto model = random_model({20, 15, 10}, 3, 4);
  const std::vector<double> noises =
      sizeof(TypeParam) == 4
          ? std::vector<double>{0.5, 1e-1, 1e-2, 5e-3, 1e-3, 5e-4, 1e-4, 1e-5, 1e-6}
          : std::vector<double>{0.5, 1e-2, 1e-4, 5e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12};
  for (const double noise : noises) {
    SCOPED_TRACE(noise);
    const auto result = this->check(
        noisy<TypeParam>(model, noise),
        CpAlsOptions{.rank = 3, .max_iterations = 400, .tolerance = 0.0, .seed = 2, .starts = 2});
    EXPECT_TRUE(result.residual_is_certain());
    EXPECT_LT(result.residual_norm / result.tensor_norm, 1.2 * noise + 1e-6);
    for (const auto& start : result.starts) EXPECT_LE(start.fit, result.fit);
  }
}

TYPED_TEST(CpAlsResidualTest, FitsOfAllStartsAreCertain) {
  const auto tensor = noisy<TypeParam>(random_model({20, 15, 10}, 3, 4), 5e-4);
  CpAlsOptions options{.rank = 3, .max_iterations = 60, .tolerance = 0.0, .seed = 2, .starts = 4};
  const auto together = this->check(tensor, options);
  options.starts = 1;
  for (const auto& start : together.starts) {
    const auto alone = this->check(tensor, options);
    EXPECT_EQ(start.fit, alone.fit);
    ++options.seed;
  }
}

TYPED_TEST(CpAlsResidualTest, NoiseOfFiveInTenThousandOfALargerTensor) {
  const auto result =
      this->check(noisy<TypeParam>(random_model({60, 70, 80}, 4, 1), 5e-4),
                  CpAlsOptions{.rank = 4, .max_iterations = 60, .tolerance = 0.0, .seed = 3});
  EXPECT_TRUE(result.residual_is_certain());
}

TYPED_TEST(CpAlsResidualTest, ComponentsThatCancelMakeSumsUncertain) {
  // The border rank of this tensor is 2, its rank 3: at rank 2, weights grow without end.
  const PlainTensor tensor{
      {2, 2, 2},
      {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}},
      {0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0}};
  for (const std::size_t iterations : {10, 100, 1000, 10000}) {
    SCOPED_TRACE(iterations);
    (void)this->check(
        tensor, CpAlsOptions{.rank = 2, .max_iterations = iterations, .tolerance = 0.0, .seed = 4});
  }
}

TYPED_TEST(CpAlsResidualTest, ExactFitsHaveNoCertainResidual) {
  const auto exact = noisy<TypeParam>(random_model({4, 3, 5}, 1, 4), 0.0);
  const auto result = this->check(exact, CpAlsOptions{.rank = 1, .tolerance = 0.0});
  if (sizeof(TypeParam) == 8) {
    EXPECT_FALSE(result.residual_is_certain());
    EXPECT_EQ(result.residual_route, genten::ResidualRoute::extended);
  }
  EXPECT_LT(result.residual_error, 1e-6 * result.tensor_norm);
}

TEST_F(CpAlsTest, AToleranceAboveTheFitIsNoted) {
  PlainTensor diagonal{{6000, 6000, 6000}, {}, {}};
  for (std::size_t i = 0; i < 6000; ++i) {
    diagonal.subscripts.push_back({i, i, i});
    diagonal.values.push_back(1.0);
  }
  const auto result = cp_als(exec, make(diagonal), CpAlsOptions{.rank = 1});
  EXPECT_EQ(result.stop_reason, StopReason::converged);
  EXPECT_LT(result.fit, 1e-4);
  EXPECT_TRUE(result.tolerance_above_fit);
  EXPECT_FALSE(cp_als(exec, tensor, CpAlsOptions{.rank = 4}).tolerance_above_fit);
  const auto limited = cp_als(exec, make(diagonal), CpAlsOptions{.rank = 1, .max_iterations = 1});
  EXPECT_FALSE(limited.tolerance_above_fit);
}

}  // namespace
