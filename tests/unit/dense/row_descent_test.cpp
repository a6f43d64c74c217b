// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/row_descent.hpp>

#include "reference.hpp"
#include "row_reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace {

using genten::RowConstraint;
using genten_test::PlainMatrix;
using genten_test::random_matrix;

/// RowDescent as devices run it, on every execution space, but for the Gram matrix, for which teams
/// of one thread are too small.
template <class Scalar, class Exec>
class DeviceOnly {
 public:
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Descent = genten::RowDescent<Scalar, Exec>;
  using Column = typename Descent::Column;
  static constexpr std::size_t most_chunks = 7;

  DeviceOnly(std::size_t rank, std::size_t /*most_rows*/)
      : m_rank(rank),
        m_stride(genten::padded_stride(rank, sizeof(Scalar))),
        m_gram("gram", rank, rank),
        m_column_max("column_max", rank),
        m_dots("dots", rank),
        m_violation("violation", rank),
        m_absolute_sums("absolute_sums", rank),
        m_partial("partial", most_chunks * genten::detail::descent_partial_size(m_stride)) {}
  void run(const Exec& exec, const Matrix& rows, const Matrix& products,
           const genten::RowEquation<Scalar, Exec>& system, const RowConstraint& constraint) {
    using System = genten::RowEquation<Scalar, Exec>;
    const genten::detail::DescentSystem<Scalar> shared{system.gram.data(),
                                                       m_stride,
                                                       m_rank,
                                                       system.line(System::inverse),
                                                       system.line(System::root),
                                                       static_cast<Scalar>(constraint.l1),
                                                       static_cast<Scalar>(constraint.lower),
                                                       static_cast<Scalar>(constraint.upper)};
    genten::detail::DeviceDescent<Scalar, Exec>{exec,        rows.data(), products.data(),
                                                rows.rows(), most_chunks, m_partial.data()}
        .run(shared, system.line(System::start), system.line(System::scale), m_gram.data(),
             m_column_max.data(), m_dots.data(), m_violation.data(), m_absolute_sums.data());
  }
  [[nodiscard]] const auto& gram() const { return m_gram; }
  [[nodiscard]] const Column& column_max() const { return m_column_max; }
  [[nodiscard]] const Column& dots() const { return m_dots; }
  [[nodiscard]] double violation() const { return m_violation(0); }
  [[nodiscard]] const Column& absolute_sums() const { return m_absolute_sums; }

 private:
  std::size_t m_rank, m_stride;
  typename Descent::Square m_gram;
  Column m_column_max, m_dots, m_violation, m_absolute_sums;
  Kokkos::View<double*, typename Exec::memory_space> m_partial;
};

/// A problem of `rows` rows: the system is the Gram matrix of a random matrix.
struct Problem {
  PlainMatrix gram, old, products;
  std::vector<double> start, scale;

  Problem(std::size_t rows, std::size_t rank)
      : gram(rank, rank),
        old(random_matrix(rows, rank, 1)),
        products(random_matrix(rows, rank, 2)),
        start(rank),
        scale(rank) {
    const PlainMatrix from = random_matrix(rank + 5, rank, 3);
    for (std::size_t r = 0; r < rank; ++r) {
      start[r] = 0.5 + static_cast<double>(r % 3);
      scale[r] = 2.0 + static_cast<double>(r % 2);
      for (std::size_t s = 0; s < rank; ++s) {
        for (std::size_t i = 0; i < from.rows; ++i) gram(r, s) += from(i, r) * from(i, s);
      }
    }
  }
  [[nodiscard]] std::vector<double> right(std::size_t i) const {
    std::vector<double> row;
    for (std::size_t r = 0; r < scale.size(); ++r) row.push_back(products(i, r) * scale[r]);
    return row;
  }
  [[nodiscard]] std::vector<double> first(std::size_t i) const {
    std::vector<double> row;
    for (std::size_t r = 0; r < start.size(); ++r) row.push_back(old(i, r) * start[r]);
    return row;
  }
};

template <class Combination>
class RowDescentTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using System = genten::RowEquation<Scalar, Exec>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;

  static System make_system(const Problem& problem, const RowConstraint& constraint) {
    const std::size_t rank = problem.start.size();
    System system(rank);
    const auto gram = genten_test::to_matrix<Scalar, Exec>(problem.gram);
    Kokkos::deep_copy(system.gram.padded_view(), gram.padded_view());
    const auto host = Kokkos::create_mirror_view(system.columns);
    for (std::size_t r = 0; r < rank; ++r) {
      const double diagonal = problem.gram(r, r) + constraint.ridge;
      host(System::start, r) = static_cast<Scalar>(problem.start[r]);
      host(System::scale, r) = static_cast<Scalar>(problem.scale[r]);
      host(System::inverse, r) = System::inverse_of(diagonal);
      host(System::root, r) = System::root_of(diagonal);
    }
    Kokkos::deep_copy(system.columns, host);
    return system;
  }
  static std::vector<double> row_of(const PlainMatrix& matrix, std::size_t i) {
    return {matrix.elements.data() + i * matrix.columns,
            matrix.elements.data() + (i + 1) * matrix.columns};
  }

  /// The new rows against those of the reference: the elements, or, where float may take another
  /// number of sweeps, the sums that are minimized.
  static void check_rows(const Problem& problem, const RowConstraint& constraint,
                         const PlainMatrix& now) {
    for (std::size_t i = 0; i < now.rows; ++i) {
      std::vector<double> expected = problem.first(i);
      descend_reference(problem.gram, problem.right(i), expected, constraint);
      const std::vector<double> row = row_of(now, i);
      for (std::size_t r = 0; r < now.columns; ++r) {
        ASSERT_TRUE(constraint.contains(row[r])) << "row " << i << ", column " << r;
        if (is_double) {
          ASSERT_NEAR(row[r], expected[r], 1e-11) << "row " << i << ", column " << r;
        }
      }
      const double goal = row_objective(problem.gram, problem.right(i), expected, constraint);
      const double before =
          row_objective(problem.gram, problem.right(i), problem.first(i), constraint);
      ASSERT_NEAR(row_objective(problem.gram, problem.right(i), row, constraint), goal,
                  (is_double ? 1e-12 : 2e-3) * (std::abs(goal) + std::abs(before)))
          << "row " << i;
    }
  }
  template <class Descent>
  static void check_sums(const Descent& descent, const Problem& problem,
                         const RowConstraint& constraint, const PlainMatrix& now, bool with_sums) {
    const double epsilon = 100.0 * std::numeric_limits<Scalar>::epsilon();
    double violation = 0.0;
    for (std::size_t i = 0; i < now.rows; ++i) {
      violation = std::max(
          violation, row_violation(problem.gram, problem.right(i), problem.first(i), constraint));
    }
    EXPECT_NEAR(descent.violation(), violation, epsilon * violation);
    for (std::size_t r = 0; r < now.columns; ++r) {
      double dot = 0.0, size = 0.0, square = 0.0, largest = 0.0, sum = 0.0;
      for (std::size_t i = 0; i < now.rows; ++i) {
        dot += now(i, r) * problem.products(i, r);
        size += std::abs(now(i, r) * problem.products(i, r));
        square += now(i, r) * now(i, r);
        largest = std::max(largest, std::abs(now(i, r)));
        sum += std::abs(now(i, r));
      }
      EXPECT_NEAR(descent.dots()(r), dot, epsilon * size);
      if (!std::is_same_v<Descent, DeviceOnly<Scalar, Exec>>) {
        EXPECT_NEAR(descent.gram()(r, r), square, epsilon * square);
      }
      EXPECT_EQ(descent.column_max()(r), largest);
      if (with_sums) {
        EXPECT_NEAR(descent.absolute_sums()(r), sum, epsilon * sum);
      }
    }
  }
  /// Bounds as Scalar has them.
  static RowConstraint rounded(RowConstraint constraint) {
    constraint.lower = static_cast<double>(static_cast<Scalar>(constraint.lower));
    constraint.upper = static_cast<double>(static_cast<Scalar>(constraint.upper));
    return constraint;
  }
  template <class Descent>
  static void check(std::size_t rows, std::size_t rank, const RowConstraint& constraint) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(rank));
    const Exec exec;
    Problem problem(rows, rank);
    const Matrix matrix = genten_test::to_matrix<Scalar, Exec>(problem.old);
    const Matrix products = genten_test::to_matrix<Scalar, Exec>(problem.products);
    problem.products = genten_test::plain(products);  // rounded to Scalar
    Descent descent(rank, rows);
    descent.run(exec, matrix, products, make_system(problem, constraint), constraint);
    exec.fence();
    const PlainMatrix now = genten_test::plain(matrix);
    check_rows(problem, constraint, now);
    check_sums(descent, problem, constraint, now, constraint.l1 > 0.0);
  }
  template <class Descent>
  static void check_shapes(const RowConstraint& exact) {
    const RowConstraint constraint = rounded(exact);
    for (const std::size_t rank : {1, 3, 8, 17, 33, 70}) {
      for (const std::size_t rows : {1, 31, 32, 65, 300}) check<Descent>(rows, rank, constraint);
    }
  }
  using Descent = genten::RowDescent<Scalar, Exec>;
  using Device = DeviceOnly<Scalar, Exec>;
};
TYPED_TEST_SUITE(RowDescentTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(RowDescentTest, NonnegativeRowsAreThoseOfTheReference) {
  TestFixture::template check_shapes<typename TestFixture::Descent>({.lower = 0.0});
  TestFixture::template check_shapes<typename TestFixture::Device>({.lower = 0.0});
}

TYPED_TEST(RowDescentTest, RowsWithPenaltiesAndBoundsAreThoseOfTheReference) {
  const RowConstraint constraints[] = {{.l1 = 0.4},
                                       {.ridge = 2.0, .lower = -0.1, .upper = 0.2},
                                       {.ridge = 0.5, .l1 = 0.1, .lower = 0.0, .upper = 0.3},
                                       {.lower = 0.25, .upper = 0.5}};
  for (const RowConstraint& constraint : constraints) {
    TestFixture::template check_shapes<typename TestFixture::Descent>(constraint);
    TestFixture::template check_shapes<typename TestFixture::Device>(constraint);
  }
}

TYPED_TEST(RowDescentTest, RepeatedPassesEndWhereNothingIsViolated) {
  using Real = typename TestFixture::Scalar;
  const typename TestFixture::Exec exec;
  constexpr RowConstraint constraint{.l1 = 0.1, .lower = 0.0, .upper = 0.6};
  Problem problem(100, 5);
  std::fill(problem.start.begin(), problem.start.end(), 1.0);
  const auto matrix = genten_test::to_matrix<Real, typename TestFixture::Exec>(problem.old);
  const auto products = genten_test::to_matrix<Real, typename TestFixture::Exec>(problem.products);
  typename TestFixture::Descent descent(5, 100);
  const auto system = TestFixture::make_system(problem, constraint);
  for (int pass = 0; pass < 100; ++pass) descent.run(exec, matrix, products, system, constraint);
  exec.fence();
  EXPECT_LE(descent.violation(), 20.0 * std::numeric_limits<Real>::epsilon());
}

// Of a column that no other mode has any part of, the sum does not depend: it stays, and with a
// penalty it is zero.
TYPED_TEST(RowDescentTest, ColumnsThatDoNotCountStayOrVanish) {
  using Real = typename TestFixture::Scalar;
  const typename TestFixture::Exec exec;
  for (const double l1 : {0.0, 0.5}) {
    const RowConstraint constraint{.l1 = l1, .lower = 0.0};
    Problem problem(10, 3);
    for (std::size_t r = 0; r < 3; ++r) problem.gram(r, 1) = problem.gram(1, r) = 0.0;
    for (std::size_t i = 0; i < 10; ++i) problem.products(i, 1) = 0.0;
    const auto matrix = genten_test::to_matrix<Real, typename TestFixture::Exec>(problem.old);
    typename TestFixture::Descent descent(3, 10);
    descent.run(exec, matrix,
                genten_test::to_matrix<Real, typename TestFixture::Exec>(problem.products),
                TestFixture::make_system(problem, constraint), constraint);
    exec.fence();
    const PlainMatrix now = genten_test::plain(matrix);
    for (std::size_t i = 0; i < 10; ++i) {
      const double stays = static_cast<double>(static_cast<Real>(problem.old(i, 1)) *
                                               static_cast<Real>(problem.start[1]));
      EXPECT_EQ(now(i, 1), l1 > 0.0 ? 0.0 : std::max(stays, 0.0));
    }
  }
}

// What becomes of a row depends on it alone, so that neither its neighbours nor the chunks matter.
TYPED_TEST(RowDescentTest, ARowAloneBecomesTheSame) {
  using Real = typename TestFixture::Scalar;
  using Space = typename TestFixture::Exec;
  const Space exec;
  constexpr RowConstraint constraint{.ridge = 0.1, .lower = 0.0};
  const Problem problem(70, 9);
  const auto system = TestFixture::make_system(problem, constraint);
  const auto run = [&](PlainMatrix rows, PlainMatrix products) {
    const auto matrix = genten_test::to_matrix<Real, Space>(rows);
    typename TestFixture::Descent descent(9, rows.rows);
    descent.run(exec, matrix, genten_test::to_matrix<Real, Space>(products), system, constraint);
    exec.fence();
    return genten_test::plain(matrix);
  };
  const PlainMatrix all = run(problem.old, problem.products);
  for (const std::size_t i : {0, 33, 69}) {
    PlainMatrix row(1, 9), right(1, 9);
    row.elements = TestFixture::row_of(problem.old, i);
    right.elements = TestFixture::row_of(problem.products, i);
    EXPECT_EQ(run(row, right).elements, TestFixture::row_of(all, i));
  }
}

TYPED_TEST(RowDescentTest, OtherShapesAreRefused) {
  using Factor = typename TestFixture::Matrix;
  typename TestFixture::Descent descent(3, 10);
  const typename TestFixture::System system(3);
  const typename TestFixture::Exec exec;
  EXPECT_THROW(descent.run(exec, Factor(10, 3), Factor(9, 3), system, {}), genten::Error);
  EXPECT_THROW(descent.run(exec, Factor(10, 4), Factor(10, 4), system, {}), genten::Error);
}

}  // namespace
