// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/factor_update.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace {

using genten_test::PlainMatrix;
using genten_test::random_matrix;
using genten_test::times;

PlainMatrix absolute(PlainMatrix matrix) {
  for (double& element : matrix.elements) element = std::abs(element);
  return matrix;
}

/// FactorUpdate's other way for wide matrices alone, on hosts as well as on devices.
template <class Scalar, class Exec>
class WideOnly {
 public:
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Update = genten::FactorUpdate<Scalar, Exec>;
  static constexpr std::size_t most_teams = 7;

  WideOnly(std::size_t rank, std::size_t most_rows, const genten::FactorUpdateTuning& tuning)
      : m_wide(rank, genten::padded_stride(rank, sizeof(Scalar)), most_rows,
               tuning.wide_block_bytes, most_teams),
        m_gram("gram", rank, rank),
        m_column_max("column_max", rank),
        m_dots("dots", rank) {}
  void run(const Exec& exec, const Matrix& matrix, std::span<const Matrix> transforms) {
    m_wide.run(exec, matrix.data(), matrix.rows(),
               transforms.empty() ? nullptr : transforms[0].data(),
               transforms.size() < 2 ? nullptr : transforms[1].data(), m_gram.data(),
               m_column_max.data(), m_dots.data(), nullptr);
  }
  void measure(const Exec& exec, const Matrix& matrix) { run(exec, matrix, {}); }
  [[nodiscard]] const auto& gram() const { return m_gram; }
  [[nodiscard]] const auto& column_max() const { return m_column_max; }
  [[nodiscard]] const auto& dots() const { return m_dots; }

 private:
  genten::detail::WideUpdate<Scalar, Exec> m_wide;
  typename Update::Square m_gram;
  typename Update::Column m_column_max, m_dots;
};

/// Rows that a pass writes: twice those of another matrix.
template <class Scalar, class Exec>
struct TwiceAnother {
  genten::FacMatrix<Scalar, Exec> from, to;

  KOKKOS_FUNCTION void operator()(const std::size_t index) const {
    const std::size_t columns = from.columns();
    if constexpr (genten::is_host_space<Exec>) {
      for (std::size_t r = 0; r < columns; ++r) to(index, r) = Scalar(2) * from(index, r);
    } else {
      to(index / columns, index % columns) = Scalar(2) * from(index / columns, index % columns);
    }
  }
};

template <class Combination>
class FactorUpdateTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Update = genten::FactorUpdate<Scalar, Exec>;
  using Wide = WideOnly<Scalar, Exec>;
  static constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();

  static Matrix make(const PlainMatrix& from) { return genten_test::to_matrix<Scalar, Exec>(from); }

  /// Sums over a matrix that is what the update holds, so that only the sums' own error counts.
  template <class AnyUpdate>
  static void check_statistics(const AnyUpdate& update, const PlainMatrix& now,
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

  template <class AnyUpdate = Update>
  void check(std::size_t rows, std::size_t rank, std::size_t transforms,
             const genten::FactorUpdateTuning& tuning = {}) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(rank) + ", " +
                 std::to_string(transforms) + " transforms");
    const PlainMatrix old = random_matrix(rows, rank, 1);
    const Matrix matrix = make(old);
    AnyUpdate update(rank, rows, tuning);
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

  /// A column has a maximum of NaN if, and only if, it has a NaN, in whatever row.
  template <class AnyUpdate>
  void check_nan(std::size_t rows, std::size_t rank) {
    const genten::FactorUpdateTuning tuning{.wide_block_bytes = 40 * rank * sizeof(double)};
    AnyUpdate update(rank, rows, tuning);
    const PlainMatrix finite = random_matrix(rows, rank, 1);
    PlainMatrix identity(rank, rank);
    for (std::size_t r = 0; r < rank; ++r) identity(r, r) = 1.0;
    const Matrix transform = make(identity);
    for (const std::size_t row : {std::size_t{0}, rows / 2, rows - 1}) {
      for (const std::size_t column : {std::size_t{0}, rank - 1}) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(rank) + ", NaN at " +
                     std::to_string(row) + ", " + std::to_string(column));
        PlainMatrix bad = finite;
        bad(row, column) = std::numeric_limits<double>::quiet_NaN();
        const Matrix matrix = make(bad);
        update.measure(exec, matrix);
        exec.fence();
        for (std::size_t r = 0; r < rank; ++r) {
          ASSERT_EQ(std::isnan(update.column_max()(r)), r == column) << "column " << r;
        }
        update.run(exec, matrix, std::span(&transform, 1));
        exec.fence();
        for (std::size_t r = 0; r < rank; ++r) {
          ASSERT_TRUE(std::isnan(update.column_max()(r))) << "column " << r;  // NaN times 0
        }
      }
    }
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

TYPED_TEST(FactorUpdateTest, SeveralTogetherInOneMatrixHaveTheBitsOfEachAlone) {
  using Fixture = FactorUpdateTest<TypeParam>;
  using Factor = typename Fixture::Matrix;
  using Passes = typename Fixture::Update;
  constexpr std::size_t count = 3;
  for (const std::size_t rank : {1, 3, 8, 11, 50}) {
    for (const std::size_t rows : {1, 64, 700}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(rank));
      const std::size_t stride = genten::padded_stride(rank, sizeof(typename Fixture::Scalar));
      const Factor all(rows + 1, count * stride);
      std::vector<Factor> alone, places;
      std::vector<std::vector<Factor>> transforms(count);
      std::vector<Passes> updates, expected;
      for (unsigned k = 0; k < count; ++k) {
        alone.push_back(Fixture::make(random_matrix(rows, rank, k)));
        places.emplace_back(typename Factor::view_type(all.data() + k * stride, rows, all.stride()),
                            rank);
        deep_copy(this->exec, places[k], alone[k]);
        // Not all have as many.
        for (unsigned t = 0; t <= k % 2; ++t) {
          transforms[k].push_back(Fixture::make(random_matrix(rank, rank, 10 * k + t)));
        }
        updates.emplace_back(rank, rows);
        expected.emplace_back(rank, rows);
      }
      // A vendor's BLAS, which takes wide matrices on devices, takes whole ones.
      if (!genten::is_host_space<typename TypeParam::Exec> && rank >= Passes::least_wide_rank) {
        continue;
      }
      typename Passes::Tasks tasks;
      std::vector<typename Passes::Pass> passes;
      for (std::size_t k = 0; k < count; ++k) {
        passes.push_back({&updates[k], places[k], transforms[k]});
        expected[k].run(this->exec, alone[k], transforms[k]);
      }
      Passes::run_together(this->exec, passes, tasks);
      this->exec.fence();
      for (std::size_t k = 0; k < count; ++k) {
        EXPECT_EQ(genten_test::plain(places[k]).elements, genten_test::plain(alone[k]).elements);
        for (std::size_t r = 0; r < rank; ++r) {
          EXPECT_EQ(updates[k].dots()(r), expected[k].dots()(r));
          EXPECT_EQ(updates[k].column_max()(r), expected[k].column_max()(r));
          for (std::size_t q = 0; q < rank; ++q) {
            EXPECT_EQ(updates[k].gram()(r, q), expected[k].gram()(r, q));
          }
        }
      }
    }
  }
}

TYPED_TEST(FactorUpdateTest, WideAloneAgreesWithPlainLoopsOnHostsToo) {
  using Fixture = FactorUpdateTest<TypeParam>;
  for (const std::size_t rank : {40, 41, 100}) {
    const genten::FactorUpdateTuning tuning{.wide_block_bytes = 100 * rank * sizeof(double)};
    for (const std::size_t rows : {0, 1, 250}) {
      for (const std::size_t transforms : {0, 1, 2}) {
        if (this->HasFatalFailure()) return;
        this->template check<typename Fixture::Wide>(rows, rank, transforms, tuning);
      }
    }
  }
}

TYPED_TEST(FactorUpdateTest, RowsThatAreWrittenAreMeasuredAsIfTheyHadBeenThere) {
  using Fixture = FactorUpdateTest<TypeParam>;
  using Twice = TwiceAnother<typename Fixture::Scalar, typename Fixture::Exec>;
  for (const std::size_t rows : {0, 1, 64, 1000}) {
    for (const std::size_t rank : {1, 7, 33}) {
      const auto from = Fixture::make(random_matrix(rows, rank, 1));
      const typename Fixture::Matrix written(rows, rank), there(rows, rank);
      typename Fixture::Update update(rank, rows), expected(rank, rows);
      update.write_and_measure(this->exec, written, Twice{from, written});
      Kokkos::parallel_for(
          Kokkos::RangePolicy<typename Fixture::Exec, Kokkos::IndexType<std::size_t>>(
              this->exec, 0, genten::is_host_space<typename Fixture::Exec> ? rows : rows * rank),
          Twice{from, there});
      expected.measure(this->exec, there);
      this->exec.fence();
      ASSERT_EQ(genten_test::plain(written).elements, genten_test::plain(there).elements);
      for (std::size_t r = 0; r < rank; ++r) {
        ASSERT_EQ(update.column_max()(r), expected.column_max()(r));
        for (std::size_t q = 0; q < rank; ++q)
          ASSERT_EQ(update.gram()(r, q), expected.gram()(r, q));
      }
    }
  }
  const typename Fixture::Matrix other(10, 6);
  typename Fixture::Update update(5, 10);
  EXPECT_THAT(genten_test::error_of([&] {
                update.write_and_measure(this->exec, other, Twice{other, other});
              }),
              testing::HasSubstr("expected 5 columns"));
}

TYPED_TEST(FactorUpdateTest, WideAloneGivesTheSameBitsEveryTime) {
  using Fixture = FactorUpdateTest<TypeParam>;
  constexpr std::size_t rows = 1000, rank = 50;
  const auto matrix = Fixture::make(random_matrix(rows, rank, 1));
  typename Fixture::Wide update(rank, rows, {});
  std::vector<double> before;
  for (int time = 0; time < 3; ++time) {
    update.measure(this->exec, matrix);
    this->exec.fence();
    std::vector<double> now;
    for (std::size_t r = 0; r < rank; ++r) {
      now.push_back(update.dots()(r));
      for (std::size_t q = 0; q < rank; ++q) now.push_back(update.gram()(r, q));
    }
    if (time > 0) {
      ASSERT_EQ(now, before);
    }
    before = now;
  }
}

TYPED_TEST(FactorUpdateTest, AColumnsMaximumIsNanWhereTheColumnHasOne) {
  using Fixture = FactorUpdateTest<TypeParam>;
  for (const std::size_t rows : {1, 70}) {
    for (const std::size_t rank : {1, 3, 17, 41}) {
      if (this->HasFatalFailure()) return;
      this->template check_nan<typename Fixture::Update>(rows, rank);
      if (rank >= 40) this->template check_nan<typename Fixture::Wide>(rows, rank);
    }
  }
}

TYPED_TEST(FactorUpdateTest, AColumnsMaximumIsInfiniteWhereTheColumnIsButHasNoNan) {
  using Fixture = FactorUpdateTest<TypeParam>;
  auto values = random_matrix(70, 5, 1);
  values(69, 4) = -std::numeric_limits<double>::infinity();
  typename Fixture::Update update(5, 70);
  const auto matrix = Fixture::make(values);
  update.measure(this->exec, matrix);
  this->exec.fence();
  EXPECT_EQ(update.column_max()(4), std::numeric_limits<double>::infinity());
  EXPECT_LE(update.column_max()(3), 1.0);
}

TYPED_TEST(FactorUpdateTest, RefusesAnotherRankOrStride) {
  using Fixture = FactorUpdateTest<TypeParam>;
  using Factor = typename Fixture::Matrix;
  typename Fixture::Update update(5, 10);
  EXPECT_THAT(genten_test::error_of([&] { update.measure(this->exec, Factor(10, 6)); }),
              testing::HasSubstr("expected 5 columns"));
  const Factor unpadded(typename Factor::view_type("unpadded", 10, 5));
  EXPECT_THAT(genten_test::error_of([&] { update.measure(this->exec, unpadded); }),
              testing::HasSubstr("a row stride of at least 8, got 5 with row stride 5"));
}

}  // namespace
