// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parallel stable radix sort of integer keys with a payload, on host execution spaces.

#include <genten/core/types.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace genten::detail {

/// Unsigned integers that the sort takes as keys and as payload.
template <class T>
concept SortWord = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// Host Views of the sort.
template <class T>
using HostView = Kokkos::View<T*, Kokkos::HostSpace>;

/// An uninitialized host View.
template <class T>
[[nodiscard]] HostView<T> uninitialized(const char* label, std::size_t count) {
  return HostView<T>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), count);
}

/// The work of the sort is cut into chunks whose number depends on the number of elements alone.
struct SortChunks {
  static constexpr std::size_t most = 256;
  static constexpr std::size_t shortest = 16384;

  explicit SortChunks(std::size_t elements)
      : count(std::clamp<std::size_t>(elements / shortest, 1, most)), m_elements(elements) {}

  [[nodiscard]] std::size_t begin(std::size_t chunk) const {
    return m_elements / count * chunk + std::min(chunk, m_elements % count);
  }
  [[nodiscard]] std::size_t end(std::size_t chunk) const { return begin(chunk + 1); }

  std::size_t count;

 private:
  std::size_t m_elements;
};

/// Runs body(chunk) for every chunk, in parallel, and waits.
template <ExecutionSpace Exec, class Body>
void for_each_chunk(const char* label, const Exec& exec, const SortChunks& chunks,
                    const Body& body) {
  static_assert(is_host_space<Exec>);
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(
                           exec, std::size_t{0}, chunks.count),
                       body);
  exec.fence();
}

/// What one pass over the keys finds: which of the bits in question differ between any two keys,
/// and whether the keys are in order already.
template <SortWord Key>
struct KeySurvey {
  Key differing = 0;
  bool sorted = true;
};

template <ExecutionSpace Exec, SortWord Key>
[[nodiscard]] KeySurvey<Key> survey_keys(const Exec& exec, const Key* keys, std::size_t count,
                                         Key mask) {
  const SortChunks chunks(count);
  std::vector<KeySurvey<Key>> found(chunks.count);
  KeySurvey<Key>* const out = found.data();
  for_each_chunk("genten::radix_sort_survey", exec, chunks, [=](const std::size_t chunk) {
    const std::size_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    const Key first = keys[0];
    Key differing = 0, descents = 0;
    Key previous = begin < end ? Key(keys[begin == 0 ? 0 : begin - 1] & mask) : Key(0);
    for (std::size_t i = begin; i < end; ++i) {
      const Key key = keys[i] & mask;
      differing |= keys[i] ^ first;
      descents |= Key(previous > key);
      previous = key;
    }
    out[chunk] = {static_cast<Key>(differing & mask), descents == 0};
  });
  KeySurvey<Key> result;
  for (const auto& part : found) {
    result.differing |= part.differing;
    result.sorted = result.sorted && part.sorted;
  }
  return result;
}

/// A run of key bits that one pass sorts by.
struct SortDigit {
  int shift;
  int bits;
};

/// Cuts the bits of `mask` into as few digits of at most `widest` bits as a left-to-right walk
/// gives, of even widths, leaving out zero bits between them.
template <SortWord Key>
[[nodiscard]] std::vector<SortDigit> sort_digits(Key mask, int widest) {
  const auto cut = [mask](int width) {
    std::vector<SortDigit> digits;
    int bit = 0;
    constexpr int bits = std::numeric_limits<Key>::digits;
    while (bit < bits && (mask >> bit) != 0) {
      bit += std::countr_zero(static_cast<Key>(mask >> bit));
      const int top = std::bit_width(mask);
      digits.push_back({bit, std::min(width, top - bit)});
      bit += digits.back().bits;
    }
    return digits;
  };
  std::vector<SortDigit> digits = cut(widest);
  // The same number of passes with narrower digits touches fewer cache lines at a time.
  while (widest > 1 && cut(widest - 1).size() == digits.size()) digits = cut(--widest);
  return digits;
}

/// Where a scatter pass reads its payload: from an array, or the positions themselves.
template <SortWord Payload>
struct ArrayPayload {
  const Payload* data;
  Payload operator()(std::size_t i) const { return data[i]; }
};
template <SortWord Payload>
struct PositionPayload {
  Payload operator()(std::size_t i) const { return static_cast<Payload>(i); }
};

/// Counts, for each chunk, the keys of each digit value, and turns the counts into the position at
/// which the chunk's first such key goes.
template <ExecutionSpace Exec, SortWord Key>
void digit_positions(const Exec& exec, const Key* keys, const SortChunks& chunks, SortDigit digit,
                     std::uint64_t* positions) {
  const std::size_t buckets = std::size_t{1} << digit.bits;
  const Key low = static_cast<Key>(buckets - 1);
  for_each_chunk("genten::radix_sort_count", exec, chunks, [=](const std::size_t chunk) {
    std::uint64_t* const count = positions + chunk * buckets;
    std::fill_n(count, buckets, std::uint64_t{0});
    const std::size_t end = chunks.end(chunk);
    for (std::size_t i = chunks.begin(chunk); i < end; ++i) ++count[(keys[i] >> digit.shift) & low];
  });
  std::vector<std::uint64_t> running(buckets, 0);
  for (std::size_t chunk = 0; chunk < chunks.count; ++chunk) {
    std::uint64_t* const count = positions + chunk * buckets;
    for (std::size_t b = 0; b < buckets; ++b) {
      const std::uint64_t here = count[b];
      count[b] = running[b];
      running[b] += here;
    }
  }
  std::uint64_t base = 0;
  for (auto& bucket : running) base += std::exchange(bucket, base);
  for (std::size_t chunk = 0; chunk < chunks.count; ++chunk) {
    std::uint64_t* const count = positions + chunk * buckets;
    for (std::size_t b = 0; b < buckets; ++b) count[b] += running[b];
  }
}

/// Elements of a bucket are gathered in a line of this many and written together, so that memory
/// sees whole cache lines although the buckets are many.
inline constexpr std::size_t sort_line = 16;

template <SortWord Key, SortWord Payload>
struct alignas(64) SortLine {
  Key keys[sort_line];
  Payload payload[sort_line];
};

/// Copies the elements of a line at destination positions [begin, end), which lie in one line.
template <SortWord Key, SortWord Payload>
void flush_line(const SortLine<Key, Payload>& line, std::uint64_t begin, std::uint64_t end,
                Key* to_keys, Payload* to_payload) {
  if (end - begin == sort_line) {
    std::memcpy(to_keys + begin, line.keys, sizeof(line.keys));
    std::memcpy(to_payload + begin, line.payload, sizeof(line.payload));
    return;
  }
  for (std::uint64_t i = begin; i < end; ++i) {
    to_keys[i] = line.keys[i % sort_line];
    to_payload[i] = line.payload[i % sort_line];
  }
}

/// One stable pass: moves every element to the position that its digit gives it.
template <int widest, ExecutionSpace Exec, SortWord Key, SortWord Payload, class Source>
void scatter_pass(const Exec& exec, const Key* keys, Source payload, const SortChunks& chunks,
                  SortDigit digit, const std::uint64_t* positions, Key* to_keys,
                  Payload* to_payload) {
  const std::size_t buckets = std::size_t{1} << digit.bits;
  const Key low = static_cast<Key>(buckets - 1);
  for_each_chunk("genten::radix_sort_scatter", exec, chunks, [=](const std::size_t chunk) {
    const std::uint64_t* const start = positions + chunk * buckets;
    std::uint64_t next[std::size_t{1} << widest];
    SortLine<Key, Payload> lines[std::size_t{1} << widest];
    std::copy_n(start, buckets, next);
    const std::size_t end = chunks.end(chunk);
    for (std::size_t i = chunks.begin(chunk); i < end; ++i) {
      const Key key = keys[i];
      const std::size_t bucket = static_cast<std::size_t>((key >> digit.shift) & low);
      const std::uint64_t position = next[bucket]++;
      auto& line = lines[bucket];
      line.keys[position % sort_line] = key;
      line.payload[position % sort_line] = payload(i);
      if (position % sort_line == sort_line - 1) {
        flush_line(line, std::max(start[bucket], position + 1 - sort_line), position + 1, to_keys,
                   to_payload);
      }
    }
    for (std::size_t bucket = 0; bucket < buckets; ++bucket) {
      const std::uint64_t stop = next[bucket];
      flush_line(lines[bucket], std::max(start[bucket], stop / sort_line * sort_line), stop,
                 to_keys, to_payload);
    }
  });
}
}
