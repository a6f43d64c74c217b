// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/dense/tall_products.hpp>

#include "thread_counts.hpp"

#include <genten/base/error.hpp>
#include <genten/core/fill_random.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace {

using Matrix = genten::FacMatrix<double, genten::HostExec>;

Matrix random(std::size_t rows, std::size_t columns, int seed) {
  const Matrix matrix(rows, columns);
  fill_random(genten::HostExec(), matrix, static_cast<std::uint64_t>(seed), 0,
              genten::FactorKind::normal);
  return matrix;
}

TEST(TallProducts, AreTheSumsOfProducts) {
  const genten::HostExec exec;
  for (const std::size_t rows : {0U, 1U, 5U, 64U, 700U}) {
    for (const std::size_t columns : {1U, 3U, 8U, 17U, 33U}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix a = random(rows, columns, 1), b = random(rows, columns, 2);
      const genten::SmallMatrix found = cross_product(exec, a, b);
      for (std::size_t r = 0; r < columns; ++r) {
        for (std::size_t q = 0; q < columns; ++q) {
          double sum = 0.0;
          for (std::size_t i = 0; i < rows; ++i) sum += a(i, r) * b(i, q);
          EXPECT_NEAR(found(r, q), sum, 1e-12 * (1.0 + static_cast<double>(rows)));
        }
      }
      const Matrix product = tall_product(exec, a, found);
      ASSERT_EQ(product.rows(), rows);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t q = 0; q < columns; ++q) {
          double sum = 0.0, size = 0.0;
          for (std::size_t r = 0; r < columns; ++r) {
            sum += a(i, r) * found(r, q);
            size += std::abs(a(i, r) * found(r, q));
          }
          EXPECT_NEAR(product(i, q), sum, 1e-13 * (1.0 + size));
        }
      }
    }
  }
}

TEST(TallProducts, RefuseOtherShapes) {
  const genten::HostExec exec;
  const Matrix a = random(4, 3, 1);
  EXPECT_THROW(static_cast<void>(cross_product(exec, a, random(4, 2, 1))), genten::Error);
  EXPECT_THROW(static_cast<void>(cross_product(exec, a, random(5, 3, 1))), genten::Error);
  EXPECT_THROW(static_cast<void>(tall_product(exec, a, genten::SmallMatrix(4))), genten::Error);
}

TEST(TallProducts, OfAMatrixWithItselfAreSymmetric) {
  const Matrix a = random(1000, 17, 3);
  const genten::SmallMatrix gram = cross_product(genten::HostExec(), a, a);
  for (std::size_t r = 0; r < 17; ++r) {
    for (std::size_t q = 0; q < r; ++q) EXPECT_EQ(gram(r, q), gram(q, r));
  }
}

TEST(TallProducts, HaveTheSameBitsForAnyNumberOfThreads) {
  if (!genten_test::has_threads()) GTEST_SKIP() << "this host backend has one thread";
  const auto results = genten_test::with_thread_counts([] {
    const genten::HostExec exec;
    const Matrix a = random(3000, 17, 1), b = random(3000, 17, 2);
    const genten::SmallMatrix cross = cross_product(exec, a, b);
    const Matrix product = tall_product(exec, a, cross);
    genten_test::BitHash bits;
    for (const double each : cross.values) bits.add(each);
    for (std::size_t i = 0; i < product.rows(); ++i) {
      for (std::size_t r = 0; r < 17; ++r) bits.add(product(i, r));
    }
    return bits.text();
  });
  if (genten_test::in_child()) return;
  for (const std::string& result : results) EXPECT_EQ(result, results.front());
}

}  // namespace
