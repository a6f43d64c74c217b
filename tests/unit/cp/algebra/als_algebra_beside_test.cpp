// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Updates of which the host waits for nothing, on every execution space: they have the bits of
// those of which it waits for the solve.
#include "als_algebra_support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace {

using genten_test::AlsAlgebraTest;
using genten_test::order;
using genten_test::PlainMatrix;
using genten_test::random_matrix;

/// FactorUpdate as devices have it, also on hosts.
template <class Scalar, class Exec>
class DevicePass {
 public:
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Device = genten::detail::DeviceUpdate<Scalar, Exec>;
  using Column = Kokkos::View<double*, typename genten::detail::Backend<Exec>::pinned_space>;

  DevicePass(const Exec& exec, const Matrix& matrix)
      : m_exec(exec),
        m_matrix(matrix),
        m_rank(matrix.columns()),
        m_gram("gram", m_rank * m_rank),
        m_column_max("column_max", m_rank),
        m_dots("dots", m_rank),
        m_partial("partial", chunks * matrix.stride() * (matrix.stride() + 2)) {}

  void run(const Matrix& first, const Matrix* second) {
    device(m_exec).run(call(first, second, nullptr), nullptr);
  }
  void run_rows(const Matrix& first, const Matrix& second, const int* count) {
    m_teams = device(m_exec).update_rows(call(first, &second, count));
  }
  template <class Last>
  void finish(const Exec& exec, const Last& last) {
    device(exec).finish(m_teams, last);
  }
  [[nodiscard]] const Column& gram() const { return m_gram; }
  [[nodiscard]] const Column& column_max() const { return m_column_max; }
  [[nodiscard]] const Column& dots() const { return m_dots; }

 private:
  static constexpr std::size_t chunks = 40;

  [[nodiscard]] Device device(const Exec& exec) const {
    return {exec,   m_matrix.data(),   m_matrix.rows(), m_matrix.stride(),
            m_rank, m_matrix.stride(), chunks,          m_partial.data()};
  }
  [[nodiscard]] typename Device::Call call(const Matrix& first, const Matrix* second,
                                           const int* count) const {
    return {first.data(),
            second == nullptr ? nullptr : second->data(),
            count,
            m_gram.data(),
            m_column_max.data(),
            m_dots.data()};
  }

  Exec m_exec;
  Matrix m_matrix;
  std::size_t m_rank;
  Column m_gram, m_column_max, m_dots;
  Kokkos::View<double*, typename Exec::memory_space> m_partial;
  std::size_t m_teams = 0;
};

/// A step of which the host waits for nothing; or for the solve. `pass` lives until it is absorbed.
template <class Steps, class AnyPass>
PlainMatrix step(Steps& steps, std::unique_ptr<AnyPass>& held, int mode, const PlainMatrix& rows,
                 bool first_sweep, bool waits) {
  using Algebra = std::remove_reference_t<decltype(steps.algebra)>;
  using Scalar = typename Steps::Scalar;
  using Exec = typename Steps::Exec;
  const auto matrix = genten_test::to_matrix<Scalar, Exec>(rows);
  auto next = std::make_unique<AnyPass>(steps.exec, matrix);
  AnyPass& pass = *next;
  typename Algebra::Event written, updated;
  auto solved = steps.algebra.solve(mode, steps.transforms, 0.0, waits);
  EXPECT_EQ(solved.ready.has_value(), !waits);
  if (waits) {
    steps.count = solved.transforms;
    pass.run(steps.transforms[0], steps.count == 1 ? nullptr : &steps.transforms[1]);
    updated.set(steps.exec);
    steps.algebra.absorb({std::move(solved), updated}, pass, first_sweep);
  } else {
    EXPECT_EQ(solved.transforms, 2u);
    solved.ready->hold(steps.exec);
    pass.run_rows(steps.transforms[0], steps.transforms[1], solved.count);
    written.set(steps.exec);
    steps.algebra.finish_and_absorb({std::move(solved), updated}, written, pass, first_sweep);
  }
  held = std::move(next);
  steps.exec.fence();
  return genten_test::plain(matrix);
}

enum class Way { one_factor, two_factors, pseudoinverse };

template <class Combination>
struct AlsAlgebraBesideTest : AlsAlgebraTest<Combination> {
  using typename AlsAlgebraTest<Combination>::Team;
  using AlsAlgebraTest<Combination>::rcond;
  using AlsAlgebraTest<Combination>::random_grams;
  using AlsAlgebraTest<Combination>::grams_with;
};
TYPED_TEST_SUITE(AlsAlgebraBesideTest, genten_test::ModelTypes, genten_test::TypeNames);

/// `every`: so many steps after which the statistics are read.
template <class Fixture>
void compare(std::size_t rank, Way way, int every) {
  SCOPED_TRACE(std::to_string(rank) + ", " + std::to_string(static_cast<int>(way)) + ", " +
               std::to_string(every));
  using Pass = DevicePass<typename Fixture::Team::Scalar, typename Fixture::Team::Exec>;
  const bool deficient = way == Way::pseudoinverse && rank > 1;
  auto grams = Fixture::random_grams(60, rank);
  if (deficient) {
    for (auto& gram : grams) std::fill(gram.elements.begin(), gram.elements.end(), 1.0);
  }
  const double limit = way == Way::two_factors ? 2.0 : Fixture::rcond;
  typename Fixture::Team waited(rank, grams, limit), beside(rank, grams, limit);
  std::unique_ptr<Pass> one, other;
  for (int each = 0; each < 4 * order; ++each) {
    const int mode = each % order;
    const PlainMatrix rows = random_matrix(310, rank, 20 + static_cast<unsigned>(each));
    const bool first = each < order;
    const PlainMatrix expected = step(waited, one, mode, rows, first, true);
    if (each == 0) {
      ASSERT_EQ(waited.count, way == Way::two_factors || deficient ? 2u : 1u);
    }
    const PlainMatrix found = step(beside, other, mode, rows, first, false);
    ASSERT_EQ(found.elements, expected.elements) << each;
    if ((each + 1) % every != 0) continue;
    const auto of_waited = waited.algebra.statistics(), of_beside = beside.algebra.statistics();
    ASSERT_EQ(of_beside.inner_product, of_waited.inner_product);
    ASSERT_EQ(of_beside.model_norm_squared, of_waited.model_norm_squared);
    ASSERT_EQ(of_beside.component_norms, of_waited.component_norms);
    ASSERT_EQ(beside.algebra.weights(), waited.algebra.weights());
    ASSERT_EQ(beside.algebra.correction(mode), waited.algebra.correction(mode));
    ASSERT_EQ(beside.algebra.rank_deficient_solves(), waited.algebra.rank_deficient_solves());
  }
  // Of a solve that nobody has applied, nothing is to be seen.
  const auto before = waited.algebra.statistics();
  (void)beside.algebra.solve(0, beside.transforms, 0.0, false);
  const auto after = beside.algebra.statistics();
  EXPECT_EQ(after.inner_product, before.inner_product);
  EXPECT_EQ(after.model_norm_squared, before.model_norm_squared);
  EXPECT_EQ(after.component_norms, before.component_norms);
  EXPECT_EQ(beside.algebra.rank_deficient_solves() > 0, deficient);
}

TYPED_TEST(AlsAlgebraBesideTest, UpdatesThatNobodyWaitsForHaveTheSameBits) {
  using Fixture = AlsAlgebraBesideTest<TypeParam>;
  for (const std::size_t rank : {1, 2, 16, 17, 32, 33, 56}) {
    for (const Way way : {Way::one_factor, Way::two_factors, Way::pseudoinverse}) {
      for (const int every : {1, order, 4 * order - 1}) {
        if (rank > 17 && every != order) continue;
        compare<Fixture>(rank, way, every);
        if (this->HasFatalFailure()) return;
      }
    }
  }
}

TYPED_TEST(AlsAlgebraBesideTest, WhatIsPendingIsThereForWhoeverAsks) {
  using Fixture = AlsAlgebraBesideTest<TypeParam>;
  using Algebra = decltype(Fixture::Team::algebra);
  using Pass = DevicePass<typename Fixture::Team::Scalar, typename Fixture::Team::Exec>;
  const std::size_t rank = 5;
  const auto grams = Fixture::random_grams(60, rank);
  const auto ask = [&](const auto& question) {
    typename Fixture::Team waited(rank, grams, Fixture::rcond), beside(rank, grams, Fixture::rcond);
    std::unique_ptr<Pass> one, other;
    for (int mode = 0; mode < order; ++mode) {
      const PlainMatrix rows = random_matrix(90, rank, 20 + static_cast<unsigned>(mode));
      (void)step(waited, one, mode, rows, false, true);
      (void)step(beside, other, mode, rows, false, false);
    }
    EXPECT_EQ(question(beside.algebra), question(waited.algebra));
  };
  ask([](Algebra& algebra) { return algebra.weights(); });
  ask([](Algebra& algebra) { return algebra.correction(order - 1); });
  ask([](Algebra& algebra) { return algebra.take_correction(order - 1); });
  ask([](Algebra& algebra) { return algebra.save().gram; });
  ask([](Algebra& algebra) { return algebra.save().predicted; });
  ask([](Algebra& algebra) { return algebra.save().statistics.component_norms; });
  ask([&](Algebra& algebra) {
    algebra.rescale(std::vector<double>(order * rank, 2.0));
    return algebra.save().gram;
  });
  ask([&](Algebra& algebra) {
    algebra.set_gram(order - 1, grams[0]);
    return algebra.save().gram;
  });
}

TYPED_TEST(AlsAlgebraBesideTest, FactorsThatAPassHasWrittenTakeThePlaceOfOthers) {
  using Fixture = AlsAlgebraBesideTest<TypeParam>;
  using Steps = typename Fixture::Team;
  using Pass = DevicePass<typename Steps::Scalar, typename Steps::Exec>;
  for (const std::size_t rank : {1, 5, 130}) {
    SCOPED_TRACE(rank);
    Steps team(rank, Fixture::random_grams(60, rank), Fixture::rcond);
    const PlainMatrix rows = random_matrix(90, rank, 7);
    (void)team.step(1, rows, true);
    auto expected = team.algebra.save();
    ASSERT_NE(expected.correction[rank], 1.0);
    Pass pass(team.exec,
              genten_test::to_matrix<typename Steps::Scalar, typename Steps::Exec>(rows));
    for (std::size_t i = 0; i < rank * rank; ++i) pass.gram()(i) = static_cast<double>(i);
    team.algebra.take_factor(team.exec, 1, pass);
    team.exec.fence();
    // What is queued on the instance now may write there again.
    Kokkos::deep_copy(pass.gram(), -1.0);
    const auto found = team.algebra.save();
    for (std::size_t i = 0; i < rank * rank; ++i) {
      expected.gram[rank * rank + i] = static_cast<double>(i);
    }
    std::fill_n(expected.correction.data() + rank, rank, 1.0);
    EXPECT_EQ(found.gram, expected.gram);
    EXPECT_EQ(found.correction, expected.correction);
    EXPECT_EQ(found.predicted, expected.predicted);
    EXPECT_EQ(found.weights, expected.weights);
    // And back.
    team.algebra.restore(expected);
    EXPECT_EQ(team.algebra.save().gram, expected.gram);
  }
}

TYPED_TEST(AlsAlgebraBesideTest, RankDeficientSolvesAreCountedOnFromASavedState) {
  using Fixture = AlsAlgebraBesideTest<TypeParam>;
  PlainMatrix ones(3, 3);
  std::fill(ones.elements.begin(), ones.elements.end(), 1.0);
  typename Fixture::Team team(3, Fixture::grams_with(ones), Fixture::rcond);
  typename Fixture::Team other(3, Fixture::grams_with(ones), Fixture::rcond);
  for (const bool waits : {true, false}) (void)team.algebra.solve(0, team.transforms, 0.0, waits);
  const auto saved = team.algebra.save();
  EXPECT_EQ(saved.rank_deficient_solves, 2u);
  other.algebra.restore(saved);
  (void)other.algebra.solve(0, other.transforms, 0.0, false);
  EXPECT_EQ(other.algebra.rank_deficient_solves(), 3u);
}

}  // namespace
