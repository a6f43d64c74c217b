// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/core/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace {

using namespace genten;

// The first outputs of the published SplitMix64 generator seeded with 0: its state after k steps is
// k times the increment, so output k + 1 mixes k increments.
TEST(Random, MixesAsPublished) {
  constexpr std::uint64_t increment = 0x9e3779b97f4a7c15ull;
  EXPECT_EQ(mix_bits(0), 0xe220a8397b1dcdafull);
  EXPECT_EQ(mix_bits(increment), 0x6e789e6aa1b965f4ull);
  EXPECT_EQ(mix_bits(2 * increment), 0x06c45d188009454full);
}

TEST(Random, DependsOnEveryArgument) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    for (std::uint64_t a = 0; a < 6; ++a) {
      for (std::uint64_t b = 0; b < 6; ++b) {
        for (std::uint64_t c = 0; c < 6; ++c) seen.insert(random_bits(seed, a, b, c));
      }
    }
  }
  EXPECT_EQ(seen.size(), 6u * 6 * 6 * 6);
}

TEST(Random, UniformHasTheRightRangeAndMoments) {
  EXPECT_EQ(uniform_from_bits(0), 0.0);
  EXPECT_LT(uniform_from_bits(~std::uint64_t{0}), 1.0);
  constexpr int count = 100000;
  double sum = 0.0, squares = 0.0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double u = random_uniform(3, 1, i, 2);
    sum += u;
    squares += u * u;
  }
  // Five standard deviations of the mean of u and of u^2.
  EXPECT_NEAR(sum / count, 1.0 / 2, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
}

TEST(Random, NormalHasTheRightMoments) {
  constexpr int count = 100000;
  double sum = 0.0, squares = 0.0, fourths = 0.0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = random_normal(5, 0, i, 1);
    ASSERT_TRUE(std::isfinite(x));
    sum += x;
    squares += x * x;
    fourths += x * x * x * x;
  }
  EXPECT_NEAR(sum / count, 0.0, 5 * std::sqrt(1.0 / count));
  EXPECT_NEAR(squares / count, 1.0, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(fourths / count, 3.0, 5 * std::sqrt(96.0 / count));
}

}  // namespace
