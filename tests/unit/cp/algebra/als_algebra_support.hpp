// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of the R x R side of ALS share: the algebra of devices beside that of the host.

#include <genten/cp/detail/als_algebra_device.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace genten_test {

inline constexpr int order = 3;

/// A^T A.
inline PlainMatrix gram_of(const PlainMatrix& a) {
  PlainMatrix result(a.columns, a.columns);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t r = 0; r < a.columns; ++r) {
      for (std::size_t q = 0; q < a.columns; ++q) result(r, q) += a(i, r) * a(i, q);
    }
  }
  return result;
}

inline double largest(const PlainMatrix& a) {
  double result = 0.0;
  for (const double x : a.elements) result = std::max(result, std::abs(x));
  return result;
}

/// Largest difference of elements; NaN shows.
inline double distance(const PlainMatrix& a, const PlainMatrix& b) {
  double result = 0.0;
  for (std::size_t k = 0; k < a.elements.size(); ++k) {
    const double difference = std::abs(a.elements[k] - b.elements[k]);
    if (!(difference <= result)) result = difference;
  }
  return result;
}

/// An algebra with all that a step of ALS needs besides.
template <class Algebra>
struct Steps {
  using Matrix = typename Algebra::Matrix;
  using Exec = typename Matrix::execution_space;
  using Scalar = typename Matrix::view_type::value_type;

  Exec exec;
  std::size_t rank;
  Algebra algebra;
  std::vector<Matrix> transforms;
  std::size_t count = 0;
  genten::detail::AlsStatistics found;

  /// `more` goes to the algebra.
  template <class... More>
  Steps(std::size_t columns, const std::vector<PlainMatrix>& grams, double rcond, More... more)
      : rank(columns), algebra(order, columns, rcond, more...) {
    for (int k = 0; k < 2; ++k) transforms.emplace_back(columns, columns);
    for (int mode = 0; mode < order; ++mode) {
      algebra.set_gram(mode, grams[static_cast<std::size_t>(mode)]);
    }
  }
  /// The one matrix that the transforms stand for.
  PlainMatrix solve(int mode) {
    count = algebra.solve(mode, transforms).transforms;
    const PlainMatrix first = plain(transforms[0]);
    return count == 1 ? first : times(first, plain(transforms[1]));
  }
  /// The update of a mode whose MTTKRP is `rows`; what it makes of them.
  PlainMatrix step(int mode, const PlainMatrix& rows, bool first_sweep) {
    const Matrix matrix = to_matrix<Scalar, Exec>(rows);
    genten::FactorUpdate<Scalar, Exec> update(rank, rows.rows);
    auto solved = algebra.solve(mode, transforms);
    update.run(exec, matrix, std::span<const Matrix>(transforms).first(solved.transforms));
    typename Algebra::Event updated;
    updated.set(exec);
    algebra.absorb({std::move(solved), updated}, update, first_sweep);
    found = algebra.statistics();
    return plain(matrix);
  }
};

template <class Combination>
class AlsAlgebraTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Team = Steps<genten::detail::DeviceAlsAlgebra<Scalar, Exec>>;
  using Host = Steps<genten::detail::HostAlsAlgebra<Scalar, genten::HostExec>>;
  static constexpr double rcond = 1e-8;
  static constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();

  static std::vector<PlainMatrix> random_grams(std::size_t rows, std::size_t rank) {
    std::vector<PlainMatrix> grams;
    for (unsigned mode = 0; mode < order; ++mode) {
      grams.push_back(gram_of(random_matrix(rows, rank, 10 + mode)));
    }
    return grams;
  }
  /// Grams of which the Hadamard product without mode 0 is this matrix.
  static std::vector<PlainMatrix> grams_with(const PlainMatrix& matrix) {
    PlainMatrix ones(matrix.rows, matrix.columns);
    std::fill(ones.elements.begin(), ones.elements.end(), 1.0);
    return {ones, matrix, ones};
  }
  /// After a step of a mode.
  static void expect_statistics_of_host(const Team& team, const Host& host, int mode,
                                        double tolerance) {
    const auto a = host.found, b = team.found;
    ASSERT_NEAR(b.inner_product, a.inner_product, tolerance * a.model_norm_squared);
    ASSERT_NEAR(b.model_norm_squared, a.model_norm_squared, tolerance * a.model_norm_squared);
    ASSERT_NEAR(b.component_norms, a.component_norms, tolerance * a.component_norms);
    for (std::size_t r = 0; r < host.rank; ++r) {
      ASSERT_NEAR(team.algebra.weights()[r], host.algebra.weights()[r],
                  tolerance * host.algebra.weights()[r]);
      ASSERT_NEAR(team.algebra.correction(mode)[r], host.algebra.correction(mode)[r], tolerance);
    }
  }
  /// A Gram matrix of so many rows, one of whose elements is no number or infinite.
  static void expect_zero_where_not_finite(std::size_t rows, std::size_t rank, std::size_t r,
                                           std::size_t q) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      PlainMatrix matrix = gram_of(random_matrix(rows, rank, 1));
      matrix(r, q) = bad;
      Team team(rank, grams_with(matrix), rcond);
      EXPECT_EQ(largest(team.solve(0)), 0.0);
      EXPECT_EQ(team.count, 1u);
      EXPECT_EQ(team.algebra.rank_deficient_solves(), 0u);
    }
  }
};

}  // namespace genten_test
