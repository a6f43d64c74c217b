// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "io_support.hpp"

#include <genten/core/random.hpp>

#include <algorithm>
#include <map>

namespace genten::test {
namespace {

class TnsDuplicates : public FileTest {
 protected:
  struct Entry {
    std::array<std::uint32_t, 3> subscripts;
    double value;
  };

  static std::string text_of(const std::vector<Entry>& entries) {
    std::string text;
    for (const auto& [subscripts, value] : entries) {
      for (const std::uint32_t subscript : subscripts) text += std::to_string(subscript + 1) + " ";
      text += std::to_string(value) + "\n";
    }
    return text;
  }

  /// The entries at the place of the first with their subscripts, values summed in order: written
  /// for clarity alone.
  static std::vector<Entry> merged(const std::vector<Entry>& entries) {
    std::vector<Entry> result;
    std::map<std::array<std::uint32_t, 3>, std::size_t> place;
    for (const Entry& entry : entries) {
      const auto [at, is_new] = place.try_emplace(entry.subscripts, result.size());
      if (is_new) {
        result.push_back(entry);
      } else {
        result[at->second].value += entry.value;
      }
    }
    return result;
  }

  static std::vector<Entry> random_entries(std::uint64_t count, std::uint32_t dimension) {
    std::vector<Entry> entries;
    for (std::uint64_t i = 0; i < count; ++i) {
      Entry entry{};
      for (std::uint64_t n = 0; n < 3; ++n) {
        entry.subscripts[n] = static_cast<std::uint32_t>(random_bits(7, i, n) % dimension);
      }
      entry.value = static_cast<double>(random_bits(8, i) % 1000);
      entries.push_back(entry);
    }
    return entries;
  }

  void expect_merged(const std::vector<Entry>& entries) {
    const std::vector<Entry> expected = merged(entries);
    for (const std::size_t threads : {1U, 2U, 3U}) {
      ReadOptions options;
      options.threads = threads;
      options.block_bytes = 10000;
      const auto [tensor, report] = read(file(text_of(entries)), options);
      ASSERT_EQ(report.entries, entries.size());
      ASSERT_EQ(report.duplicates, entries.size() - expected.size());
      ASSERT_EQ(tensor.nnz(), static_cast<offset_t>(expected.size()));
      for (std::size_t p = 0; p < expected.size(); ++p) {
        for (std::size_t n = 0; n < 3; ++n) {
          ASSERT_EQ(tensor.subscripts()(p, n), expected[p].subscripts[n]) << p;
        }
        ASSERT_EQ(tensor.values()(p), expected[p].value) << p;
      }
    }
  }
};

TEST_F(TnsDuplicates, Few) {
  expect_merged({{{1, 2, 3}, 1}, {{0, 0, 0}, 2}, {{1, 2, 3}, 3}});
  expect_merged({{{0, 0, 0}, 2}, {{1, 2, 3}, 1}, {{1, 2, 3}, 3}, {{1, 2, 4}, 3}});
  expect_merged({{{0, 0, 0}, 1}, {{0, 0, 0}, 2}, {{0, 0, 0}, 3}});
}

TEST_F(TnsDuplicates, NoneAmongSorted) {
  std::vector<Entry> entries = random_entries(5000, 40);
  const auto by_subscripts = [](const Entry& a, const Entry& b) {
    return a.subscripts < b.subscripts;
  };
  std::stable_sort(entries.begin(), entries.end(), by_subscripts);
  expect_merged(merged(entries));
}

TEST_F(TnsDuplicates, AmongSorted) {
  std::vector<Entry> entries = random_entries(5000, 12);
  const auto by_subscripts = [](const Entry& a, const Entry& b) {
    return a.subscripts < b.subscripts;
  };
  std::stable_sort(entries.begin(), entries.end(), by_subscripts);
  expect_merged(entries);
}

TEST_F(TnsDuplicates, AmongUnsorted) {
  expect_merged(random_entries(5000, 40));
  expect_merged(random_entries(150000, 100));  // several parts, most rows distinct
  expect_merged(random_entries(150000, 8));    // most rows duplicates
  expect_merged(random_entries(150000, 4000));
}

TEST_F(TnsDuplicates, WhatRemainsIsKnownToBeDistinct) {
  constexpr SptensorFacts distinct{true, false}, both{true, true};
  EXPECT_EQ(read(file("1 1 1\n1 2 1\n2 1 1\n")).tensor.facts(), both);
  EXPECT_EQ(read(file("1 1 1\n1 2 1\n1 2 1\n2 1 1\n")).tensor.facts(), both);
  EXPECT_EQ(read(file("1 2 1\n1 1 1\n2 1 1\n")).tensor.facts(), distinct);
  EXPECT_EQ(read(file("1 2 1\n1 1 1\n2 1 1\n1 1 1\n")).tensor.facts(), distinct);
  ReadOptions options;
  options.duplicates = Duplicates::refuse;
  EXPECT_EQ(read(file("1 2 1\n1 1 1\n2 1 1\n"), options).tensor.facts(), distinct);
}

TEST_F(TnsDuplicates, OneSubscriptInNearlyAllEntries) {
  std::vector<Entry> entries = random_entries(1000, 1000);
  for (int i = 0; i < 100000; ++i) entries.push_back({{5, 5, 5}, 1.0});
  expect_merged(entries);
}

TEST_F(TnsDuplicates, Refused) {
  ReadOptions options;
  options.duplicates = Duplicates::refuse;
  EXPECT_TRUE(
      contains(error_of([&] { (void)read(file("1 2 1\n# c\n2 1 1\n1 2 5\n2 1 1\n"), options); }),
               "file:4: duplicate: the subscripts of this entry are those of line 1 (2 duplicates "
               "in the file)"));
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("1 2 1\n1 2 5\n2 1 1\n"), options); }),
                       "file:2: duplicate: the subscripts of this entry are those of line 1 (1 "
                       "duplicate in the file)"));
  EXPECT_EQ(read(file("1 2 1\n2 1 5\n1 1 1\n"), options).tensor.nnz(), 3);
}

TEST_F(TnsDuplicates, BecomeOneByARule) {
  const std::string text = "1 2 1\n2 1 5\n1 2 .5\n1 2 -3\n";
  const std::pair<Duplicates, double> rules[] = {
      {Duplicates::mean, -.5}, {Duplicates::last, -3}, {Duplicates::max, 1}};
  for (const auto& [rule, made] : rules) {
    ReadOptions options;
    options.duplicates = rule;
    const auto found = read(file(text), options);
    ASSERT_EQ(found.tensor.nnz(), 2);
    EXPECT_EQ(found.tensor.values()(0), made);
    EXPECT_EQ(found.tensor.values()(1), 5);
    EXPECT_EQ(found.report.duplicates, 2U);
    EXPECT_EQ(found.tensor.facts(), (SptensorFacts{true, true}));
    EXPECT_EQ(read(file("1 2 1\n1 1 1\n"), options).tensor.facts(), (SptensorFacts{true, false}));
  }
}

TEST_F(TnsDuplicates, MeansAreTakenOfWhatHasNoFiniteSum) {
  ReadOptions options;
  options.duplicates = Duplicates::mean;
  const auto found = read(file("1 1 1e308\n1 1 1.5e308\n1 1 1.7e308\n1 1 -1e308\n"), options);
  EXPECT_DOUBLE_EQ(found.tensor.values()(0), 8e307);
  const std::string largest = "1 1 1.7976931348623157e308\n";
  const auto same = read(file(largest + largest + largest), options);
  EXPECT_EQ(same.tensor.values()(0), std::numeric_limits<double>::max());
}

TEST_F(TnsDuplicates, RefusedInAnyBlock) {
  std::vector<Entry> entries;
  for (std::uint32_t i = 0; i < 70000; ++i) entries.push_back({{i * 11 % 70000, i % 3, 0}, 1.0});
  entries[60000].subscripts = entries[100].subscripts;
  ReadOptions options;
  options.duplicates = Duplicates::refuse;
  for (const std::size_t bytes : {std::size_t{100}, std::size_t{1} << 20}) {
    options.block_bytes = bytes;
    EXPECT_TRUE(
        contains(error_of([&] { (void)read(file(text_of(entries)), options); }),
                 "file:60001: duplicate: the subscripts of this entry are those of line 101 "));
  }
}

TEST_F(TnsDuplicates, SumThatIsNotFinite) {
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("1 1 1e308\n2 2 1\n1 1 1e308\n1 1 1\n")); }),
                       "file:3: the sum of this entry and its duplicates before it is not finite"));
  EXPECT_TRUE(contains(error_of([&] { (void)read(file("1 1 1e308\n1 1 1e308\n2 2 1\n")); }),
                       "file:2: the sum of this entry"));
}

TEST_F(TnsDuplicates, CountAgreesWithAHeaderOfEntries) {
  const auto [tensor, report] = read(file("2\n3 3\n3\n1 1 1\n2 2 1\n1 1 5\n"));
  EXPECT_EQ(tensor.nnz(), 2);
  EXPECT_EQ(tensor.values()(0), 6.0);
  EXPECT_EQ(report.duplicates, 1U);
}

TEST_F(TnsDuplicates, SearchTakesMemoryIntoAccount) {
  std::string content;
  for (int i = 1000; i > 0; --i) content += std::to_string(i) + " 1.0\n";
  ReadOptions options;
  options.memory_limit = 12000 + 8125;  // 12 bytes an entry for the tensor, 8.125 for the search
  EXPECT_EQ(read(file(content), options).tensor.nnz(), 1000);
  options.memory_limit -= 1;
  EXPECT_TRUE(contains(error_of([&] { (void)read(file(content), options); }, Error::Kind::memory),
                       "the search for duplicates needs 8125 bytes of memory"));
}

}  // namespace
}  // namespace genten::test
