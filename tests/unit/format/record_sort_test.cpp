// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Sorts of records against std::stable_sort: every number of passes, kept and consumed input, and
// results that a later sort of the same workspace leaves alone.
#include <genten/core/random.hpp>
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

}  // namespace
}  // namespace genten::test
