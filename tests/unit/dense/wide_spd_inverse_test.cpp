// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/spd_inverse.hpp>
#include <genten/dense/wide_spd_inverse.hpp>

#include "dense_support.hpp"
#include "memory_recorder.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using genten::SmallMatrix;
using genten_test::random_gram;

/// What a matrix became: its inverse, or the factor of it.
struct Inverted {
  genten::WideSpdStatus status;
  SmallMatrix inverse, factor;  ///< the factor: L with L^T L the inverse
};

template <class Combination>
class WideSpdInverseTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Inverter = genten::WideSpdInverse<Exec>;

  Exec exec;

  static SmallMatrix product(const SmallMatrix& a, const SmallMatrix& b) {
    SmallMatrix c(a.size);
    for (std::size_t i = 0; i < a.size; ++i) {
      for (std::size_t k = 0; k < a.size; ++k) {
        const double x = a(i, k);
        for (std::size_t j = 0; x != 0.0 && j < a.size; ++j) c(i, j) += x * b(k, j);
      }
    }
    return c;
  }
  static SmallMatrix transpose(const SmallMatrix& a) {
    SmallMatrix b(a.size);
    for (std::size_t i = 0; i < a.size; ++i) {
      for (std::size_t j = 0; j < a.size; ++j) b(j, i) = a(i, j);
    }
    return b;
  }

  /// Copies of what lies where `arrays` says, mirrored on the host.
  static std::vector<double> on_host(const double* data, int count) {
    using Doubles = Kokkos::View<const double*, typename Exec::memory_space>;
    const auto host = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(), Doubles(data, static_cast<std::size_t>(count)));
    return {host.data(), host.data() + host.size()};
  }
  static void write(const SmallMatrix& matrix, const genten::WideSpdArrays& arrays) {
    // What fills up the blocks is the class' own affair.
    std::vector<double> padded(static_cast<std::size_t>(arrays.stride * arrays.stride),
                               std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < matrix.size; ++i) {
      std::copy_n(&matrix.values[i * matrix.size], matrix.size,
                  &padded[i * static_cast<std::size_t>(arrays.stride)]);
    }
    Kokkos::deep_copy(
        Kokkos::View<double*, typename Exec::memory_space>(arrays.matrix, padded.size()),
        Kokkos::View<const double*, Kokkos::HostSpace>(padded.data(), padded.size()));
  }

  Inverted invert(const SmallMatrix& matrix) const {
    const int n = static_cast<int>(matrix.size);
    const Inverter wide(n);
    const genten::WideSpdArrays& arrays = wide.arrays();
    write(matrix, arrays);
    wide.invert(exec);
    exec.fence();
    Inverted found{
        Kokkos::create_mirror_view_and_copy(
            Kokkos::HostSpace(),
            Kokkos::View<genten::WideSpdStatus, typename Exec::memory_space>(arrays.status))(),
        SmallMatrix(matrix.size), SmallMatrix(matrix.size)};
    if (found.status.finite == 0) return found;
    if (found.status.definite == 0) {
      write(matrix, arrays);
      wide.diagonalize(exec);
      exec.fence();
    }
    const int all = arrays.stride * arrays.stride;
    const auto rows = on_host(arrays.matrix, all), square = on_host(arrays.square, all);
    const auto scale = on_host(arrays.scale, n), roots = on_host(arrays.roots, n);
    genten::WideSpdArrays here = arrays;
    here.matrix = const_cast<double*>(rows.data());
    here.square = const_cast<double*>(square.data());
    here.scale = const_cast<double*>(scale.data());
    here.roots = const_cast<double*>(roots.data());
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const auto r = static_cast<std::size_t>(i), q = static_cast<std::size_t>(j);
        if (found.status.definite != 0) found.inverse(r, q) = here.inverse(i, j);
        found.factor(r, q) =
            found.status.definite != 0 ? here.inverse_factor(i, j) : here.scaled_eigenvector(i, j);
      }
    }
    if (found.status.definite == 0) found.inverse = product(transpose(found.factor), found.factor);
    return found;
  }

  /// The inverse by the host's function, where one factor is it or two are.
  static SmallMatrix by_lapack(const SmallMatrix& matrix) {
    const auto inverse = genten::spd_inverse(matrix);
    return inverse.factors.size() == 1 ? inverse.factors[0]
                                       : product(inverse.factors[0], inverse.factors[1]);
  }
  static double largest(const SmallMatrix& a) {
    double size = 0.0;
    for (const double x : a.values) size = std::max(size, std::abs(x));
    return size;
  }
  /// Largest difference beside the largest element of b; NaN shows.
  static double distance(const SmallMatrix& a, const SmallMatrix& b) {
    double most = 0.0;
    for (std::size_t k = 0; k < a.values.size(); ++k) {
      const double difference = std::abs(a.values[k] - b.values[k]);
      if (!(difference <= most)) most = difference;
    }
    return most / largest(b);
  }
  /// matrix * inverse - 1, at its largest.
  static double residual(const SmallMatrix& matrix, const SmallMatrix& inverse) {
    SmallMatrix rest = product(matrix, inverse);
    for (std::size_t i = 0; i < rest.size; ++i) rest(i, i) -= 1.0;
    return largest(rest);
  }
};

/// Once a space: there are doubles alone, and no ordinals.
template <class Exec>
using WithDouble = std::tuple<genten_test::Types<Exec, double>>;
using Spaces = decltype(genten_test::combinations<WithDouble>(genten_test::AllSpaces()));
TYPED_TEST_SUITE(WideSpdInverseTest, Spaces, genten_test::TypeNames);

TYPED_TEST(WideSpdInverseTest, DefiniteMatricesGetTheInverseOfLapack) {
  using Fixture = WideSpdInverseTest<TypeParam>;
  for (const std::size_t n : {1, 2, 63, 64, 65, 128, 151, 200, 256, 500}) {
    SCOPED_TRACE(n);
    const SmallMatrix matrix = random_gram(2 * n, n, 7);
    const Inverted found = this->invert(matrix);
    ASSERT_EQ(found.status.finite, 1);
    ASSERT_EQ(found.status.definite, 1);
    EXPECT_GT(found.status.reciprocal_condition, 1e-5);
    EXPECT_LE(found.status.reciprocal_condition, 1.0 + 1e-12);
    EXPECT_LT(Fixture::distance(found.inverse, Fixture::by_lapack(matrix)), 1e-11);
    const SmallMatrix square = Fixture::product(Fixture::transpose(found.factor), found.factor);
    EXPECT_LT(Fixture::distance(square, found.inverse), 1e-12);
    EXPECT_LT(Fixture::distance(Fixture::transpose(found.inverse), found.inverse), 1e-15);
  }
}

TYPED_TEST(WideSpdInverseTest, TheConditionIsThatOfTheScaledMatrixInTheOneNorm) {
  using Fixture = WideSpdInverseTest<TypeParam>;
  const std::size_t n = 200;
  SmallMatrix matrix = random_gram(2 * n, n, 8);
  SmallMatrix scaled = matrix;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) scaled(i, j) /= std::sqrt(matrix(i, i) * matrix(j, j));
  }
  const auto norm = [&](const SmallMatrix& a) {
    double most = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0.0;
      for (std::size_t j = 0; j < n; ++j) sum += std::abs(a(i, j));
      most = std::max(most, sum);
    }
    return most;
  };
  const double expected = 1.0 / (norm(scaled) * norm(Fixture::by_lapack(scaled)));
  EXPECT_NEAR(this->invert(matrix).status.reciprocal_condition / expected, 1.0, 1e-10);
}

TYPED_TEST(WideSpdInverseTest, ResultsAreTheSameFromRunToRun) {
  const SmallMatrix matrix = random_gram(400, 200, 9), singular = random_gram(50, 200, 9);
  for (const SmallMatrix& each : {matrix, singular}) {
    const Inverted one = this->invert(each), other = this->invert(each);
    EXPECT_EQ(one.inverse.values, other.inverse.values);
    EXPECT_EQ(one.factor.values, other.factor.values);
  }
}

TYPED_TEST(WideSpdInverseTest, ScalesOfColumnsAreTakenOut) {
  using Fixture = WideSpdInverseTest<TypeParam>;
  const std::size_t n = 151;
  const SmallMatrix matrix = random_gram(2 * n, n, 10);
  const Inverted plain = this->invert(matrix);
  const auto scale = [](std::size_t i, double by) {
    return std::ldexp(1.0, i % 3 == 0 ? 0 : i % 3 == 1 ? 300 : -300) * by;
  };
  SmallMatrix scaled = matrix;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) scaled(i, j) *= scale(i, 1.0) * scale(j, 1.0);
  }
  Inverted found = this->invert(scaled);
  ASSERT_EQ(found.status.definite, 1);
  EXPECT_NEAR(found.status.reciprocal_condition / plain.status.reciprocal_condition, 1.0, 1e-10);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) found.inverse(i, j) *= scale(i, 1.0) * scale(j, 1.0);
  }
  EXPECT_LT(Fixture::distance(found.inverse, plain.inverse), 1e-11);
}

TYPED_TEST(WideSpdInverseTest, CloseColumnsCostNoMoreDigitsThanTheCondition) {
  using Fixture = WideSpdInverseTest<TypeParam>;
  // Columns nearly alike in the middle of blocks and across their borders.
  const std::size_t n = 200, rows = 2 * n;
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  std::vector<double> b(rows * n);
  for (double& x : b) x = normal(random);
  for (const double apart : {1e-2, 1e-4, 1e-5}) {
    SCOPED_TRACE(apart);
    for (const std::size_t twin : {31, 64, 150}) {
      for (std::size_t i = 0; i < rows; ++i) {
        b[i * n + twin] = b[i * n + twin - 1] + apart * b[i * n + twin + 1] * (i % 2 ? 1.0 : -1.0);
      }
    }
    SmallMatrix matrix(n);
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) matrix(i, j) += b[k * n + i] * b[k * n + j];
      }
    }
    const Inverted found = this->invert(matrix);
    ASSERT_EQ(found.status.definite, 1);
    const double error = Fixture::residual(matrix, found.inverse);
    const double of_lapack = Fixture::residual(matrix, Fixture::by_lapack(matrix));
    EXPECT_LT(error, 10.0 * of_lapack);
  }
}

TYPED_TEST(WideSpdInverseTest, SingularMatricesGetThePseudoinverseOfLapack) {
  using Fixture = WideSpdInverseTest<TypeParam>;
  for (const std::size_t n : {2, 5, 64, 151, 200}) {
    for (const std::size_t rank : {std::size_t{1}, n / 2}) {
      SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(rank));
      const SmallMatrix matrix = random_gram(rank, n, 7);
      const Inverted found = this->invert(matrix);
      EXPECT_EQ(found.status.finite, 1);
      EXPECT_EQ(found.status.definite, 0);
      EXPECT_LT(Fixture::distance(found.inverse, Fixture::by_lapack(matrix)), 1e-8);
    }
  }
}

TYPED_TEST(WideSpdInverseTest, ZeroColumnsAndZeroMatricesStayZero) {
  using Fixture = WideSpdInverseTest<TypeParam>;
  const std::size_t n = 151;
  SmallMatrix matrix = random_gram(2 * n, n, 12);
  for (std::size_t i = 0; i < n; ++i) matrix(i, 70) = matrix(70, i) = 0.0;
  const Inverted found = this->invert(matrix);
  EXPECT_EQ(found.status.definite, 0);
  EXPECT_LT(Fixture::distance(found.inverse, Fixture::by_lapack(matrix)), 1e-10);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(found.inverse(70, i), 0.0) << i;
  const Inverted zero = this->invert(SmallMatrix(n));
  EXPECT_EQ(zero.status.finite, 1);
  EXPECT_EQ(zero.status.definite, 0);
  EXPECT_EQ(Fixture::largest(zero.inverse), 0.0);
}

TYPED_TEST(WideSpdInverseTest, IndefiniteMatricesAreToldInEveryBlock) {
  for (const std::size_t wrong : {0, 63, 64, 150}) {
    SmallMatrix matrix(151);
    for (std::size_t i = 0; i < matrix.size; ++i) matrix(i, i) = i == wrong ? -1.0 : 1.0;
    EXPECT_EQ(this->invert(matrix).status.definite, 0) << wrong;
    // With a diagonal that is positive.
    if (wrong == 0) continue;
    matrix(wrong, wrong) = 1.0;
    matrix(wrong, wrong - 1) = matrix(wrong - 1, wrong) = 2.0;
    const Inverted found = this->invert(matrix);
    EXPECT_EQ(found.status.finite, 1) << wrong;
    EXPECT_EQ(found.status.broken, 1) << wrong;
    EXPECT_EQ(found.status.definite, 0) << wrong;
  }
}

TYPED_TEST(WideSpdInverseTest, NonFiniteMatricesAreToldInEveryBlock) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    for (const std::size_t at : {0, 63, 64, 150}) {
      SmallMatrix matrix = random_gram(302, 151, 7);
      matrix(at, 100) = bad;
      const Inverted found = this->invert(matrix);
      EXPECT_EQ(found.status.finite, 0) << at;
      EXPECT_EQ(found.status.definite, 0) << at;
    }
  }
}

TYPED_TEST(WideSpdInverseTest, TakesTheMemoryThatItSays) {
  using Wide = typename WideSpdInverseTest<TypeParam>::Inverter;
  for (const std::size_t n : {65, 500}) {
    const genten_test::MemoryRecorder recorder(TypeParam::Exec::memory_space::name());
    const Wide wide(static_cast<int>(n));
    EXPECT_NEAR(recorder.peak(), Wide::memory(n), 1024.0);
  }
}

}  // namespace
