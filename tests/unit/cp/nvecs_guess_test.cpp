// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/core/generate.hpp>
#include <genten/cp/nvecs_guess.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using genten::HostExec;
using genten::nvecs_guess;
using genten::RowConstraint;

using Tensor = genten::Sptensor<double, std::uint32_t, HostExec>;

Tensor matrix(const std::vector<double>& values, double scale = 1.0) {
  const std::vector<std::uint32_t> subscripts = {0, 0, 0, 1, 3, 0, 3, 1};
  std::vector<double> scaled = values;
  for (double& value : scaled) value *= scale;
  return Tensor::from_host(HostExec(), {5, 2}, subscripts, scaled);
}

TEST(NvecsGuess, HasTheSingularVectorsOfAMatrix) {
  // (0.6, 0.8) on rows 0 and 3 times (1, 2) / sqrt 5; squares leave the range of double.
  for (const double scale : {1.0, 1e-200, 1e200}) {
    const auto guess = nvecs_guess(HostExec(), matrix({3, 6, 4, 8}, scale), 1);
    EXPECT_NEAR(guess.factor(0)(0, 0), 0.6, 1e-12) << scale;
    EXPECT_NEAR(guess.factor(0)(3, 0), 0.8, 1e-12);
    EXPECT_EQ(guess.factor(0)(1, 0), 0.0);
    EXPECT_NEAR(guess.factor(1)(0, 0), 1.0 / std::sqrt(5.0), 1e-12);
    EXPECT_EQ(guess.weights()(0), 1.0);
  }
}

TEST(NvecsGuess, HasRandomColumnsBehindThem) {
  const auto guess = nvecs_guess(HostExec(), matrix({3, 6, 4, 8}), 3);
  const auto again = nvecs_guess(HostExec(), matrix({3, 6, 4, 8}), 3);
  for (int n = 0; n < 2; ++n) {
    for (std::size_t i = 0; i < guess.factor(n).rows(); ++i) {
      for (std::size_t r = 1; r < 3; ++r) {  // the matrix has one singular vector
        EXPECT_GT(guess.factor(n)(i, r), 0.0);
        EXPECT_LT(guess.factor(n)(i, r), 1.0);
        EXPECT_EQ(guess.factor(n)(i, r), again.factor(n)(i, r));
      }
    }
  }
}

TEST(NvecsGuess, KeepsBounds) {
  std::vector<RowConstraint> bounds(2);
  bounds[0].lower = 0.0;
  bounds[0].upper = 0.7;
  const auto guess = nvecs_guess(HostExec(), matrix({3, 6, -4, -8}), 1, bounds);
  EXPECT_NEAR(guess.factor(0)(0, 0), 0.6, 1e-12) << "its magnitude";
  EXPECT_EQ(guess.factor(0)(3, 0), 0.7);
  EXPECT_GT(guess.factor(1)(1, 0), 0.0);
}

TEST(NvecsGuess, IsThatOfLeadingVectorsInEachMode) {
  const auto tensor = genten::generate_planted(HostExec(), {12, 10, 9}, 3, 7, 0.1, 5).tensor;
  const auto guess = nvecs_guess(HostExec(), tensor, 3);
  for (int n = 0; n < 3; ++n) {
    const auto vectors = genten::nvecs(HostExec(), tensor, n, 3).vectors;
    for (std::size_t r = 0; r < 3; ++r) {
      double product = 0.0;
      for (std::size_t i = 0; i < vectors.rows(); ++i) {
        product += vectors(i, r) * guess.factor(n)(i, r);
      }
      EXPECT_NEAR(std::abs(product), 1.0, 1e-9) << n << ' ' << r;
    }
  }
}

TEST(NvecsGuess, TakesTensorsWithoutNonzeros) {
  const Tensor empty = Tensor::from_host(HostExec(), {3, 2}, {}, {});
  EXPECT_EQ(nvecs_guess(HostExec(), empty, 2).rank(), 2U);
}

}  // namespace
