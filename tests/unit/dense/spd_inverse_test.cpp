// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/spd_inverse.hpp>

#include "dense_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using genten::SmallMatrix;
using genten::spd_inverse;
using genten::SpdInverse;
using genten_test::random_gram;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

SmallMatrix times(const SmallMatrix& a, const SmallMatrix& b) {
  SmallMatrix c(a.size);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t k = 0; k < a.size; ++k) {
      for (std::size_t j = 0; j < a.size; ++j) c(i, j) += a(i, k) * b(k, j);
    }
  }
  return c;
}

SmallMatrix whole(const SpdInverse& inverse) {
  return inverse.factors.size() == 1 ? inverse.factors[0]
                                     : times(inverse.factors[0], inverse.factors[1]);
}

SmallMatrix identity(std::size_t n) {
  SmallMatrix result(n);
  for (std::size_t i = 0; i < n; ++i) result(i, i) = 1.0;
  return result;
}

double largest(const SmallMatrix& a) {
  double result = 0.0;
  for (const double x : a.values) result = std::max(result, std::abs(x));
  return result;
}

/// Largest difference of elements.
double distance(const SmallMatrix& a, const SmallMatrix& b) {
  EXPECT_EQ(a.size, b.size);
  double result = 0.0;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    const double difference = std::abs(a.values[k] - b.values[k]);
    if (!(difference <= result)) result = difference;  // NaN shows
  }
  return result;
}

TEST(SpdInverseTest, IdentityIsItsOwnInverse) {
  for (const std::size_t n : {1, 2, 7, 33}) {
    const auto inverse = spd_inverse(identity(n));
    EXPECT_FALSE(inverse.rank_deficient);
    EXPECT_TRUE(inverse.finite);
    ASSERT_EQ(inverse.factors.size(), 1u);
    EXPECT_EQ(distance(whole(inverse), identity(n)), 0.0);
  }
}

TEST(SpdInverseTest, InvertsByHand) {
  SmallMatrix a(2);
  a.values = {4, 2, 2, 3};
  SmallMatrix expected(2);
  expected.values = {3.0 / 8, -2.0 / 8, -2.0 / 8, 4.0 / 8};
  EXPECT_LT(distance(whole(spd_inverse(a)), expected), 1e-15);
}

TEST(SpdInverseTest, RandomMatricesTimesTheirInversesAreTheIdentity) {
  for (const std::size_t n : {1, 2, 3, 10, 50, 128}) {
    const SmallMatrix a = random_gram(3 * n, n, 4);
    const auto inverse = spd_inverse(a);
    EXPECT_FALSE(inverse.rank_deficient) << n;
    EXPECT_LT(distance(times(a, whole(inverse)), identity(n)), 1e-11) << n;
    // By two factors, too.
    const auto two = spd_inverse(a, 2.0);
    ASSERT_EQ(two.factors.size(), 2u) << n;
    EXPECT_LT(distance(times(a, whole(two)), identity(n)), 1e-11) << n;
  }
}

TEST(SpdInverseTest, BadlyScaledMatricesAreInvertedAsWellAsScaledOnes) {
  const std::size_t n = 12;
  SmallMatrix a = random_gram(3 * n, n, 5);
  SmallMatrix scaled = a;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      scaled(i, j) = std::ldexp(a(i, j), 10 * (static_cast<int>(i) + static_cast<int>(j)));
    }
  }
  const auto inverse = spd_inverse(scaled);
  EXPECT_FALSE(inverse.rank_deficient);
  SmallMatrix unscaled = whole(inverse);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      unscaled(i, j) = std::ldexp(unscaled(i, j), 10 * (static_cast<int>(i) + static_cast<int>(j)));
    }
  }
  EXPECT_LT(distance(times(a, unscaled), identity(n)), 1e-11);
}

// Hilbert matrices are ill-conditioned (1.5e10 for n = 8). Applied to a row b, the inverse must
// leave a residual x A - b of the size of the rounding errors of a stable solve, n eps |x| |A|.
TEST(SpdInverseTest, HilbertMatricesLeaveTheResidualOfAStableSolve) {
  for (const std::size_t n : {4, 8, 9}) {
    SmallMatrix a(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) a(i, j) = 1.0 / static_cast<double>(i + j + 1);
    }
    const auto inverse = spd_inverse(a);
    EXPECT_FALSE(inverse.rank_deficient) << n;
    EXPECT_EQ(inverse.factors.size(), n == 4 ? 1u : 2u) << n;
    std::vector<double> b(n), x(n);
    for (std::size_t i = 0; i < n; ++i) b[i] = i % 2 == 0 ? 1.0 : -0.5;
    x = b;
    for (const SmallMatrix& factor : inverse.factors) {
      std::vector<double> next(n, 0.0);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) next[j] += x[i] * factor(i, j);
      }
      x = next;
    }
    double size = 0.0, residual = 0.0;
    for (const double entry : x) size = std::max(size, std::abs(entry));
    for (std::size_t j = 0; j < n; ++j) {
      double sum = -b[j];
      for (std::size_t i = 0; i < n; ++i) sum += x[i] * a(i, j);
      residual = std::max(residual, std::abs(sum));
    }
    EXPECT_LT(residual, 10.0 * static_cast<double>(n) * epsilon * size) << n;
  }
}

TEST(SpdInverseTest, SingularMatricesGetThePseudoinverse) {
  for (const std::size_t n : {2, 5, 20}) {
    for (const std::size_t rank : {std::size_t{1}, n / 2, n - 1}) {
      const SmallMatrix a = random_gram(rank, n, 6);
      const auto inverse = spd_inverse(a);
      EXPECT_TRUE(inverse.rank_deficient) << n << ", " << rank;
      EXPECT_TRUE(inverse.finite);
      const SmallMatrix p = whole(inverse);
      // The four Penrose conditions.
      const SmallMatrix ap = times(a, p), pa = times(p, a);
      const double tolerance = 1e-9 * static_cast<double>(n);
      EXPECT_LT(distance(times(ap, a), a), tolerance * largest(a)) << n << ", " << rank;
      EXPECT_LT(distance(times(pa, p), p), tolerance * largest(p)) << n << ", " << rank;
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          EXPECT_NEAR(ap(i, j), ap(j, i), tolerance);
          EXPECT_NEAR(pa(i, j), pa(j, i), tolerance);
        }
      }
    }
  }
}

TEST(SpdInverseTest, ZeroRowsAndColumnsStayZero) {
  SmallMatrix a(3);
  a(0, 0) = 2.0;
  a(2, 2) = 4.0;
  const auto inverse = spd_inverse(a);
  EXPECT_TRUE(inverse.rank_deficient);
  SmallMatrix expected(3);
  expected(0, 0) = 0.5;
  expected(2, 2) = 0.25;
  EXPECT_LT(distance(whole(inverse), expected), 1e-15);
}

TEST(SpdInverseTest, ZeroMatrixHasZeroPseudoinverse) {
  const auto inverse = spd_inverse(SmallMatrix(4));
  EXPECT_TRUE(inverse.rank_deficient);
  EXPECT_TRUE(inverse.finite);
  EXPECT_EQ(distance(whole(inverse), SmallMatrix(4)), 0.0);
}

TEST(SpdInverseTest, NonFiniteMatricesAreReportedAndGetZero) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    SmallMatrix a = identity(3);
    a(1, 2) = bad;
    const auto inverse = spd_inverse(a);
    EXPECT_FALSE(inverse.finite);
    EXPECT_EQ(distance(whole(inverse), SmallMatrix(3)), 0.0);
  }
}

}  // namespace
