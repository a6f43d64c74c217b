// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/fill_random.hpp>
#include <genten/core/ktensor_ops.hpp>

#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

namespace {

using genten::FactorKind;
using genten_test::plain;

template <class Combination>
class FillRandomTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Matrix = genten::FacMatrix<Scalar, Exec>;

  const Exec exec{};
};

TYPED_TEST_SUITE(FillRandomTest, genten_test::ModelTypes, genten_test::TypeNames);

TYPED_TEST(FillRandomTest, ElementsAreHashesOfSeedModeRowAndColumn) {
  using Real = typename TypeParam::Scalar;
  // Devices have logarithms and cosines of their own.
  const double rounding =
      genten::is_host_space<typename TypeParam::Exec> ? 0.0 : (sizeof(Real) == 4 ? 1e-5 : 1e-13);
  const typename TestFixture::Matrix uniform(50, 3), normal(50, 3);
  fill_random(this->exec, uniform, 42, 2, FactorKind::uniform);
  fill_random(this->exec, normal, 42, 2, FactorKind::normal);
  const auto host_uniform = plain(uniform), host_normal = plain(normal);
  for (std::size_t i = 0; i < 50; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(host_uniform(i, j), static_cast<Real>(genten::random_uniform(42, 2, i, j)));
      EXPECT_NEAR(host_normal(i, j), static_cast<Real>(genten::random_normal(42, 2, i, j)),
                  rounding);
    }
  }
}

TYPED_TEST(FillRandomTest, RowsHaveTheNumbersThatTheyAreGiven) {
  using Fixture = FillRandomTest<TypeParam>;
  const std::vector<std::uint32_t> numbers{7, 0, 49, 3};
  const Kokkos::View<std::uint32_t*, typename Fixture::Exec::memory_space> rows("rows", 4);
  const auto host = Kokkos::create_mirror_view(rows);
  std::copy(numbers.begin(), numbers.end(), host.data());
  Kokkos::deep_copy(rows, host);
  for (const FactorKind kind : {FactorKind::uniform, FactorKind::normal}) {
    const typename Fixture::Matrix all(50, 5), some(4, 5);
    fill_random(this->exec, all, 9, 1, kind);
    fill_random(this->exec, some, 9, 1, kind, rows);
    const auto of_all = plain(all), of_some = plain(some);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(of_some(i, j), of_all(numbers[i], j));
    }
  }
}

TYPED_TEST(FillRandomTest, PaddingStaysZero) {
  const typename TestFixture::Matrix matrix(6, 5);
  fill_random(this->exec, matrix, 1, 0, FactorKind::normal);
  const auto host = genten_test::on_host(matrix);
  ASSERT_GT(host.stride(), 5u);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 5; j < host.stride(); ++j) EXPECT_EQ(host.row(i)[j], 0);
  }
}

TYPED_TEST(FillRandomTest, RandomModelsAreFilledModeByMode) {
  using Fixture = FillRandomTest<TypeParam>;
  using Real = typename TypeParam::Scalar;
  const std::vector<std::size_t> dimensions{6, 7, 3, 8};
  for (const FactorKind kind : {FactorKind::uniform, FactorKind::normal}) {
    const auto model = genten::random_ktensor<Real>(this->exec, dimensions, 5, 42, kind);
    EXPECT_EQ(model.dimensions(), dimensions);
    EXPECT_EQ(plain(model).weights, std::vector<double>(5, 1.0));
    for (int n = 0; n < 4; ++n) {
      const typename Fixture::Matrix expected(dimensions[static_cast<std::size_t>(n)], 5);
      fill_random(this->exec, expected, 42, n, kind);
      EXPECT_EQ(plain(model.factor(n)).elements, plain(expected).elements);
      const auto host = genten_test::on_host(model.factor(n));
      for (std::size_t i = 0; i < host.rows(); ++i) {
        for (std::size_t j = 5; j < host.stride(); ++j) EXPECT_EQ(host.row(i)[j], 0);
      }
    }
    const auto other = genten::random_ktensor<Real>(this->exec, dimensions, 5, 43, kind);
    EXPECT_NE(plain(model).factors[0].elements, plain(other).factors[0].elements);
  }
}

}  // namespace
