// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The R x R side of ALS that devices run for wide ranks, by all of the device, on every execution
// space, against that of the host, which goes by LAPACK.
#include "als_algebra_support.hpp"
#include "memory_recorder.hpp"

namespace {

using genten_test::distance;
using genten_test::gram_of;
using genten_test::largest;
using genten_test::order;
using genten_test::PlainMatrix;
using genten_test::random_matrix;
using genten_test::times;

template <class Combination>
class WideAlgebraTest : public genten_test::AlsAlgebraTest<Combination> {
 protected:
  using Base = genten_test::AlsAlgebraTest<Combination>;
  using Base::epsilon;
  using Base::rcond;
  using typename Base::Host;
  using typename Base::Team;

  /// One that leaves one team nothing.
  static Team wide(std::size_t rank, const std::vector<PlainMatrix>& grams, double limit = rcond) {
    return Team(rank, grams, limit, genten::detail::ColumnScaling::normalized, std::size_t{0});
  }
};

TYPED_TEST_SUITE(WideAlgebraTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(WideAlgebraTest, SolvesAsTheHostDoesForEveryRank) {
  using Fixture = WideAlgebraTest<TypeParam>;
  for (const std::size_t rank : {1, 2, 7, 63, 64, 65, 113, 151, 200, 256, 500}) {
    SCOPED_TRACE(rank);
    const auto grams = Fixture::random_grams(rank + 20, rank);
    for (const double limit : {Fixture::rcond, 2.0}) {
      // Where nobody says anything else, these are ranks for all of the device.
      auto team = rank > 112 ? typename Fixture::Team(rank, grams, limit)
                             : Fixture::wide(rank, grams, limit);
      typename Fixture::Host host(rank, grams, limit);
      const int mode = static_cast<int>(rank) % order;
      const PlainMatrix expected = host.solve(mode), found = team.solve(mode);
      ASSERT_EQ(team.count, host.count);
      ASSERT_EQ(team.count, limit < 1.0 ? 1u : 2u);
      ASSERT_EQ(team.algebra.rank_deficient_solves(), 0u);
      ASSERT_LE(distance(found, expected),
                static_cast<double>(rank) * (4.0 * Fixture::epsilon + 1e-13) * largest(expected));
    }
  }
}

TYPED_TEST(WideAlgebraTest, OneTeamAndAllAgree) {
  using Fixture = WideAlgebraTest<TypeParam>;
  for (const std::size_t rank : {5, 64, 100}) {
    const auto grams = Fixture::random_grams(rank + 20, rank);
    auto wide = Fixture::wide(rank, grams);
    typename Fixture::Team team(rank, grams, Fixture::rcond);
    const PlainMatrix expected = team.solve(1);
    EXPECT_LE(distance(wide.solve(1), expected),
              static_cast<double>(rank) * (4.0 * Fixture::epsilon + 1e-13) * largest(expected));
  }
}

TYPED_TEST(WideAlgebraTest, IllConditionedMatricesAreSolvedByTwoFactors) {
  using Fixture = WideAlgebraTest<TypeParam>;
  // Columns 1e-5 from their neighbours in every block: a condition of some 1e11.
  const std::size_t rank = 151;
  PlainMatrix rows = random_matrix(2 * rank, rank, 5);
  for (const std::size_t twin : {20, 64, 150}) {
    for (std::size_t i = 0; i < rows.rows; ++i) {
      rows(i, twin) = rows(i, twin - 1) + 1e-5 * rows(i, twin);
    }
  }
  const PlainMatrix matrix = gram_of(rows);
  typename Fixture::Team team(rank, Fixture::grams_with(matrix), Fixture::rcond);
  const PlainMatrix inverse = team.solve(0);
  EXPECT_EQ(team.count, 2u);
  EXPECT_EQ(team.algebra.rank_deficient_solves(), 0u);
  // A factor in single precision has errors that the condition multiplies.
  if constexpr (std::is_same_v<typename Fixture::Scalar, double>) {
    typename Fixture::Host host(rank, Fixture::grams_with(matrix), Fixture::rcond);
    PlainMatrix identity(rank, rank);
    for (std::size_t i = 0; i < rank; ++i) identity(i, i) = 1.0;
    const double of_lapack = distance(times(matrix, host.solve(0)), identity);
    EXPECT_EQ(host.count, 2u);
    EXPECT_LT(distance(times(matrix, inverse), identity), 10.0 * of_lapack);
  }
}

TYPED_TEST(WideAlgebraTest, SingularMatricesGetThePseudoinverse) {
  using Fixture = WideAlgebraTest<TypeParam>;
  const std::size_t n = 151;
  for (const std::size_t rank : {std::size_t{1}, n / 2}) {
    SCOPED_TRACE(rank);
    const auto grams = Fixture::grams_with(gram_of(random_matrix(rank, n, 6)));
    typename Fixture::Team team(n, grams, Fixture::rcond);
    typename Fixture::Host host(n, grams, Fixture::rcond);
    const PlainMatrix expected = host.solve(0), found = team.solve(0);
    EXPECT_EQ(host.algebra.rank_deficient_solves(), 1u);
    EXPECT_EQ(team.algebra.rank_deficient_solves(), 1u);
    EXPECT_EQ(team.count, 2u);
    // The condition of what is left of the spectrum multiplies errors.
    const double condition = largest(grams[1]) * largest(expected) * static_cast<double>(n);
    EXPECT_LE(
        distance(found, expected),
        static_cast<double>(n) * (4.0 * Fixture::epsilon + 1e-15 * condition) * largest(expected));
    // The next one is none the worse for it.
    const auto definite = Fixture::random_grams(n + 20, n);
    for (int mode = 0; mode < order; ++mode) {
      team.algebra.set_gram(mode, definite[static_cast<std::size_t>(mode)]);
      host.algebra.set_gram(mode, definite[static_cast<std::size_t>(mode)]);
    }
    const PlainMatrix next = host.solve(0);
    EXPECT_LE(distance(team.solve(0), next),
              static_cast<double>(n) * (4.0 * Fixture::epsilon + 1e-13) * largest(next));
    EXPECT_EQ(team.count, 1u);
    EXPECT_EQ(team.algebra.rank_deficient_solves(), 1u);
  }
}

TYPED_TEST(WideAlgebraTest, ColumnsOfZerosStayZero) {
  using Fixture = WideAlgebraTest<TypeParam>;
  const std::size_t n = 151;
  PlainMatrix matrix = gram_of(random_matrix(2 * n, n, 7));
  for (std::size_t i = 0; i < n; ++i) matrix(i, 70) = matrix(70, i) = 0.0;
  typename Fixture::Team team(n, Fixture::grams_with(matrix), Fixture::rcond);
  typename Fixture::Host host(n, Fixture::grams_with(matrix), Fixture::rcond);
  const PlainMatrix expected = host.solve(0), found = team.solve(0);
  EXPECT_EQ(team.algebra.rank_deficient_solves(), 1u);
  EXPECT_LE(distance(found, expected),
            static_cast<double>(n) * (4.0 * Fixture::epsilon + 1e-13) * largest(expected));
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(found(70, i), 0.0) << i;
  typename Fixture::Team zero(n, Fixture::grams_with(PlainMatrix(n, n)), Fixture::rcond);
  EXPECT_EQ(largest(zero.solve(0)), 0.0);
}

TYPED_TEST(WideAlgebraTest, NonFiniteMatricesGetZero) {
  this->expect_zero_where_not_finite(400, 151, 100, 20);
}

TYPED_TEST(WideAlgebraTest, ScalesOfColumnsAreTakenOut) {
  using Fixture = WideAlgebraTest<TypeParam>;
  if constexpr (std::is_same_v<typename Fixture::Scalar, double>) {  // that holds such numbers
    const std::size_t n = 151;
    const PlainMatrix plain = gram_of(random_matrix(2 * n, n, 8));
    PlainMatrix scaled = plain;
    const auto scale = [](std::size_t i) {
      return std::ldexp(1.0, i % 3 == 0 ? 0 : i % 3 == 1 ? 300 : -300);
    };
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) scaled(i, j) *= scale(i) * scale(j);
    }
    typename Fixture::Host host(n, Fixture::grams_with(plain), Fixture::rcond);
    typename Fixture::Team team(n, Fixture::grams_with(scaled), Fixture::rcond);
    const PlainMatrix expected = host.solve(0);
    PlainMatrix found = team.solve(0);
    EXPECT_EQ(team.count, 1u);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) found(i, j) *= scale(i) * scale(j);
    }
    EXPECT_LE(distance(found, expected), 1e-11 * largest(expected));
  }
}

TYPED_TEST(WideAlgebraTest, StepsLeaveTheStatisticsThatTheHostFinds) {
  using Fixture = WideAlgebraTest<TypeParam>;
  for (const std::size_t rank : {7, 70, 160}) {
    const auto grams = Fixture::random_grams(rank + 60, rank);
    auto team = Fixture::wide(rank, grams), again = Fixture::wide(rank, grams);
    typename Fixture::Host host(rank, grams, Fixture::rcond);
    std::vector<double> factors(order * rank);
    for (std::size_t r = 0; r < rank; ++r) {
      factors[r] = 2.0;
      factors[rank + r] = r % 2 == 0 ? 0.25 : 0.5;
      factors[2 * rank + r] = 1.0 / (factors[r] * factors[rank + r]);
    }
    for (int step = 0; step < 2 * order; ++step) {
      SCOPED_TRACE(std::to_string(rank) + ", " + std::to_string(step));
      const int mode = step % order;
      const PlainMatrix rows = random_matrix(rank + 90, rank, 20 + static_cast<unsigned>(mode));
      const PlainMatrix expected = host.step(mode, rows, step < order);
      const PlainMatrix found = team.step(mode, rows, step < order);
      ASSERT_EQ(again.step(mode, rows, step < order).elements, found.elements);
      const double tolerance = 1e3 * static_cast<double>(rank) * Fixture::epsilon;
      ASSERT_LE(distance(found, expected), tolerance * largest(expected));
      this->expect_statistics_of_host(team, host, mode, tolerance);
      if (this->HasFatalFailure()) return;
      ASSERT_EQ(again.found.inner_product, team.found.inner_product);
      ASSERT_EQ(again.found.model_norm_squared, team.found.model_norm_squared);
      ASSERT_EQ(again.found.component_norms, team.found.component_norms);
      if (mode == order - 1) {
        host.algebra.rescale(factors);
        team.algebra.rescale(factors);
        again.algebra.rescale(factors);
        const auto of_host = host.algebra.save(), of_team = team.algebra.save();
        for (std::size_t k = 0; k < of_host.gram.size(); ++k) {
          ASSERT_NEAR(of_team.gram[k], of_host.gram[k], 4.0 * tolerance) << k;
        }
        for (std::size_t k = 0; k < of_host.correction.size(); ++k) {
          ASSERT_NEAR(of_team.correction[k], of_host.correction[k], 4.0 * tolerance) << k;
        }
      }
    }
  }
}

TYPED_TEST(WideAlgebraTest, RowEquationsAreThoseOfOneTeam) {
  using Fixture = WideAlgebraTest<TypeParam>;
  using System = genten::RowEquation<typename TypeParam::Scalar, typename TypeParam::Exec>;
  const std::size_t rank = 70;
  const auto grams = Fixture::random_grams(rank + 60, rank);
  auto wide = Fixture::wide(rank, grams);
  typename Fixture::Team team(rank, grams, Fixture::rcond);
  wide.algebra.restore(team.algebra.save());
  const System here(rank), there(rank);
  (void)wide.algebra.write_system(1, here, 0.25);
  (void)team.algebra.write_system(1, there, 0.25);
  EXPECT_EQ(genten_test::plain(here.gram).elements, genten_test::plain(there.gram).elements);
  const auto columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), here.columns);
  const auto expected = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), there.columns);
  for (int line = 0; line < static_cast<int>(System::lines); ++line) {
    for (std::size_t r = 0; r < rank; ++r) EXPECT_EQ(columns(line, r), expected(line, r)) << r;
  }
}

TYPED_TEST(WideAlgebraTest, TakesTheMemoryThatItSays) {
  using Space = typename TypeParam::Exec;
  using Algebra = genten::detail::DeviceAlsAlgebra<typename TypeParam::Scalar, Space>;
  // Kokkos keeps some bytes for each queue of a device.
  for (const std::size_t rank : {112, 113, 500}) {
    const genten_test::MemoryRecorder recorder(Space::memory_space::name());
    const Algebra algebra(order, rank, 1e-8);
    // On hosts what devices have in pinned memory counts, too.
    EXPECT_NEAR(
        recorder.peak(), Algebra::memory(order, rank),
        (genten::is_host_space<Space> ? 4096.0 : 0x1p17) + 8.0 * order * static_cast<double>(rank))
        << rank;
  }
}

}  // namespace
