// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/error.hpp>
#include <genten/base/instruction_set.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using genten::instruction_set;
using genten::instruction_sets;

TEST(InstructionSet, IsOneThatTheProcessorHas) {
  const auto sets = instruction_sets();
  ASSERT_FALSE(sets.empty());
  EXPECT_NE(std::find(sets.begin(), sets.end(), instruction_set()), sets.end());
}

TEST(InstructionSet, CanBeChosen) {
  const std::string before{instruction_set()};
  for (const auto set : instruction_sets()) {
    genten::use_instruction_set(set);
    EXPECT_EQ(instruction_set(), set);
  }
  genten::use_instruction_set(before);
}

TEST(InstructionSet, ThatIsNotThereIsRefusedWithThoseThatAre) {
  const std::string before{instruction_set()};
  try {
    genten::use_instruction_set("v9");
    FAIL() << "expected an Error";
  } catch (const genten::Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("got 'v9'"), std::string::npos) << text;
    EXPECT_NE(text.find(instruction_sets().back()), std::string::npos) << text;
  }
  EXPECT_EQ(instruction_set(), before);
}

}  // namespace
