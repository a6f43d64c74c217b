// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sorting by numbers of many bits: one pass through memory cuts the records into buckets, which
/// are then sorted where they lie in a core's cache. Host code only.

#include <genten/format/detail/counting_pass.hpp>
#include <genten/format/detail/record_sort.hpp>

#include <bit>

namespace genten::detail {

/// One stable pass over the records of a bucket.
template <int Words, int Parts>
void bucket_pass(const RecordNumber& part, const std::uint64_t* from, std::uint64_t* to,
                 offset_t count) {
  std::vector<offset_t> next(std::size_t{1} << part.bits());
  const DigitReader<Words, Parts> digit(part);
  for (offset_t p = 0; p < count; ++p) ++next[digit.of(from + p * Words)];
  offset_t total = 0;
  for (offset_t& start : next) total += std::exchange(start, total);
  for (offset_t p = 0; p < count; ++p) {
    const std::uint64_t* const record = from + p * Words;
    std::uint64_t* const place = to + next[digit.of(record)]++ * Words;
    for (int w = 0; w < Words; ++w) place[w] = record[w];
  }
}

/// The records of a bucket in the order of `number`, in `passes` passes from one memory to the
/// other and back.
template <int Words>
void sort_bucket(const RecordNumber& number, int passes, std::uint64_t* from, std::uint64_t* to,
                 offset_t count) {
  for (int pass = 0, done = 0; pass < passes; ++pass) {
    const int width = (number.bits() - done + (passes - pass) - 1) / (passes - pass);
    const RecordNumber part = number.slice(done, width);
    if (part.parts() == 1) {
      bucket_pass<Words, 1>(part, from, to, count);
    } else if (part.parts() == 2) {
      bucket_pass<Words, 2>(part, from, to, count);
    } else {
      bucket_pass<Words, 0>(part, from, to, count);
    }
    std::swap(from, to);
    done += width;
  }
}

/// Records in the order of a number, in one of the two memories that they were sorted with.
template <ExecutionSpace Exec>
struct BucketSorted {
  Records<Exec> records;
  Records<Exec> spare;
  /// Where each bucket begins, and the end. Records of different buckets have different numbers.
  std::vector<offset_t> begins;

  [[nodiscard]] std::size_t buckets() const { return begins.size() - 1; }
};

/// Sorts records of `Words` words. Stable, so the same whatever the number of threads.
template <int Words, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] BucketSorted<Exec> sort_in_buckets(const Exec& exec, const Records<Exec>& from,
                                                 const RecordNumber& number,
                                                 SortWorkspace<Exec>& workspace) {
  constexpr int widest = 10;
  const offset_t size = static_cast<offset_t>(from.extent(0)) / Words;
  // Buckets of some thousand records, were all to hold as many.
  const int leading = std::min({number.bits(), CountingPass<Words, 0, Exec>::widest_digit,
                                static_cast<int>(std::bit_width(std::uint64_t(size) >> 12))});
  const int rest = number.bits() - leading;
  BucketSorted<Exec> sorted{workspace.take(from.extent(0)), from, {0}};
  const auto ends = counting_pass<Words>(exec, number.slice(rest, leading), size, from.data(),
                                         sorted.records.data());
  sorted.begins.insert(sorted.begins.end(), ends.begin(), ends.end());
  const int passes = (rest + widest - 1) / widest;
  const RecordNumber following = number.slice(0, rest);
  for_each_index("genten::sort_buckets", exec, sorted.buckets(), [&](const std::size_t bucket) {
    const offset_t begin = sorted.begins[bucket], count = sorted.begins[bucket + 1] - begin;
    if (count == 0) return;
    sort_bucket<Words>(following, passes, sorted.records.data() + begin * Words,
                       sorted.spare.data() + begin * Words, count);
  });
  if (passes % 2 != 0) std::swap(sorted.records, sorted.spare);
  return sorted;
}

}  // namespace genten::detail
