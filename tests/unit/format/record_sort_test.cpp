// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Sorts of records against std::stable_sort: every number of passes, kept and consumed input, and
// results that a later sort of the same workspace leaves alone.
#include <genten/core/random.hpp>
#include <genten/format/detail/bucket_sort.hpp>
#include <genten/format/detail/record_sort.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace genten::test {
namespace {

using Host = HostExec;
using Words = std::vector<std::uint64_t>;

/// Two fields of 31 and 33 bits in the first word.
RecordField low_field() {
  return {(std::uint64_t{1} << 31) - 1, 0, 0};
}
RecordField high_field() {
  return {(std::uint64_t{1} << 33) - 1, 0, 31};
}

detail::RecordNumber number_of(const RecordField& field, int bits) {
  detail::RecordNumber number;
  if (bits != 0) number.append(field, field.bits() - bits);
  return number;
}

Words sample(std::size_t records, int words) {
  Words result(records * static_cast<std::size_t>(words));
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = random_bits(7, i);
  // Many equal numbers, so that stability shows.
  for (std::size_t i = 0; i + 3 < records; i += 3) {
    result[i * static_cast<std::size_t>(words)] = result[0];
  }
  return result;
}

detail::Records<Host> records_of(const Words& words) {
  detail::Records<Host> records("records", words.size());
  std::copy(words.begin(), words.end(), records.data());
  return records;
}

Words words_of(const detail::Records<Host>& records) {
  return {records.data(), records.data() + records.extent(0)};
}

Words sorted_plainly(const Words& records, int words, const detail::RecordNumber& number) {
  const auto width = static_cast<std::size_t>(words);
  std::vector<Words> rows;
  for (std::size_t at = 0; at < records.size(); at += width) {
    rows.emplace_back(records.begin() + static_cast<std::ptrdiff_t>(at),
                      records.begin() + static_cast<std::ptrdiff_t>(at + width));
  }
  std::stable_sort(rows.begin(), rows.end(), [&](const Words& a, const Words& b) {
    return number.of(a.data()) < number.of(b.data());
  });
  Words result;
  for (const Words& row : rows) result.insert(result.end(), row.begin(), row.end());
  return result;
}

// Digits have up to 11 bits: from no pass that is needed to four.
constexpr int numbers_of_bits[] = {0, 1, 10, 11, 12, 21, 22, 23, 31};

TEST(RecordSort, EveryNumberOfPasses) {
  for (const int words : {1, 2, 3}) {
    for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
      const Words input = sample(count, words);
      for (const int bits : numbers_of_bits) {
        for (const auto use : {detail::SortInput::keep, detail::SortInput::consume}) {
          const auto number = number_of(low_field(), bits);
          detail::SortWorkspace<Host> workspace;
          const auto from = records_of(input);
          const auto sorted = detail::sorted_records(Host(), from, words, number, use, workspace);
          ASSERT_EQ(words_of(sorted), sorted_plainly(input, words, number))
              << words << " words, " << count << " records, " << bits << " bits";
          if (use == detail::SortInput::keep) {
            ASSERT_EQ(words_of(from), input);
          }
        }
      }
    }
  }
}

template <int Words>
void sort_in_buckets_of(std::size_t count, int bits) {
  SCOPED_TRACE(std::to_string(Words) + " words, " + std::to_string(count) + " records, " +
               std::to_string(bits) + " bits");
  const auto input = sample(count, Words);
  detail::RecordNumber number;
  number.append(low_field(), 31 - std::min(bits, 31));
  if (bits > 31) number.append(high_field(), 33 - (bits - 31));
  const auto from = records_of(input);
  detail::SortWorkspace<Host> workspace;
  const auto sorted = detail::sort_in_buckets<Words>(Host(), from, number, workspace);
  ASSERT_EQ(words_of(sorted.records), sorted_plainly(input, Words, number));
  EXPECT_NE(sorted.records.data(), sorted.spare.data());
  EXPECT_EQ(sorted.spare.extent(0), sorted.records.extent(0));
  ASSERT_EQ(sorted.begins.front(), 0);
  ASSERT_EQ(sorted.begins.back(), static_cast<offset_t>(count));
  const auto at = [&](offset_t p) { return number.of(sorted.records.data() + p * Words); };
  for (std::size_t b = 1; b < sorted.buckets(); ++b) {
    const offset_t begin = sorted.begins[b];
    ASSERT_GE(begin, sorted.begins[b - 1]);
    if (begin > 0 && begin < static_cast<offset_t>(count)) {
      ASSERT_NE(at(begin - 1), at(begin));
    }
  }
}

TEST(RecordSort, InBuckets) {
  for (const std::size_t count : {0U, 1U, 1000U, 9000U, 50'000U}) {
    for (const int bits : {0, 1, 2, 12, 23, 31, 44, 64}) {
      sort_in_buckets_of<1>(count, bits);
      sort_in_buckets_of<2>(count, bits);
      sort_in_buckets_of<3>(count, bits);
    }
  }
}

/// One workspace for sorts by numbers with every pair of lengths: what was returned stays.
TEST(RecordSort, ResultsStay) {
  const Words input = sample(500, 2);
  for (const int first_bits : numbers_of_bits) {
    for (const int second_bits : numbers_of_bits) {
      const auto first_number = number_of(low_field(), first_bits);
      const auto second_number = number_of(high_field(), second_bits);
      detail::SortWorkspace<Host> workspace;
      const auto from = records_of(input);
      const auto keep = detail::SortInput::keep;
      const auto first = detail::sorted_records(Host(), from, 2, first_number, keep, workspace);
      const auto second = detail::sorted_records(Host(), from, 2, second_number, keep, workspace);
      ASSERT_EQ(words_of(first), sorted_plainly(input, 2, first_number)) << first_bits;
      ASSERT_EQ(words_of(second), sorted_plainly(input, 2, second_number)) << second_bits;
      // The same order again is the same memory.
      EXPECT_EQ(detail::sorted_records(Host(), from, 2, first_number, keep, workspace).data(),
                first.data());
      const auto last = detail::sorted_records(Host(), from, 2, number_of(low_field(), 5),
                                               detail::SortInput::consume, workspace);
      ASSERT_EQ(words_of(last), sorted_plainly(input, 2, number_of(low_field(), 5)));
      ASSERT_EQ(words_of(first), sorted_plainly(input, 2, first_number));
      ASSERT_EQ(words_of(second), sorted_plainly(input, 2, second_number));
    }
  }
}

/// Numbers that differ in their leading parts alone share the first pass of their sorts.
TEST(RecordSort, CommonFirstPasses) {
  const Words input = sample(700, 1);
  detail::SortWorkspace<Host> workspace;
  const auto from = records_of(input);
  for (const int leading : {1, 2, 12, 13, 33}) {
    detail::RecordNumber number;
    number.append(high_field(), 33 - leading);
    number.append({0x7ff, 0, 0}, 0);  // the lowest digit of all of them
    const auto sorted =
        detail::sorted_records(Host(), from, 1, number, detail::SortInput::keep, workspace);
    ASSERT_EQ(words_of(sorted), sorted_plainly(input, 1, number)) << leading;
  }
}

/// Numbers of several parts, from one word or more: bits of fields one after another, the first
/// part leading.
TEST(RecordSort, NumbersOfSeveralParts) {
  const RecordField fields[] = {{0x7, 0, 3},  {0x1f, 0, 40}, {0x3, 0, 62},
                                {0xff, 0, 8}, {0x1, 0, 0},   {0xf, 0, 20}};
  constexpr int drops[] = {0, 3, 0, 6, 0, 2};
  for (const int words : {1, 2, 3}) {
    const Words input = sample(400, words);
    const auto from = records_of(input);
    for (int parts = 1; parts <= 6; ++parts) {
      detail::RecordNumber number;
      std::vector<RecordField> taken;
      for (int i = 0; i < parts; ++i) {
        taken.push_back(fields[i]);
        taken.back().word = i % words;
        number.append(taken.back(), drops[i]);
      }
      ASSERT_EQ(number.parts(), parts);
      for (std::size_t at = 0; at < input.size(); at += static_cast<std::size_t>(words)) {
        std::uint64_t expected = 0;
        for (int i = 0; i < parts; ++i) {
          const RecordField& field = taken[static_cast<std::size_t>(i)];
          expected = expected << (field.bits() - drops[i]) | field.get(&input[at]) >> drops[i];
        }
        ASSERT_EQ(number.of(&input[at]), expected);
      }
      detail::SortWorkspace<Host> workspace;
      const auto sorted =
          detail::sorted_records(Host(), from, words, number, detail::SortInput::keep, workspace);
      ASSERT_EQ(words_of(sorted), sorted_plainly(input, words, number))
          << words << " words, " << parts << " parts";
    }
  }
}

/// One pass by the lowest 11 bits against a plain one, to memory that begins at a cache line or
/// not.
template <int RecordWords>
void expect_plain_pass(std::size_t records) {
  const Words input = sample(records, RecordWords);
  detail::RecordNumber digit;
  digit.append({0x7ff, 0, 0}, 0);
  std::vector<std::size_t> next(2049, 0);
  for (std::size_t i = 0; i < records; ++i) ++next[(input[i * RecordWords] & 0x7ff) + 1];
  for (std::size_t b = 0; b < 2048; ++b) next[b + 1] += next[b];
  Words expected(input.size());
  for (std::size_t i = 0; i < records; ++i) {
    const std::size_t to = next[input[i * RecordWords] & 0x7ff]++;
    std::copy_n(&input[i * RecordWords], RecordWords, &expected[to * RecordWords]);
  }
  const auto from = records_of(input);
  for (const std::size_t offset : {0U, 1U}) {
    const detail::Records<Host> to("to", input.size() + offset + 1);
    to(to.extent(0) - 1) = 77;
    detail::counting_pass<RecordWords>(Host(), digit, static_cast<offset_t>(records), from.data(),
                                       to.data() + offset);
    ASSERT_TRUE(std::equal(expected.begin(), expected.end(), to.data() + offset)) << offset;
    ASSERT_EQ(to(to.extent(0) - 1), 77U) << "written beyond the end";
  }
}

/// Results of more than 8 MiB are written past the caches, where whole lines allow it.
TEST(RecordSort, LongResultsPassTheCaches) {
  expect_plain_pass<1>((std::size_t{1} << 20) + 1000);
  expect_plain_pass<2>((std::size_t{1} << 19) + 1000);
  expect_plain_pass<3>((std::size_t{1} << 19) + 1000);
  expect_plain_pass<1>(140000);
}

}  // namespace
}  // namespace genten::test
