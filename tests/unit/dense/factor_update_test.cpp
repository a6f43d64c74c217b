// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/factor_update.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using genten_test::PlainMatrix;
using genten_test::random_matrix;
using genten_test::times;

PlainMatrix absolute(PlainMatrix matrix) {
  for (double& element : matrix.elements) element = std::abs(element);
  return matrix;
}

template <class Combination>
class FactorUpdateTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Update = genten::FactorUpdate<Scalar, Exec>;
  static constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();

  static Matrix make(const PlainMatrix& from) { return genten_test::to_matrix<Scalar, Exec>(from); }

  /// Sums over a matrix that is what the update holds, so that only the sums' own error counts.
  static void check_statistics(const Update& update, const PlainMatrix& now,
                               const PlainMatrix* old) {
    // At most 64 terms are added in Scalar; beyond that all is double, in whatever order.
    const double relative =
        66.0 * epsilon + static_cast<double>(now.rows) * std::numeric_limits<double>::epsilon();
    for (std::size_t a = 0; a < now.columns; ++a) {
      double largest = 0.0, dot = 0.0, dot_size = 0.0;
      for (std::size_t i = 0; i < now.rows; ++i) {
        largest = std::max(largest, std::abs(now(i, a)));
        if (old != nullptr) {
          dot += (*old)(i, a) * now(i, a);
          dot_size += std::abs((*old)(i, a) * now(i, a));
        }
      }
      ASSERT_EQ(update.column_max()(a), largest) << "column " << a;
      if (old != nullptr) {
        ASSERT_NEAR(update.dots()(a), dot, relative * dot_size) << "column " << a;
      }
      for (std::size_t b = 0; b < now.columns; ++b) {
        double sum = 0.0, size = 0.0;
        for (std::size_t i = 0; i < now.rows; ++i) {
          sum += now(i, a) * now(i, b);
          size += std::abs(now(i, a) * now(i, b));
        }
        ASSERT_NEAR(update.gram()(a, b), sum, relative * size) << a << ", " << b;
      }
    }
  }

  void check(std::size_t rows, std::size_t rank, std::size_t transforms,
             const genten::FactorUpdateTuning& tuning = {}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(rank) + ", " +
                 std::to_string(transforms) + " transforms");
    const PlainMatrix old = random_matrix(rows, rank, 1);
    const Matrix matrix = make(old);
    Update update(rank, rows, tuning);
    if (transforms == 0) {
      update.measure(exec, matrix);
      exec.fence();
      EXPECT_EQ(genten_test::plain(matrix).elements, old.elements);
      check_statistics(update, old, nullptr);
      return;
    }
    PlainMatrix expected = old, size = absolute(old);
    std::vector<Matrix> factors;
    for (unsigned k = 0; k < transforms; ++k) {
      const PlainMatrix factor = random_matrix(rank, rank, 2 + k);
      factors.push_back(make(factor));
      expected = times(expected, factor);
      size = times(size, absolute(factor));
    }
    update.run(exec, matrix, factors);
    exec.fence();
    const PlainMatrix now = genten_test::plain(matrix);
    const double roundings = static_cast<double>(transforms * (rank + 1)) * epsilon;
    for (std::size_t k = 0; k < now.elements.size(); ++k) {
      ASSERT_NEAR(now.elements[k], expected.elements[k], roundings * size.elements[k]) << k;
    }
    const auto host = genten_test::on_host(matrix);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = rank; j < host.stride(); ++j) {
        ASSERT_EQ(host.row(i)[j], Scalar(0)) << "padding of row " << i;
      }
    }
    check_statistics(update, now, &old);
  }

  Exec exec;
};

TYPED_TEST_SUITE(FactorUpdateTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(FactorUpdateTest, AgreesWithPlainLoopsForEveryRank) {
  for (std::size_t rank = 1; rank <= 130; rank += rank < 34 ? 1 : 12) {
    for (const std::size_t transforms : {0, 1, 2}) {
      if (this->HasFatalFailure()) return;
      this->check(65, rank, transforms);
    }
  }
  // On both sides of where vectors are full and where devices call their vendor's BLAS.
  for (const std::size_t rank : {39, 40, 41, 100, 128, 129, 260}) {
    for (const std::size_t transforms : {0, 1, 2}) {
      if (this->HasFatalFailure()) return;
      this->check(65, rank, transforms);
    }
  }
}

TYPED_TEST(FactorUpdateTest, AgreesWithPlainLoopsForEveryNumberOfRows) {
  for (const std::size_t rows : {0, 1, 2, 3, 63, 64, 65, 127, 128, 129, 1000}) {
    for (const std::size_t rank : {1, 3, 17}) {
      for (const std::size_t transforms : {0, 1, 2}) {
        if (this->HasFatalFailure()) return;
        this->check(rows, rank, transforms);
      }
    }
  }
}

TYPED_TEST(FactorUpdateTest, AgreesWithPlainLoopsForWideMatricesInSeveralBlocksOfRows) {
  for (const std::size_t rank : {40, 41, 100, 130, 260}) {
    const std::size_t stride = genten::padded_stride(rank, sizeof(typename TypeParam::Scalar));
    const genten::FactorUpdateTuning tuning{.wide_block_bytes = 200 * stride * sizeof(double)};
    for (const std::size_t rows : {200, 530}) {
      for (const std::size_t transforms : {0, 1, 2}) {
        if (this->HasFatalFailure()) return;
        this->check(rows, rank, transforms, tuning);
      }
    }
  }
}

TYPED_TEST(FactorUpdateTest, RefusesAnotherRankOrStride) {
  using Fixture = FactorUpdateTest<TypeParam>;
  using Factor = typename Fixture::Matrix;
  typename Fixture::Update update(5, 10);
  EXPECT_THAT(genten_test::error_of([&] { update.measure(this->exec, Factor(10, 6)); }),
              testing::HasSubstr("expected 5 columns"));
  const Factor unpadded(typename Factor::view_type("unpadded", 10, 5));
  EXPECT_THAT(genten_test::error_of([&] { update.measure(this->exec, unpadded); }),
              testing::HasSubstr("row stride 8, got 5 with row stride 5"));
}

}  // namespace
