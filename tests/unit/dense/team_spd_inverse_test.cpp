// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/dense/spd_inverse.hpp>
#include <genten/dense/team_spd_inverse.hpp>

#include "dense_support.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using genten::SmallMatrix;
using genten_test::random_gram;

/// Outcome of TeamSpdInverse.
struct Outcome {
  bool finite = false, definite = false;
  double rcond = 0.0;
};

/// One team inverts `matrix` (n x n) as the class' documentation says.
template <class Exec>
struct InvertByTeam {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Doubles = Kokkos::View<double*, typename Exec::memory_space>;

  int n;
  Doubles matrix, workspace, inverse;
  Kokkos::View<Outcome, typename Exec::memory_space> outcome;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const genten::TeamSpdInverse<Member> spd(team, n, workspace.data());
    const auto load = [&] {
      spd.for_each([&](int i, int j) { spd.at(i, j) = matrix(i * n + j); });
    };
    load();
    double rcond = 0.0;
    bool finite = true;
    const bool definite = spd.invert(rcond);
    if (definite) {
      spd.for_each([&](int i, int j) { inverse(i * n + j) = spd.inverse(i, j); });
    } else {
      load();
      finite = spd.finite();
    }
    if (!definite && finite) {
      spd.diagonalize();
      spd.for_each([&](int i, int j) {
        double sum = 0.0;
        for (int k = 0; k < n; ++k) {
          sum += spd.scaled_eigenvector(k, i) * spd.scaled_eigenvector(k, j);
        }
        inverse(i * n + j) = sum;
      });
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] { outcome() = Outcome{finite, definite, rcond}; });
  }
};

template <class Combination>
class TeamSpdInverseTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;

  static Outcome invert(const SmallMatrix& from, SmallMatrix& result) {
    using Task = InvertByTeam<Exec>;
    const std::size_t n = from.size;
    using Doubles = typename Task::Doubles;
    const Doubles matrix("matrix", n * n), inverse("inverse", n * n),
        workspace("workspace", genten::TeamSpdInverse<typename Task::Member>::workspace_size(
                                   static_cast<int>(n)));
    using Host = Kokkos::View<const double*, Kokkos::HostSpace>;
    Kokkos::deep_copy(matrix, Host(from.values.data(), n * n));
    const Kokkos::View<Outcome, typename Exec::memory_space> outcome("outcome");
    const Exec exec;
    Kokkos::parallel_for("genten::test_team_spd_inverse",
                         Kokkos::TeamPolicy<Exec>(exec, 1, Kokkos::AUTO),
                         Task{static_cast<int>(n), matrix, workspace, inverse, outcome});
    exec.fence();
    result = SmallMatrix(n);
    Kokkos::deep_copy(Kokkos::View<double*, Kokkos::HostSpace>(result.values.data(), n * n),
                      inverse);
    return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), outcome)();
  }

  /// The inverse by the host's function, where one factor is it or two are.
  static SmallMatrix by_lapack(const SmallMatrix& matrix) {
    const auto inverse = genten::spd_inverse(matrix);
    if (inverse.factors.size() == 1) return inverse.factors[0];
    SmallMatrix product(matrix.size);
    for (std::size_t i = 0; i < matrix.size; ++i) {
      for (std::size_t k = 0; k < matrix.size; ++k) {
        for (std::size_t j = 0; j < matrix.size; ++j) {
          product(i, j) += inverse.factors[0](i, k) * inverse.factors[1](k, j);
        }
      }
    }
    return product;
  }

  static void expect_near(const SmallMatrix& a, const SmallMatrix& b, double relative) {
    double size = 0.0;
    for (const double x : b.values) size = std::max(size, std::abs(x));
    for (std::size_t k = 0; k < a.values.size(); ++k) {
      ASSERT_NEAR(a.values[k], b.values[k], relative * size) << a.size << ": " << k;
    }
  }
};

/// Once a space: there are doubles alone, and no ordinals.
template <class Exec>
using WithDouble = std::tuple<genten_test::Types<Exec, double>>;
using Spaces = decltype(genten_test::combinations<WithDouble>(genten_test::AllSpaces()));
TYPED_TEST_SUITE(TeamSpdInverseTest, Spaces, genten_test::TypeNames);

TYPED_TEST(TeamSpdInverseTest, DefiniteMatricesGetTheInverseOfLapack) {
  using Fixture = TeamSpdInverseTest<TypeParam>;
  for (const std::size_t n : {1, 2, 3, 4, 5, 16, 17, 32, 33}) {
    const SmallMatrix matrix = random_gram(3 * n, n, 7);
    SmallMatrix inverse;
    const Outcome outcome = Fixture::invert(matrix, inverse);
    EXPECT_TRUE(outcome.finite) << n;
    EXPECT_TRUE(outcome.definite) << n;
    EXPECT_GT(outcome.rcond, 1e-6) << n;
    EXPECT_LE(outcome.rcond, 1.0 + 1e-12) << n;
    Fixture::expect_near(inverse, Fixture::by_lapack(matrix), 1e-10);
  }
}

TYPED_TEST(TeamSpdInverseTest, SingularMatricesGetThePseudoinverseOfLapack) {
  using Fixture = TeamSpdInverseTest<TypeParam>;
  for (const std::size_t n : {2, 5, 20}) {
    for (const std::size_t rank : {std::size_t{1}, n - 1}) {
      const SmallMatrix matrix = random_gram(rank, n, 7);
      SmallMatrix inverse;
      const Outcome outcome = Fixture::invert(matrix, inverse);
      EXPECT_TRUE(outcome.finite) << n;
      EXPECT_FALSE(outcome.definite) << n;
      Fixture::expect_near(inverse, Fixture::by_lapack(matrix), 1e-8);
    }
  }
}

TYPED_TEST(TeamSpdInverseTest, NonFiniteMatricesAreTold) {
  using Fixture = TeamSpdInverseTest<TypeParam>;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (const std::size_t n : {1, 8, 9, 18}) {
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = i; j < n; ++j) {
          SmallMatrix matrix = random_gram(n + 3, n, 7), inverse;
          matrix(i, j) = matrix(j, i) = bad;
          const Outcome outcome = Fixture::invert(matrix, inverse);
          EXPECT_FALSE(outcome.finite) << n << ": " << i << ' ' << j;
          EXPECT_FALSE(outcome.definite) << n << ": " << i << ' ' << j;
        }
      }
    }
  }
}

}  // namespace
