// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Which ranks are larger than a shape has use for.

#include "tools/hints/large_rank.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using genten::tools::rank_note;
using genten::tools::RankUse;
using genten::tools::small_rank;
using genten::tools::why_too_large;
using Dimensions = std::vector<std::size_t>;

constexpr RankUse chosen{.chosen = true}, unchosen{.chosen = false};

TEST(LargeRank, IsMoreThanTheFibersOfTheLongestMode) {
  const std::string why = "more than the 8 with which any tensor of this shape is exact";
  for (const Dimensions& shape : {Dimensions{4, 2, 2, 2}, Dimensions{2, 2, 4, 2}}) {
    EXPECT_EQ(why_too_large(8, shape, chosen), "");
    EXPECT_EQ(why_too_large(9, shape, chosen), why);
    EXPECT_EQ(rank_note(9, shape, chosen), "rank 9 is " + why);
  }
  // Of several modes that are as long as the longest one is left out.
  EXPECT_EQ(why_too_large(9, Dimensions{3, 3, 3}, chosen), "");
  EXPECT_NE(why_too_large(10, Dimensions{3, 3, 3}, chosen), "");
  EXPECT_NE(why_too_large(2, Dimensions{7}, chosen), "");
}

TEST(LargeRank, IsMoreThanEveryModeIsLongWhereNobodyHasChosenIt) {
  EXPECT_EQ(why_too_large(16, Dimensions{10, 9, 8}, chosen), "");
  EXPECT_EQ(rank_note(16, Dimensions{10, 9, 8}, unchosen),
            "no rank was given, and the default, 16, is more than every mode is long, at most 10, "
            "so that the columns of each factor depend on each other: give a smaller one, as "
            "--rank 3");
  EXPECT_EQ(why_too_large(16, Dimensions{16, 9, 8}, unchosen), "");
}

TEST(LargeRank, IsNotSaidToBeExactUnderConstraints) {
  const Dimensions shape{4, 2, 2, 2};
  EXPECT_EQ(why_too_large(9, shape, {.chosen = true, .constrained = true}), "");
  const std::string why = why_too_large(9, shape, {.chosen = false, .constrained = true});
  EXPECT_TRUE(why.starts_with("more than every mode is long, at most 4,")) << why;
  EXPECT_EQ(why_too_large(4, shape, {.chosen = false, .constrained = true}), "");
}

TEST(LargeRank, HasASmallerOneThatIsNotTooLargeItself) {
  EXPECT_EQ(small_rank(Dimensions{4, 2, 2, 2}), 3U);
  for (const Dimensions& shape : {Dimensions{2, 5}, Dimensions{2, 2, 2}, Dimensions{1, 9},
                                  Dimensions{7}, Dimensions{1, 1, 1}, Dimensions{9, 9}}) {
    EXPECT_EQ(why_too_large(small_rank(shape), shape, unchosen), "");
    EXPECT_TRUE(small_rank(shape) == 3 ||
                why_too_large(small_rank(shape) + 1, shape, unchosen) != "");
  }
  EXPECT_TRUE(rank_note(16, Dimensions{2, 5}, unchosen).ends_with("as --rank 2"));
}

TEST(LargeRank, IsNoneOfEmptyShapesAndOfHugeOnes) {
  EXPECT_EQ(why_too_large(5, Dimensions{}, chosen), "");
  EXPECT_EQ(why_too_large(5, Dimensions{3, 0, 3}, chosen), "");
  const std::size_t huge = std::size_t{1} << 62;
  EXPECT_EQ(why_too_large(1000000, Dimensions{huge, huge, huge}, chosen), "");
}

}  // namespace
