// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/format/record_layout.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace {

using genten::RecordLayout;
using genten::detail::bits_for;

/// Puts subscripts into a record and takes them out again.
void expect_round_trip(const RecordLayout& layout, const std::vector<std::uint64_t>& subscripts) {
  std::uint64_t record[2] = {0, 0};
  for (std::size_t n = 0; n < subscripts.size(); ++n) {
    record[layout.fields[n].word] |= layout.fields[n].put(subscripts[n]);
  }
  for (std::size_t n = 0; n < subscripts.size(); ++n) {
    EXPECT_EQ(layout.fields[n].get(record), subscripts[n]) << "mode " << n;
    EXPECT_LT(layout.fields[n].shift, 64) << "mode " << n;  // more would be undefined
  }
  if (layout.key_words == 1) {
    EXPECT_EQ(record[1], 0u);
  }
}

TEST(RecordLayoutTest, SubscriptsComeBackFromTheirKeys) {
  const std::size_t k32 = std::size_t{1} << 32, k40 = std::size_t{1} << 40;
  const std::vector<std::vector<std::size_t>> shapes = {
      {1},
      {0, 5},
      {7},
      {1, 1, 1},
      {2, 3, 4, 5, 6, 7, 8, 9},
      {k32, k32},               // 64 bits exactly
      {k32, k32, 1},            // and a mode that takes none
      {k32, k32, k32, k32},     // 128 bits exactly
      {k40, k40},               // no subscript lies in both words
      {k40, 3, k40, 5, 1000},   // short modes fill the rest of the first word
      {~std::size_t{0}, 1, 2},  // a mode that takes a word
      {~std::size_t{0}, ~std::size_t{0}, 1},
      std::vector<std::size_t>(16, 256)};
  std::mt19937_64 random(1);
  for (const auto& shape : shapes) {
    const auto layout = RecordLayout::for_dimensions(shape, std::nullopt);
    ASSERT_TRUE(layout.has_value());
    EXPECT_EQ(layout->order, static_cast<int>(shape.size()));
    int bits = 0;
    std::vector<std::uint64_t> last;
    for (const std::size_t length : shape) {
      bits += bits_for(length);
      last.push_back(length == 0 ? 0 : length - 1);
    }
    EXPECT_EQ(layout->key_words, bits <= 64 ? 1 : 2);
    EXPECT_EQ(layout->words, layout->key_words + 1);
    expect_round_trip(*layout, last);
    expect_round_trip(*layout, std::vector<std::uint64_t>(shape.size(), 0));
    for (int trial = 0; trial < 20; ++trial) {
      auto subscripts = last;
      for (auto& i : subscripts) i = i == 0 ? 0 : random() % i;
      expect_round_trip(*layout, subscripts);
    }
  }
}

TEST(RecordLayoutTest, MoreThanTwoWordsAreRefused) {
  const std::size_t k32 = std::size_t{1} << 32;
  EXPECT_FALSE(
      RecordLayout::for_dimensions(std::vector<std::size_t>{k32, k32, k32, k32, 2}, 0).has_value());
  EXPECT_FALSE(RecordLayout::for_dimensions(std::vector<std::size_t>(16, 257), 0).has_value());
}

// Three modes of 40 bits have 120 bits in all, but no two of them share a word.
TEST(RecordLayoutTest, FieldsAreNotSplitBetweenWords) {
  const std::size_t k40 = std::size_t{1} << 40;
  EXPECT_FALSE(
      RecordLayout::for_dimensions(std::vector<std::size_t>{k40, k40, k40}, 0).has_value());
}

// A code goes where there is room for it; without room, or without a code, the value has a word.
TEST(RecordLayoutTest, ValuesAreCodedWhereTheCodeHasRoom) {
  const std::size_t k32 = std::size_t{1} << 32, k28 = std::size_t{1} << 28;
  const auto words = [](const std::vector<std::size_t>& shape, std::optional<int> bits) {
    const auto layout = RecordLayout::for_dimensions(shape, bits);
    return std::pair{layout->words, layout->coded};
  };
  EXPECT_EQ(words({k32, k28}, 4), (std::pair{1, true}));
  EXPECT_EQ(words({k32, k28}, 5), (std::pair{2, false}));
  EXPECT_EQ(words({k32, k32}, 0), (std::pair{1, true}));
  EXPECT_LT(RecordLayout::for_dimensions(std::vector{k32, k32}, 0)->code.shift, 64);
  EXPECT_EQ(words({k32, k28, k28}, 11), (std::pair{2, true}));
  EXPECT_EQ(words({k32, k32, k32, k32}, 1), (std::pair{3, false}));
  EXPECT_EQ(words({5, 6}, std::nullopt), (std::pair{2, false}));
  const auto layout = RecordLayout::for_dimensions(std::vector<std::size_t>{k32, k28, k28}, 11);
  const std::vector<double> dictionary{-1.5, 0.0, 2.0, 7.0};
  std::uint64_t record[2] = {~std::uint64_t{0}, ~std::uint64_t{0}};
  record[layout->code.word] &= ~layout->code.put(layout->code.mask);
  record[layout->code.word] |= layout->code.put(3);
  EXPECT_EQ(layout->value(record, dictionary.data()), 7.0);
  for (int n = 0; n < 3; ++n) EXPECT_EQ(layout->fields[n].get(record), layout->fields[n].mask);
}

// As many below each subscript as all modes have, where they are in one word.
TEST(RecordLayoutTest, BitsThatAreLeftOverAreZerosBelowSubscripts) {
  const std::size_t k10 = 1 << 10, k20 = 1 << 20, k40 = std::size_t{1} << 40;
  const auto zeros = [](const std::vector<std::size_t>& shape, std::optional<int> code_bits) {
    const auto layout = *RecordLayout::for_dimensions(shape, code_bits);
    std::uint64_t used = layout.coded ? layout.code.put(layout.code.mask) : 0;
    for (int n = 0; n < layout.order && layout.zeros > 0; ++n) {
      const genten::RecordField& field = layout.fields[n];
      if (field.mask == 0) continue;
      const std::uint64_t wide = ((field.mask + 1) << layout.zeros) - 1;
      EXPECT_GE(field.shift, layout.zeros);
      const std::uint64_t bits = wide << (field.shift - layout.zeros);
      EXPECT_EQ(bits & used, 0u);
      EXPECT_EQ(std::popcount(bits), field.bits() + layout.zeros);  // none is shifted out
      used |= bits;
    }
    return int{layout.zeros};
  };
  EXPECT_EQ(zeros({k10, k10, k10}, 4), 7);  // no loop uses more
  EXPECT_EQ(zeros({k10, k20, k20}, 2), 4);
  EXPECT_EQ(zeros({k10, k20, k20}, std::nullopt), 4);
  EXPECT_EQ(zeros({k10, k20, k20}, 60), 4);  // values in words of their own
  EXPECT_EQ(zeros({k20, k20, k20}, 1), 1);
  EXPECT_EQ(zeros({k20, k20, k20}, 2), 0);
  EXPECT_EQ(zeros({k20, k20, 1}, 0), 7);  // a mode of one row has no bits
  EXPECT_EQ(zeros({k40, k40}, 0), 0);     // two words
  EXPECT_EQ(zeros({1}, 0), 7);
}

TEST(RecordLayoutTest, ValuesComeBackFromTheirWords) {
  for (const double value : {0.0, -0.0, 1.0, -2.5e300, 5e-324}) {
    EXPECT_EQ(std::signbit(genten::value_of_word<double>(genten::word_of_value(value))),
              std::signbit(value));
    EXPECT_EQ(genten::value_of_word<double>(genten::word_of_value(value)), value);
  }
  EXPECT_EQ(genten::value_of_word<float>(genten::word_of_value(-1.25f)), -1.25f);
}

}  // namespace
