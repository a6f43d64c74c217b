// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Which ranks are larger than a shape has use for.

#include "tools/hints/large_rank.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace {

using genten::tools::rank_note;
using genten::tools::why_too_large;
using Dimensions = std::vector<std::size_t>;

TEST(LargeRank, IsMoreThanTheFibersOfTheLongestMode) {
  const std::string why = "more than the 8 with which any tensor of this shape is exact";
  for (const Dimensions& shape : {Dimensions{4, 2, 2, 2}, Dimensions{2, 2, 4, 2}}) {
    EXPECT_EQ(why_too_large(8, shape, true), "");
    EXPECT_EQ(why_too_large(9, shape, true), why);
    EXPECT_EQ(rank_note(9, shape, true), "rank 9 is " + why);
  }
  // Of several modes that are as long as the longest one is left out.
  EXPECT_EQ(why_too_large(9, Dimensions{3, 3, 3}, true), "");
  EXPECT_NE(why_too_large(10, Dimensions{3, 3, 3}, true), "");
  EXPECT_NE(why_too_large(2, Dimensions{7}, true), "");
}

TEST(LargeRank, IsMoreThanEveryModeIsLongWhereNobodyHasChosenIt) {
  EXPECT_EQ(why_too_large(16, Dimensions{10, 9, 8}, true), "");
  EXPECT_EQ(rank_note(16, Dimensions{10, 9, 8}, false),
            "no rank was given, and the default, 16, is more than every mode is long, at most 10, "
            "so that the columns of each factor depend on each other: give a smaller one, as "
            "--rank 3");
  EXPECT_EQ(why_too_large(16, Dimensions{16, 9, 8}, false), "");
}

TEST(LargeRank, IsNoneOfEmptyShapesAndOfHugeOnes) {
  EXPECT_EQ(why_too_large(5, Dimensions{}, true), "");
  EXPECT_EQ(why_too_large(5, Dimensions{3, 0, 3}, true), "");
  const std::size_t huge = std::size_t{1} << 62;
  EXPECT_EQ(why_too_large(1000000, Dimensions{huge, huge, huge}, true), "");
}

}  // namespace
