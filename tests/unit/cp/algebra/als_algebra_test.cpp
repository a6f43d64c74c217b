// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The R x R side of ALS that devices run, on every execution space, against that of the host, which
// goes by LAPACK.
#include <genten/cp/detail/constrained_update.hpp>

#include "als_algebra_support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace {

using genten_test::AlsAlgebraTest;
using genten_test::distance;
using genten_test::gram_of;
using genten_test::largest;
using genten_test::order;
using genten_test::PlainMatrix;
using genten_test::random_matrix;
using genten_test::times;
using HostExec = genten::HostExec;

TYPED_TEST_SUITE(AlsAlgebraTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(AlsAlgebraTest, SolvesAsTheHostDoesForEveryRank) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  for (const std::size_t rank : {1, 2, 3, 5, 8, 16, 31, 32, 33, 64, 65, 130}) {
    SCOPED_TRACE(rank);
    const auto grams = Fixture::random_grams(3 * rank + 2, rank);
    for (const double limit : {Fixture::rcond, 2.0}) {
      typename Fixture::Team team(rank, grams, limit);
      typename Fixture::Host host(rank, grams, limit);
      for (int mode = 0; mode < order; ++mode) {
        const PlainMatrix expected = host.solve(mode), found = team.solve(mode);
        ASSERT_EQ(team.count, host.count);
        ASSERT_EQ(team.count, limit < 1.0 ? 1u : 2u);
        // Hadamard products of Gram matrices are well conditioned.
        ASSERT_LE(distance(found, expected),
                  static_cast<double>(rank) * (4.0 * Fixture::epsilon + 1e-13) * largest(expected));
      }
    }
  }
}

TYPED_TEST(AlsAlgebraTest, IllConditionedMatricesAreSolvedByTwoFactors) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  const std::size_t rank = 8;  // condition 1.5e10
  PlainMatrix hilbert(rank, rank);
  for (std::size_t i = 0; i < rank; ++i) {
    for (std::size_t j = 0; j < rank; ++j) hilbert(i, j) = 1.0 / static_cast<double>(i + j + 1);
  }
  typename Fixture::Team team(rank, Fixture::grams_with(hilbert), Fixture::rcond);
  const PlainMatrix inverse = team.solve(0);
  EXPECT_EQ(team.count, 2u);
  EXPECT_EQ(team.algebra.rank_deficient_solves(), 0u);
  // A factor in single precision has errors that the condition multiplies.
  if constexpr (std::is_same_v<typename Fixture::Scalar, double>) {
    const PlainMatrix identity = times(hilbert, inverse);
    for (std::size_t i = 0; i < rank; ++i) {
      for (std::size_t j = 0; j < rank; ++j) {
        EXPECT_NEAR(identity(i, j), i == j ? 1.0 : 0.0, 1e-4) << i << ", " << j;
      }
    }
  }
}

TYPED_TEST(AlsAlgebraTest, SingularMatricesGetThePseudoinverse) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  for (const std::size_t n : {2, 3, 5, 20, 33, 70}) {
    for (const std::size_t rank : {std::size_t{1}, n / 2, n - 1}) {
      SCOPED_TRACE(std::to_string(n) + ", " + std::to_string(rank));
      const auto grams = Fixture::grams_with(gram_of(random_matrix(rank, n, 6)));
      typename Fixture::Team team(n, grams, Fixture::rcond);
      typename Fixture::Host host(n, grams, Fixture::rcond);
      const PlainMatrix expected = host.solve(0), found = team.solve(0);
      EXPECT_EQ(host.algebra.rank_deficient_solves(), 1u);
      EXPECT_EQ(team.algebra.rank_deficient_solves(), 1u);
      // The condition of what is left of the spectrum multiplies errors.
      const double condition = largest(grams[1]) * largest(expected) * static_cast<double>(n);
      EXPECT_LE(distance(found, expected), static_cast<double>(n) *
                                               (4.0 * Fixture::epsilon + 1e-15 * condition) *
                                               largest(expected));
    }
  }
}

TYPED_TEST(AlsAlgebraTest, ZeroMatricesAndZeroColumnsStayZero) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  PlainMatrix matrix(3, 3);
  typename Fixture::Team zero(3, Fixture::grams_with(matrix), Fixture::rcond);
  EXPECT_EQ(largest(zero.solve(0)), 0.0);
  matrix(0, 0) = 2.0;
  matrix(2, 2) = 4.0;
  typename Fixture::Team team(3, Fixture::grams_with(matrix), Fixture::rcond);
  PlainMatrix expected(3, 3);
  expected(0, 0) = 0.5;
  expected(2, 2) = 0.25;
  EXPECT_LE(distance(team.solve(0), expected), 2.0 * Fixture::epsilon);
}

TYPED_TEST(AlsAlgebraTest, NonFiniteMatricesGetZero) {
  this->expect_zero_where_not_finite(9, 3, 1, 2);
}

TYPED_TEST(AlsAlgebraTest, StepsLeaveTheStatisticsThatTheHostFinds) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  for (const std::size_t rank : {1, 7, 16, 40}) {
    const auto grams = Fixture::random_grams(60, rank);
    typename Fixture::Team team(rank, grams, Fixture::rcond);
    typename Fixture::Host host(rank, grams, Fixture::rcond);
    for (int sweep = 0; sweep < 3; ++sweep) {
      for (int mode = 0; mode < order; ++mode) {
        SCOPED_TRACE(std::to_string(rank) + ", " + std::to_string(3 * sweep + mode));
        const PlainMatrix rows = random_matrix(90, rank, 20 + static_cast<unsigned>(mode));
        const PlainMatrix expected = host.step(mode, rows, sweep == 0);
        const PlainMatrix found = team.step(mode, rows, sweep == 0);
        const double tolerance = 1e3 * static_cast<double>(rank) * Fixture::epsilon;
        ASSERT_LE(distance(found, expected), tolerance * largest(expected));
        this->expect_statistics_of_host(team, host, mode, tolerance);
        if (this->HasFatalFailure()) return;
      }
    }
    const auto before = team.algebra.correction(1);
    EXPECT_EQ(team.algebra.take_correction(1), before);
    EXPECT_EQ(team.algebra.correction(1), std::vector<double>(rank, 1.0));
  }
}

TYPED_TEST(AlsAlgebraTest, SavedStatesGoOnAsTheyWould) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  const std::size_t rank = 7;
  const auto compare = [&]<class Algebra>(Algebra& steps, Algebra& others) {
    for (int mode = 0; mode < order; ++mode) {
      (void)steps.step(mode, random_matrix(90, rank, 20 + static_cast<unsigned>(mode)), mode == 0);
    }
    const auto saved = steps.algebra.save();
    EXPECT_EQ(saved.statistics.component_norms, steps.algebra.statistics().component_norms);
    others.algebra.restore(saved);
    EXPECT_EQ(others.algebra.statistics().inner_product, saved.statistics.inner_product);
    EXPECT_EQ(others.algebra.statistics().component_norms, saved.statistics.component_norms);
    for (int mode = 0; mode < order; ++mode) {
      const PlainMatrix rows = random_matrix(90, rank, 30 + static_cast<unsigned>(mode));
      EXPECT_EQ(others.step(mode, rows, false).elements, steps.step(mode, rows, false).elements);
      EXPECT_EQ(others.found.model_norm_squared, steps.found.model_norm_squared);
      EXPECT_EQ(others.algebra.weights(), steps.algebra.weights());
    }
    auto wrong = saved;
    wrong.gram.pop_back();
    EXPECT_THROW(others.algebra.restore(wrong), genten::Error);
  };
  const auto grams = Fixture::random_grams(60, rank), other = Fixture::random_grams(50, rank);
  typename Fixture::Team team(rank, grams, Fixture::rcond), other_team(rank, other, Fixture::rcond);
  compare(team, other_team);
  typename Fixture::Host host(rank, grams, Fixture::rcond), other_host(rank, other, Fixture::rcond);
  compare(host, other_host);
}

TYPED_TEST(AlsAlgebraTest, SeveralTogetherHaveTheBitsOfEachAlone) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  using Each = typename Fixture::Team;
  using Algebra =
      genten::detail::DeviceAlsAlgebra<typename Fixture::Scalar, typename Fixture::Exec>;
  using Update = genten::FactorUpdate<typename Fixture::Scalar, typename Fixture::Exec>;
  const std::size_t rank = 5;
  std::vector<std::unique_ptr<Each>> alone, together;
  for (std::size_t k = 0; k < 3; ++k) {
    auto grams = Fixture::random_grams(60 + 10 * k, rank);
    // Two columns that are the same, so that one of them takes the other way.
    if (k == 1) {
      for (auto& gram : grams) std::fill(gram.elements.begin(), gram.elements.end(), 1.0);
    }
    alone.push_back(std::make_unique<Each>(rank, grams, Fixture::rcond));
    together.push_back(std::make_unique<Each>(rank, grams, Fixture::rcond));
    if (k > 0) together[k]->algebra.share_queue(together[0]->algebra);
  }
  typename Algebra::Tasks tasks;
  for (int step = 0; step < 2 * order; ++step) {
    const int mode = step % order;
    std::vector<typename Algebra::Together> solves;
    for (const auto& each : together) solves.push_back({&each->algebra, each->transforms});
    auto solved = Algebra::solve_together(mode, solves, tasks);
    std::vector<typename Algebra::Applied> applied;
    std::vector<std::unique_ptr<Update>> updates;
    std::vector<typename Algebra::template AbsorbTogether<Update>> absorbs;
    for (std::size_t k = 0; k < 3; ++k) {
      Each& each = *together[k];
      const PlainMatrix rows = random_matrix(90, rank, static_cast<unsigned>(20 + 7 * step + k));
      // Not all are in their first sweep.
      const bool first = step < order && k != 2;
      const auto expected = alone[k]->step(mode, rows, first);
      updates.push_back(std::make_unique<Update>(rank, rows.rows));
      const auto matrix =
          genten_test::to_matrix<typename Fixture::Scalar, typename Fixture::Exec>(rows);
      const std::span<const typename Each::Matrix> transforms(each.transforms);
      updates[k]->run(each.exec, matrix, transforms.first(solved[k].transforms));
      each.exec.fence();
      EXPECT_EQ(genten_test::plain(matrix).elements, expected.elements);
      typename Algebra::Event updated;
      updated.set(each.exec);
      applied.emplace_back(std::move(solved[k]), updated);
      absorbs.push_back({&each.algebra, updates[k].get(), first});
    }
    Kokkos::fence();
    Algebra::template absorb_together<Update>(std::move(applied), absorbs, tasks);
    for (std::size_t k = 0; k < 3; ++k) {
      const auto found = together[k]->algebra.statistics();
      EXPECT_EQ(found.inner_product, alone[k]->found.inner_product);
      EXPECT_EQ(found.model_norm_squared, alone[k]->found.model_norm_squared);
      EXPECT_EQ(together[k]->algebra.weights(), alone[k]->algebra.weights());
      EXPECT_EQ(together[k]->algebra.correction(mode), alone[k]->algebra.correction(mode));
      EXPECT_EQ(together[k]->algebra.rank_deficient_solves(),
                alone[k]->algebra.rank_deficient_solves());
    }
  }
}

TYPED_TEST(AlsAlgebraTest, RowEquationsAreThoseOfTheHost) {
  using Fixture = AlsAlgebraTest<TypeParam>;
  const std::size_t rank = 5;
  const auto grams = Fixture::random_grams(60, rank);
  typename Fixture::Team team(rank, grams, Fixture::rcond);
  typename Fixture::Host host(rank, grams, Fixture::rcond);
  for (int mode = 0; mode < order; ++mode) {  // so that there are weights and corrections
    const PlainMatrix rows = random_matrix(90, rank, 20 + static_cast<unsigned>(mode));
    (void)team.step(mode, rows, mode == 0);
    (void)host.step(mode, rows, mode == 0);
  }
  genten::RowEquation<typename TypeParam::Scalar, typename TypeParam::Exec> here(rank);
  genten::RowEquation<typename TypeParam::Scalar, HostExec> there(rank);
  (void)team.algebra.write_system(1, here, 0.25);
  (void)host.algebra.write_system(1, there, 0.25);
  const PlainMatrix expected = genten_test::plain(there.gram);
  EXPECT_LT(distance(genten_test::plain(here.gram), expected),
            1e3 * Fixture::epsilon * largest(expected));
  const auto columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), here.columns);
  for (int line = 0; line < static_cast<int>(decltype(here)::lines); ++line) {
    for (std::size_t r = 0; r < rank; ++r) {
      EXPECT_NEAR(columns(line, r) / there.columns(line, r), 1.0, 1e3 * Fixture::epsilon);
    }
  }
  for (std::size_t r = 0; r < rank; ++r) {
    EXPECT_NEAR(there.columns(decltype(there)::inverse, r) * (expected(r, r) + 0.25), 1.0, 1e-5);
    EXPECT_NEAR(std::pow(there.columns(decltype(there)::root, r), 2) / (expected(r, r) + 0.25), 1.0,
                1e-5);
  }
}

static_assert(genten::detail::RowUpdate<genten::detail::LeastSquaresUpdate<double, HostExec>>);
static_assert(genten::detail::RowUpdate<genten::detail::ConstrainedUpdate<float, HostExec>>);
static_assert(genten::detail::RowUpdate<
              genten::detail::ConstrainedUpdate<double, Kokkos::DefaultExecutionSpace>>);
static_assert(genten::detail::RowUpdate<
              genten::detail::LeastSquaresUpdate<float, Kokkos::DefaultExecutionSpace>>);

}  // namespace
