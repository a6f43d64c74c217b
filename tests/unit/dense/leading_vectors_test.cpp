// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/dense/leading_vectors.hpp>

#include "thread_counts.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using Exec = genten::HostExec;
using Matrix = genten::FacMatrix<double, Exec>;

constexpr std::size_t rows = 5000;  // several chunks of tall matrices
const double cosine = std::cos(0.3), sine = std::sin(0.3);

double direction(std::size_t i, int k) {
  const double norm = std::sqrt(2.0 / static_cast<double>(rows));
  return norm * std::cos(std::acos(-1.0) * (static_cast<double>(i) + 0.5) * (k + 1.0) /
                         static_cast<double>(rows));
}

/// W = U diag(9, 4) V^T for columns of a cosine transform U, and V that spreads over all columns.
Matrix planted(std::size_t columns) {
  const Matrix matrix(rows, columns);
  const double each = 1.0 / std::sqrt(static_cast<double>(columns / 2));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns / 2 * 2; ++j) {
      const double first = j % 2 == 0 ? cosine : sine, second = j % 2 == 0 ? -sine : cosine;
      matrix(i, j) = each * (9.0 * direction(i, 0) * first + 4.0 * direction(i, 1) * second);
    }
  }
  return matrix;
}

TEST(LeadingLeftVectors, OfTallMatricesAreThePlantedOnes) {
  for (const std::size_t columns : {2U, 3U, 24U, 65U, 200U}) {
    const auto found = genten::leading_left_vectors(Exec(), planted(columns), 2);
    EXPECT_NEAR(found.eigenvalues[0], 81.0, 1e-11);
    EXPECT_NEAR(found.eigenvalues[1], 16.0, 1e-11);
    for (int k = 0; k < 2; ++k) {
      double product = 0.0;
      for (std::size_t i = 0; i < rows; ++i) {
        product += direction(i, k) * found.vectors(i, static_cast<std::size_t>(k));
      }
      EXPECT_NEAR(std::abs(product), 1.0, 1e-13);
    }
  }
}

TEST(LeadingLeftVectors, OfWideMatricesAreThePlantedOnes) {
  for (const std::size_t length : {2U, 7U, 130U}) {
    const Matrix tall = planted(length), wide(length, rows);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < length; ++j) wide(j, i) = tall(i, j);
    }
    const auto found = genten::leading_left_vectors(Exec(), wide, 2);
    EXPECT_NEAR(found.eigenvalues[0], 81.0, 1e-11);
    EXPECT_NEAR(found.eigenvalues[1], 16.0, 1e-11);
    const double each = 1.0 / std::sqrt(static_cast<double>(length / 2));
    for (std::size_t j = 0; j < length / 2 * 2; ++j) {
      EXPECT_NEAR(std::abs(found.vectors(j, 0)), each * (j % 2 == 0 ? cosine : sine), 1e-13);
    }
  }
}

template <class Scalar>
void expect_products(std::size_t inner, std::size_t columns) {
  constexpr std::size_t count = 131;  // a block of rows, one of few, and one row
  const genten::FacMatrix<Scalar, Exec> from(count, inner);
  const genten::HostMatrix small("small", inner, columns);
  const Matrix to(count, columns + 1);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < inner; ++k) from(i, k) = static_cast<Scalar>((i + 3 * k) % 7);
    to(i, columns) = -1.0;
  }
  for (std::size_t k = 0; k < inner; ++k) {
    for (std::size_t j = 0; j < columns; ++j) {
      small(k, j) = static_cast<double>((5 * k + j) % 11);
    }
  }
  using View = typename Matrix::view_type;
  genten::multiply_small(Exec(), from, small, Matrix(View(to.data(), count, to.stride()), columns));
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      double sum = 0.0;
      for (std::size_t k = 0; k < inner; ++k) sum += double{from(i, k)} * small(k, j);
      ASSERT_EQ(to(i, j), sum) << i << ", " << j << ", " << inner << ", " << columns;
    }
    ASSERT_EQ(to(i, columns), -1.0);  // beside what is written
  }
}

TEST(MultiplySmall, IsTheProduct) {
  for (const std::size_t inner : {0U, 1U, 20U, 130U}) {
    for (const std::size_t columns : {1U, 3U, 8U, 13U, 64U}) {
      expect_products<double>(inner, columns);
      expect_products<float>(inner, columns);
    }
  }
}

TEST(LeadingLeftVectorsThreads, GiveTheSameBits) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const auto found = genten::leading_left_vectors(Exec(), planted(24), 2);
    genten_test::BitHash hash;
    for (std::size_t i = 0; i < rows; ++i) hash.add(found.vectors(i, 1));
    return hash.text();
  });
  if (genten_test::in_child()) return;
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

}  // namespace
