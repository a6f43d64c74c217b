// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Which words name months.

#include "base/months.hpp"

#include <gtest/gtest.h>

namespace {

using genten::month_called;

TEST(Months, AreNamedInFullOrShort) {
  EXPECT_EQ(month_called("january"), 1);
  EXPECT_EQ(month_called("May"), 5);
  EXPECT_EQ(month_called("JUN"), 6);
  EXPECT_EQ(month_called("Sep"), 9);
  EXPECT_EQ(month_called("Sept"), 9);
  EXPECT_EQ(month_called("December"), 12);
}

TEST(Months, AreNoOtherWords) {
  for (const char* const word : {"", "ma", "marc", "octo", "decembers", "Tue", "june2", "Mai"}) {
    EXPECT_EQ(month_called(word), 0) << word;
  }
}

}  // namespace
