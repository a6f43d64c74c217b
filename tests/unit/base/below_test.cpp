// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/simd.hpp>

#include "test_types.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using genten::offset_t;
using genten::detail::below;
using genten::detail::larger;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(BelowTest, OrdersNumbersAndPutsNanAboveThem) {
  EXPECT_TRUE(below(1.0, 2.0));
  EXPECT_FALSE(below(2.0, 1.0));
  EXPECT_FALSE(below(1.0, 1.0));
  EXPECT_TRUE(below(infinity, nan));
  EXPECT_FALSE(below(nan, infinity));
  EXPECT_FALSE(below(nan, nan));
  EXPECT_TRUE(below(-3, 4));
}

TEST(BelowTest, TheLargerOfANumberAndNanIsNan) {
  EXPECT_EQ(larger(1.0, 2.0), 2.0);
  EXPECT_EQ(larger(2.0, 1.0), 2.0);
  EXPECT_TRUE(std::isnan(larger(1.0, nan)));
  EXPECT_TRUE(std::isnan(larger(nan, 1.0)));
}

template <class Scalar>
class SimdMagnitudeTest : public testing::Test {};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(SimdMagnitudeTest, Scalars, );

TYPED_TEST(SimdMagnitudeTest, KeepsTheLargestMagnitudeOfEachLaneAndNan) {
  using Scalar = TypeParam;
  constexpr int width = 4;
  using Pack = genten::detail::SimdVector<Scalar, width>;
  const Scalar bad = std::numeric_limits<Scalar>::quiet_NaN();
  const Scalar huge = std::numeric_limits<Scalar>::max();
  const Scalar tiny = std::numeric_limits<Scalar>::denorm_min();
  const Scalar shown[3][width] = {{-1, Scalar(-0.0), bad, -huge},
                                  {Scalar(0.5), -tiny, 2, std::numeric_limits<Scalar>::infinity()},
                                  {Scalar(0.75), 0, 3, -bad}};
  genten::detail::SimdMagnitude<Scalar, width> largest;
  Scalar after[3][width];
  for (int i = 0; i < 3; ++i) {
    largest.include(Pack::load(shown[i]));
    largest.store(after[i]);
  }
  EXPECT_EQ(after[0][0], 1);
  EXPECT_EQ(after[0][1], 0);
  EXPECT_FALSE(std::signbit(after[0][1]));
  EXPECT_EQ(after[0][3], huge);
  EXPECT_EQ(after[1][3], std::numeric_limits<Scalar>::infinity());
  EXPECT_EQ(after[2][0], 1);
  EXPECT_EQ(after[2][1], tiny);
  EXPECT_TRUE(std::isnan(after[2][2]));
  EXPECT_TRUE(std::isnan(after[2][3]));
}

template <class Combination>
class MaxJoinTest : public testing::Test {
 public:  // device lambdas may not stand in protected members
  using Exec = typename Combination::Exec;

  double largest(offset_t count, offset_t bad) const {
    const double bad_value = nan;
    return genten::detail::chunked_reduce<double>(
        "genten::test_largest", Exec(), count,
        KOKKOS_LAMBDA(const offset_t i) {
          return i == bad ? bad_value : static_cast<double>(i % 1000);
        },
        0.0, genten::detail::MaxJoin());
  }
};

/// Once a space: there are doubles alone, and no ordinals.
template <class Exec>
using WithDouble = std::tuple<genten_test::Types<Exec, double>>;
using Spaces = decltype(genten_test::combinations<WithDouble>(genten_test::AllSpaces()));
TYPED_TEST_SUITE(MaxJoinTest, Spaces, genten_test::TypeNames);

TYPED_TEST(MaxJoinTest, AMaximumOverAnythingWithNanIsNan) {
  for (const offset_t count : {1, 10, 5000, 300'000}) {
    EXPECT_EQ(this->largest(count, count),
              static_cast<double>(std::min<offset_t>(count, 1000) - 1));
    for (const offset_t bad : {offset_t{0}, count / 2, count - 1}) {
      EXPECT_TRUE(std::isnan(this->largest(count, bad))) << count << ", " << bad;
    }
  }
}

}  // namespace
