// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/format/key_layout.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using genten::bits_for;
using genten::KeyLayout;

/// Puts subscripts into a key and takes them out again.
void expect_round_trip(const KeyLayout& layout, const std::vector<std::uint64_t>& subscripts) {
  std::uint64_t key[2] = {0, 0};
  for (std::size_t n = 0; n < subscripts.size(); ++n) {
    key[layout.fields[n].word] |= layout.fields[n].put(subscripts[n]);
  }
  for (std::size_t n = 0; n < subscripts.size(); ++n) {
    EXPECT_EQ(layout.fields[n].get(key), subscripts[n]) << "mode " << n;
  }
  if (layout.words == 1) {
    EXPECT_EQ(key[1], 0u);
  }
}

TEST(KeyLayoutTest, BitsAreThoseOfTheLargestSubscript) {
  EXPECT_EQ(bits_for(0), 0);
  EXPECT_EQ(bits_for(1), 0);
  EXPECT_EQ(bits_for(2), 1);
  EXPECT_EQ(bits_for(256), 8);
  EXPECT_EQ(bits_for(257), 9);
  EXPECT_EQ(bits_for(std::size_t{1} << 63), 63);
  EXPECT_EQ(bits_for(~std::size_t{0}), 64);
}

TEST(KeyLayoutTest, SubscriptsComeBackFromTheirKeys) {
  const std::size_t k32 = std::size_t{1} << 32, k40 = std::size_t{1} << 40;
  const std::vector<std::vector<std::size_t>> shapes = {
      {1},
      {0, 5},
      {7},
      {1, 1, 1},
      {2, 3, 4, 5, 6, 7, 8, 9},
      {k32, k32},               // 64 bits exactly
      {k32, k32, k32, k32},     // 128 bits exactly
      {k40, k40},               // no subscript lies in both words
      {k40, 3, k40, 5, 1000},   // short modes fill the rest of the first word
      {~std::size_t{0}, 1, 2},  // a mode that takes a word
      {~std::size_t{0}, ~std::size_t{0}, 1},
      std::vector<std::size_t>(16, 256)};
  std::mt19937_64 random(1);
  for (const auto& shape : shapes) {
    const auto layout = KeyLayout::for_dimensions(shape);
    ASSERT_TRUE(layout.has_value());
    EXPECT_EQ(layout->order, static_cast<int>(shape.size()));
    int bits = 0;
    std::vector<std::uint64_t> last;
    for (const std::size_t length : shape) {
      bits += bits_for(length);
      last.push_back(length == 0 ? 0 : length - 1);
    }
    EXPECT_EQ(layout->words, bits <= 64 ? 1 : 2);
    expect_round_trip(*layout, last);
    expect_round_trip(*layout, std::vector<std::uint64_t>(shape.size(), 0));
    for (int trial = 0; trial < 20; ++trial) {
      auto subscripts = last;
      for (auto& i : subscripts) i = i == 0 ? 0 : random() % i;
      expect_round_trip(*layout, subscripts);
    }
  }
}

TEST(KeyLayoutTest, MoreThanTwoWordsAreRefused) {
  const std::size_t k32 = std::size_t{1} << 32;
  EXPECT_FALSE(
      KeyLayout::for_dimensions(std::vector<std::size_t>{k32, k32, k32, k32, 2}).has_value());
  EXPECT_FALSE(KeyLayout::for_dimensions(std::vector<std::size_t>(16, 257)).has_value());
}

// Three modes of 40 bits have 120 bits in all, but no two of them share a word.
TEST(KeyLayoutTest, FieldsAreNotSplitBetweenWords) {
  const std::size_t k40 = std::size_t{1} << 40;
  EXPECT_FALSE(KeyLayout::for_dimensions(std::vector<std::size_t>{k40, k40, k40}).has_value());
}

}  // namespace
