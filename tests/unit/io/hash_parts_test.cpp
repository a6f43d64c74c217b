// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// The search for equal rows, with hashes that a test chooses: parts of any size.
#include "../../../src/io/text/hash_parts.hpp"

#include <genten/core/random.hpp>

#include <gtest/gtest.h>

#include <map>

namespace genten::test {
namespace {

/// Rows that are equal where their keys are; the hash is one of the key, with leading bits on top.
struct PlainRows {
  std::vector<std::uint64_t> keys;
  int same_leading_bits = 0;
  std::size_t count = keys.size();

  [[nodiscard]] bool equal(std::size_t i, std::size_t j) const { return keys[i] == keys[j]; }
  [[nodiscard]] std::uint64_t hash(std::size_t i) const {
    return mix_bits(keys[i]) >> same_leading_bits;
  }
};

struct Found {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  void found(std::size_t first, std::size_t second) { pairs.emplace_back(first, second); }
};

template <class Index>
void expect_all_found(const PlainRows& rows) {
  const detail::HashParts<Index> parts(HostExec(), rows, {});
  std::vector<int> seen(rows.count, 0);
  detail::PartSearch<Index> search;
  Found found;
  for (std::size_t part = 0; part < parts.parts(); ++part) {
    for (auto item = parts.begin(part); item != parts.end(part); ++item) {
      ++seen[item->row];
      ASSERT_TRUE(item == parts.begin(part) || (item - 1)->row < item->row) << "not in file order";
    }
    search.search(parts.begin(part), parts.end(part), rows, found);
  }
  for (const int times : seen) ASSERT_EQ(times, 1);
  std::map<std::uint64_t, std::size_t> first;
  std::vector<std::pair<std::size_t, std::size_t>> expected;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const auto [at, fresh] = first.try_emplace(rows.keys[i], i);
    if (!fresh) expected.emplace_back(at->second, i);
  }
  std::sort(expected.begin(), expected.end());
  std::sort(found.pairs.begin(), found.pairs.end());
  ASSERT_EQ(found.pairs, expected);
}

PlainRows rows_of(std::size_t count, std::uint64_t distinct, int same_leading_bits) {
  std::vector<std::uint64_t> keys(count);
  for (std::size_t i = 0; i < count; ++i) keys[i] = random_bits(1, i) % distinct;
  return PlainRows{std::move(keys), same_leading_bits};
}

constexpr std::size_t part_rows = detail::HashParts<std::uint32_t>::part_rows;

TEST(HashParts, EqualRowsAreFoundInPartsOfEverySize) {
  for (const std::size_t count :
       {std::size_t{0}, std::size_t{1}, std::size_t{2}, part_rows - 1, part_rows, 5 * part_rows}) {
    expect_all_found<std::uint32_t>(rows_of(count, 1 + count / 2, 0));
    expect_all_found<std::uint64_t>(rows_of(count, 1 + count * 8, 0));
  }
}

/// All rows in one part, most of them distinct: its table has to grow, more than once.
TEST(HashParts, TablesGrowWithDistinctRows) {
  expect_all_found<std::uint32_t>(rows_of(6 * part_rows, 40 * part_rows, 16));
  expect_all_found<std::uint64_t>(rows_of(6 * part_rows, 2 * part_rows, 16));
}

TEST(HashParts, OneRowOverAndOver) {
  expect_all_found<std::uint32_t>(rows_of(3 * part_rows, 1, 0));
}

}  // namespace
}  // namespace genten::test
