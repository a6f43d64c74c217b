// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/detail/key_packing.hpp>

#include "plain.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace {

using genten::detail::bits_for;
using genten::detail::HostArray;
using genten::detail::KeyPacking;

template <class T>
HostArray<T> array_of(const std::vector<T>& values) {
  HostArray<T> array("values", values.size());
  std::copy(values.begin(), values.end(), array.data());
  return array;
}

template <class T>
std::vector<T> vector_of(const HostArray<T>& array) {
  return std::vector<T>(array.data(), array.data() + array.extent(0));
}

enum class Keys {
  uniform,
  narrow,
  skewed,
  ascending,
  descending,
  equal,
  two_values,
  top_and_bottom
};
constexpr Keys every_kind[] = {Keys::uniform,    Keys::narrow,        Keys::skewed,
                               Keys::ascending,  Keys::descending,    Keys::equal,
                               Keys::two_values, Keys::top_and_bottom};

template <class Key>
std::vector<Key> make_keys(Keys kind, std::size_t count) {
  std::mt19937_64 random(count + static_cast<std::size_t>(kind));
  std::vector<Key> keys(count);
  constexpr int bits = 8 * sizeof(Key);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t draw = random();
    const double unit = static_cast<double>(draw >> 11) * 0x1p-53;
    switch (kind) {
      case Keys::uniform:
        keys[i] = static_cast<Key>(draw);
        break;
      case Keys::narrow:
        keys[i] = static_cast<Key>(draw % 1000 * 64);
        break;
      case Keys::skewed:
        keys[i] = static_cast<Key>(std::pow(unit, 12) * std::pow(2.0, bits - 4));
        break;
      case Keys::ascending:
        keys[i] = static_cast<Key>(i / 3);
        break;
      case Keys::descending:
        keys[i] = static_cast<Key>(count - i / 2);
        break;
      case Keys::equal:
        keys[i] = Key{42};
        break;
      case Keys::two_values:
        keys[i] = static_cast<Key>(draw % 50 == 0 ? 7 : 1);
        break;
      case Keys::top_and_bottom:
        keys[i] = static_cast<Key>(Key(draw % 3) << (bits - 2)) | static_cast<Key>(draw >> 60);
        break;
    }
  }
  return keys;
}

/// The one stable permutation that sorts keys by the bits of a mask.
template <class Key>
std::vector<std::uint64_t> expected_permutation(const std::vector<Key>& keys, Key mask) {
  std::vector<std::uint64_t> permutation(keys.size());
  std::iota(permutation.begin(), permutation.end(), std::uint64_t{0});
  std::stable_sort(permutation.begin(), permutation.end(), [&](std::uint64_t a, std::uint64_t b) {
    return (keys[a] & mask) < (keys[b] & mask);
  });
  return permutation;
}

/// The words of keys, least significant first, for `sorted_positions`.
template <class Space>
struct Words {
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Space> view;  // words x elements
  int width;

  explicit Words(const std::vector<std::vector<std::uint64_t>>& words, int bits)
      : view("words", words.size(), words[0].size()), width(bits) {
    const auto host = Kokkos::create_mirror_view(view);
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::size_t i = 0; i < words[w].size(); ++i) host(w, i) = words[w][i];
    }
    Kokkos::deep_copy(view, host);
  }
  [[nodiscard]] int words() const { return static_cast<int>(view.extent(0)); }
  [[nodiscard]] int bits(int) const { return width; }
  KOKKOS_FUNCTION std::uint64_t operator()(genten::offset_t i, int w) const { return view(w, i); }
};

template <class Exec, class Key, class Payload>
void expect_sorts_keys(const std::vector<Key>& keys, Key mask) {
  const std::size_t count = keys.size();
  const auto expected = expected_permutation(keys, mask);
  std::vector<Payload> payload(count);
  for (std::size_t i = 0; i < count; ++i) payload[i] = static_cast<Payload>(7 * i + 3);
  const auto key_array = array_of(keys);
  const auto payload_array = array_of(payload);
  const HostArray<Key> spare_keys("keys", count);
  const HostArray<Payload> spare_payload("payload", count);
  genten::detail::RadixSort<Exec, Key, Payload>(Exec(), {key_array.data(), spare_keys.data()},
                                                {payload_array.data(), spare_payload.data()})
      .sort(count, mask);
  std::vector<Key> sorted_keys(count);
  std::vector<Payload> sorted_payload(count);
  for (std::size_t i = 0; i < count; ++i) {
    sorted_keys[i] = keys[expected[i]];
    sorted_payload[i] = payload[expected[i]];
  }
  EXPECT_TRUE(vector_of(key_array) == sorted_keys);
  EXPECT_TRUE(vector_of(payload_array) == sorted_payload);
}

template <class Exec, class Key, class Payload>
void expect_sorts(Keys kind, std::size_t count, Key mask) {
  SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind) << ", " << count << " keys");
  expect_sorts_keys<Exec, Key, Payload>(make_keys<Key>(kind, count), mask);
}

template <class Combination>
class RadixSort : public testing::Test {};

// The ordinal of the combination is the payload. Devices sort by their vendors' libraries.
TYPED_TEST_SUITE(RadixSort, genten_test::HostOrdinalTypes, genten_test::TypeNames);

TYPED_TEST(RadixSort, SortsKeysOfEveryKindAndCarriesPayload) {
  using Exec = typename TypeParam::Exec;
  using Payload = typename TypeParam::Ordinal;
  for (const Keys kind : every_kind) {
    for (const std::size_t count : {0u, 1u, 2u, 17u, 1000u, 65537u, 150003u}) {
      expect_sorts<Exec, std::uint64_t, Payload>(kind, count, ~std::uint64_t{0});
      expect_sorts<Exec, std::uint32_t, Payload>(kind, count, ~std::uint32_t{0});
    }
  }
}

TYPED_TEST(RadixSort, LooksAtMaskedBitsOnly) {
  using Exec = typename TypeParam::Exec;
  using Payload = typename TypeParam::Ordinal;
  for (const std::uint64_t mask : {0x00ff00ff00ff00ffull, 0x8000000000000001ull, 0ull}) {
    expect_sorts<Exec, std::uint64_t, Payload>(Keys::uniform, 100000, mask);
    expect_sorts<Exec, std::uint64_t, Payload>(Keys::uniform, 100, mask);
  }
}

/// Keys in order but for two neighbours: at the ends, and at every place where the chunks that
/// threads look at may meet.
TYPED_TEST(RadixSort, OneDescentAnywhereIsSeen) {
  using Exec = typename TypeParam::Exec;
  using Payload = typename TypeParam::Ordinal;
  for (const std::size_t count : {std::size_t{2}, std::size_t{3}, std::size_t{80000}}) {
    const genten::detail::EvenChunks chunks(count);
    std::vector<std::size_t> places = {1, count - 1};
    for (std::size_t c = 1; c < chunks.count(); ++c) {
      places.insert(places.end(), {chunks.begin(c) - 1, chunks.begin(c), chunks.begin(c) + 1});
    }
    for (const std::size_t at : places) {
      std::vector<std::uint64_t> keys(count);
      std::iota(keys.begin(), keys.end(), std::uint64_t{0});
      std::swap(keys[at - 1], keys[at]);
      expect_sorts_keys<Exec, std::uint64_t, Payload>(keys, ~std::uint64_t{0});
    }
  }
}

template <class Combination>
class SortedPositions : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Payload = typename Combination::Ordinal;
  using Space = typename Exec::memory_space;

  /// Positions and most significant words of keys of `words`, each of `bits` bits.
  static void expect_sorted(const std::vector<std::vector<std::uint64_t>>& words, int bits) {
    const std::size_t count = words[0].size();
    std::vector<Payload> expected(count);
    std::iota(expected.begin(), expected.end(), Payload{0});
    std::stable_sort(expected.begin(), expected.end(), [&](Payload a, Payload b) {
      for (std::size_t w = words.size(); w-- > 0;) {
        if (words[w][a] != words[w][b]) return words[w][a] < words[w][b];
      }
      return false;
    });
    const auto pairs = genten::detail::sorted_positions<std::uint64_t, Payload>(
        Exec(), static_cast<genten::offset_t>(count), Words<Space>(words, bits));
    const auto positions = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), pairs.values);
    const auto keys = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), pairs.keys);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(positions(i), expected[i]) << i;
      ASSERT_EQ(keys(i), words.back()[expected[i]]) << i;
    }
  }
};
using PositionTypes =
    decltype(genten_test::combinations<genten_test::WithOrdinals>(genten_test::AllSpaces()));
TYPED_TEST_SUITE(SortedPositions, PositionTypes, genten_test::TypeNames);

TYPED_TEST(SortedPositions, OfKeysOfOneWord) {
  for (const std::size_t count : {0u, 1u, 17u, 70000u}) {
    TestFixture::expect_sorted({make_keys<std::uint64_t>(Keys::skewed, count)}, 64);
  }
  std::vector<std::uint64_t> keys = make_keys<std::uint64_t>(Keys::uniform, 70000);
  for (auto& key : keys) key %= 1 << 13;
  TestFixture::expect_sorted({keys}, 13);
  TestFixture::expect_sorted({std::vector<std::uint64_t>(100, 0)}, 0);
}

TYPED_TEST(SortedPositions, OfKeysOfSeveralWords) {
  constexpr std::size_t count = 80000;
  std::vector<std::vector<std::uint64_t>> words;
  for (std::size_t w = 0; w < 3; ++w) {
    words.push_back(make_keys<std::uint64_t>(Keys::uniform, count + w));
    words.back().resize(count);
    for (auto& word : words.back()) word %= 40;
  }
  TestFixture::expect_sorted(words, 6);
}

TEST(SortedPositionsErrors, PositionsMustFit) {
  const Words<Kokkos::HostSpace> keys({{0}}, 1);
  EXPECT_THROW((void)(genten::detail::sorted_positions<std::uint64_t, std::uint32_t>(
                   genten::HostExec(), (genten::offset_t{1} << 32) + 1, keys)),
               genten::Error);
}

TEST(KeyPacking, BitsAreThoseOfTheLargestSubscript) {
  EXPECT_EQ(bits_for(0), 0);
  EXPECT_EQ(bits_for(1), 0);
  EXPECT_EQ(bits_for(2), 1);
  EXPECT_EQ(bits_for(256), 8);
  EXPECT_EQ(bits_for(257), 9);
  EXPECT_EQ(bits_for(std::size_t{1} << 63), 63);
  EXPECT_EQ(bits_for(~std::size_t{0}), 64);
}

TEST(KeyPacking, OrdersKeysLikeSubscripts) {
  const std::vector<std::size_t> dimensions{5, 1, 300, 17};
  const std::vector<int> order{2, 0, 3, 1};
  const KeyPacking packing(dimensions, order);
  EXPECT_EQ(packing.words(), 1);
  EXPECT_EQ(packing.total_bits(), 3 + 0 + 9 + 5);
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts("s", 2, 4);
  const auto set = [&](std::size_t p, std::vector<std::uint32_t> row) {
    for (std::size_t n = 0; n < 4; ++n) subscripts(p, n) = row[n];
  };
  set(0, {4, 0, 7, 16});
  set(1, {0, 0, 8, 0});
  EXPECT_LT(packing.pack(subscripts, 0), packing.pack(subscripts, 1));
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(packing.unpack(packing.pack(subscripts, 0), n), subscripts(0, n)) << "mode " << n;
  }
}

TEST(KeyPacking, NeverSplitsASubscriptBetweenWords) {
  const std::vector<std::size_t> dimensions{std::size_t{1} << 40, std::size_t{1} << 30,
                                            ~std::size_t{0}, 3};
  const KeyPacking packing(dimensions);
  EXPECT_EQ(packing.words(), 4);  // from the least significant mode up: 2 | 64 | 30, then 40
  EXPECT_EQ(packing.total_bits(), 40 + 30 + 64 + 2);
  const int bits[] = {40, 30, 64, 2};
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(packing.word(n), 3 - n);
    EXPECT_EQ(packing.shift(n), 0);
    EXPECT_EQ(packing.bits(n), bits[n]);
    EXPECT_EQ(packing.word_bits(3 - n), bits[n]);
  }
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts("s", 1, 4);
  subscripts(0, 0) = (std::uint64_t{1} << 40) - 2;
  subscripts(0, 1) = 12345;
  subscripts(0, 2) = ~std::uint64_t{0} - 1;
  subscripts(0, 3) = 2;
  for (int n = 0; n < 4; ++n) {
    const auto word = packing.pack(subscripts, 0, packing.word(n));
    EXPECT_EQ(packing.unpack(word, n), subscripts(0, n)) << "mode " << n;
  }
}

TEST(KeyPacking, RefusesWrongModeOrders) {
  const std::vector<std::size_t> dimensions{5, 6};
  for (const std::vector<int>& order : {std::vector{0}, {0, 0}, {0, 2}, {-1, 0}, {0, 1, 0}}) {
    EXPECT_THROW(KeyPacking(dimensions, order), genten::Error);
  }
  EXPECT_EQ(genten_test::error_of([&] {
              (void)KeyPacking(dimensions, std::vector{1, 1});
            }),
            "mode order: expected each mode from 1 to 2 once (counted from 1), got 2, 2");
  EXPECT_EQ(genten_test::error_of([&] { (void)KeyPacking(dimensions, std::vector<int>()); }),
            "mode order: expected each mode from 1 to 2 once (counted from 1), got none");
}

}  // namespace
