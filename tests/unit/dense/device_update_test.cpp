// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The pass of FactorUpdate that devices make, on every execution space.
#include <genten/dense/detail/factor_update_device.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using genten_test::PlainMatrix;
using genten_test::random_matrix;
using genten_test::times;

/// Where the results of the last launch are copied to.
template <class Exec>
struct CopyResults {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  double *gram, *column_max, *dots;
  std::size_t rank;

  KOKKOS_FUNCTION void operator()(const Member& team, const double* found) const {
    const double* const lines = found + rank * rank;
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, static_cast<int>(rank * rank)),
                         [&](const int i) { gram[i] = found[i]; });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, static_cast<int>(rank)), [&](const int i) {
      column_max[i] = lines[i];
      dots[i] = lines[rank + static_cast<std::size_t>(i)];
    });
  }
};

/// A matrix, two transforms, and all that a pass needs.
template <class Combination>
struct Passes {
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Matrix = genten::FacMatrix<Scalar, Exec>;
  using Update = genten::detail::DeviceUpdate<Scalar, Exec>;
  using Results = Kokkos::View<double*, typename genten::detail::Backend<Exec>::pinned_space>;

  Exec exec;
  std::size_t rank, stride = genten::padded_stride(rank, sizeof(Scalar));
  std::size_t most_chunks = Update::most_chunks(8 * (stride * stride + 2 * stride));
  PlainMatrix old, transforms[2];
  Matrix matrix, factors[2];
  Kokkos::View<double*, typename Exec::memory_space> partial{
      "partial", most_chunks*(stride* stride + 2 * stride)};
  Kokkos::View<int, typename Exec::memory_space> count{"count"};
  Results results{"results", rank*(rank + 2)};

  Passes(std::size_t rows, std::size_t columns) : rank(columns), old(random_matrix(rows, rank, 1)) {
    for (unsigned k = 0; k < 2; ++k) {
      transforms[k] = random_matrix(rank, rank, 2 + k);
      factors[k] = genten_test::to_matrix<Scalar, Exec>(transforms[k]);
    }
    reset();
  }
  void reset() {
    matrix = genten_test::to_matrix<Scalar, Exec>(old);
    Kokkos::deep_copy(results, -1.0);
  }
  [[nodiscard]] Update update() const {
    return {exec, matrix.data(), matrix.rows(), matrix.stride(),
            rank, stride,        most_chunks,   partial.data()};
  }
  /// With one transform or two, which the host or a kernel knows.
  [[nodiscard]] typename Update::Call call(int of_these, bool host_knows) const {
    Kokkos::deep_copy(count, of_these);
    double* const to = results.data();
    return {factors[0].data(),
            host_knows && of_these == 1 ? nullptr : factors[1].data(),
            host_knows ? nullptr : count.data(),
            to,
            to + rank * rank,
            to + rank * (rank + 1)};
  }
  /// The matrix and what was found in it.
  [[nodiscard]] std::vector<double> found() const {
    exec.fence();
    std::vector<double> all = genten_test::plain(matrix).elements;
    all.insert(all.end(), results.data(), results.data() + results.size());
    return all;
  }
  [[nodiscard]] std::vector<double> run(int of_these, bool host_knows) {
    reset();
    update().run(call(of_these, host_knows), nullptr);
    return found();
  }
  [[nodiscard]] std::vector<double> run_and_finish(int of_these) {
    reset();
    const auto whole = call(of_these, false);
    const std::size_t teams = update().update_rows(whole);
    update().finish(teams, CopyResults<Exec>{whole.gram, whole.column_max, whole.dots, rank});
    return found();
  }
};

template <class Combination>
class DeviceUpdateTest : public testing::Test {};
TYPED_TEST_SUITE(DeviceUpdateTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(DeviceUpdateTest, AgreesWithPlainLoops) {
  using Fixture = Passes<TypeParam>;
  constexpr double epsilon = std::numeric_limits<typename TypeParam::Scalar>::epsilon();
  for (const std::size_t rank : {1, 2, 3, 9, 16, 17, 20, 25, 28, 33, 40, 48, 56, 64, 70}) {
    for (const std::size_t rows : {1, 130, 700, 9000, 70000}) {
      // Teams have several tiles of the last two, of which the first is short.
      if (rows > 700 && rank != 9 && rank != 16) continue;
      Fixture passes(rows, rank);
      PlainMatrix now = passes.old;
      for (int of_these = 1; of_these <= 2; ++of_these) {
        SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(rank) + ", " +
                     std::to_string(of_these));
        now = times(now, passes.transforms[of_these - 1]);
        double largest = 0.0;
        for (const double x : now.elements) largest = std::max(largest, std::abs(x));
        const std::vector<double> found = passes.run(of_these, true);
        const double size = static_cast<double>(rows) * largest * largest;
        const double tolerance = 40.0 * static_cast<double>(rank) * epsilon;
        for (std::size_t k = 0; k < now.elements.size(); ++k) {
          ASSERT_NEAR(found[k], now.elements[k], tolerance * largest);
        }
        const double* const gram = found.data() + now.elements.size();
        const double* const dots = gram + rank * (rank + 1);
        for (std::size_t a = 0; a < rank; ++a) {
          double dot = 0.0;
          for (std::size_t i = 0; i < rows; ++i) dot += passes.old(i, a) * now(i, a);
          ASSERT_NEAR(dots[a], dot, tolerance * size);
          for (std::size_t b = 0; b < rank; ++b) {
            double sum = 0.0;
            for (std::size_t i = 0; i < rows; ++i) sum += now(i, a) * now(i, b);
            ASSERT_NEAR(gram[a * rank + b], sum, tolerance * size);
          }
        }
      }
    }
  }
}

TYPED_TEST(DeviceUpdateTest, TransformsThatAKernelCountsGiveTheSameBits) {
  for (const std::size_t rank : {1, 2, 3, 16, 17, 26, 33, 56}) {
    Passes<TypeParam> passes(300, rank);
    const auto one = passes.run(1, true), two = passes.run(2, true);
    EXPECT_NE(one, two);
    EXPECT_EQ(passes.run(1, false), one) << rank;
    EXPECT_EQ(passes.run(2, false), two) << rank;
  }
}

TYPED_TEST(DeviceUpdateTest, ShortMatricesAreFinishedInOneLaunchWithTheSameBits) {
  for (const std::size_t rank : {1, 2, 3, 8, 16, 17, 26, 32, 33, 56}) {
    for (const std::size_t rows : {1, 100, 200, 1000, 5000, 20000}) {
      Passes<TypeParam> passes(rows, rank);
      if (!passes.update().is_short()) continue;
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(rank));
      const auto expected = passes.run(1, true);
      for (int k = 0; k < 3; ++k) ASSERT_EQ(passes.run_and_finish(1), expected);
      ASSERT_EQ(passes.run_and_finish(2), passes.run(2, true));
    }
  }
  EXPECT_TRUE(Passes<TypeParam>(16384, 16).update().is_short());
  EXPECT_FALSE(Passes<TypeParam>(20000, 16).update().is_short());
  EXPECT_FALSE(Passes<TypeParam>(10, 64).update().is_short());
}

TYPED_TEST(DeviceUpdateTest, NansAreFoundInEveryChunk) {
  using Fixture = Passes<TypeParam>;
  const std::size_t rank = 5;
  for (const std::size_t row : {0, 500, 4999}) {
    Fixture passes(5000, rank);
    passes.old(row, 2) = std::numeric_limits<double>::quiet_NaN();
    const auto found = passes.run_and_finish(1);
    const double* const results = found.data() + passes.old.elements.size();
    for (std::size_t r = 0; r < rank * (rank + 2); ++r) {
      EXPECT_TRUE(std::isnan(results[r])) << "row " << row << ", result " << r;
    }
  }
}

}  // namespace
