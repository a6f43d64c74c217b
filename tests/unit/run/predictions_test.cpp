// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/run/predictions.hpp>

#include "plain.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

TEST(Predictions, BeyondALimitArePartOfAllEntries) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  genten_test::PlainMatrix ones(100, 1), one(1, 1);
  std::fill(ones.elements.begin(), ones.elements.end(), 1.0);
  one(0, 0) = 1.0;
  ones(7, 0) = -10.0;
  const auto model = genten_test::to_ktensor<double, Exec>({{3.0}, {ones, one, one}});
  EXPECT_EQ(part_beyond(Exec(), model, 2.0), 1.0);
  EXPECT_NEAR(part_beyond(Exec(), model, 3.0), 0.01, 0.004);
  EXPECT_EQ(part_beyond(Exec(), model, 30.0), 0.0);
}

}  // namespace
