// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parallel stable radix sort of integer keys with a payload, on host execution spaces.
///
/// A large range is partitioned by its leading digit, in parallel, into pieces that fit in cache;
/// each piece is then sorted by its remaining digits, least significant first, by one thread.
/// Only bits in which the keys of a range differ are looked at. Both steps are stable, so the
/// result does not depend on the number of threads.

#include <genten/base/detail/even_chunks.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

namespace genten::detail {

/// Unsigned integers that the sort takes as keys.
template <class T>
concept SortWord = std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t>;

/// A run of key bits that one pass sorts by, and which of them count.
struct SortDigit {
  int shift;
  int bits;
  std::size_t selected;

  /// The bits of `mask` in [shift, shift + bits).
  template <SortWord Key>
  SortDigit(int first, int width, Key mask)
      : shift(first),
        bits(width),
        selected(static_cast<std::size_t>(mask >> first) & ((std::size_t{1} << width) - 1)) {}
  SortDigit() = default;

  [[nodiscard]] std::size_t values() const { return std::size_t{1} << bits; }
  template <SortWord Key>
  [[nodiscard]] std::size_t of(Key key) const {
    return static_cast<std::size_t>(key >> shift) & selected;
  }
};

/// The digits of at most `widest` bits that cover the set bits of a mask, least significant first.
class SortDigits {
 public:
  template <SortWord Key>
  SortDigits(Key mask, int widest) {
    const int top = static_cast<int>(std::bit_width(mask));
    for (int bit = 0; bit < top;) {
      bit += std::countr_zero(static_cast<Key>(mask >> bit));
      const int bits = std::min(widest, top - bit);
      m_digits[m_count++] = SortDigit(bit, bits, mask);
      bit += bits;
    }
  }
  [[nodiscard]] const SortDigit* begin() const { return m_digits.data(); }
  [[nodiscard]] const SortDigit* end() const { return m_digits.data() + m_count; }

 private:
  std::array<SortDigit, 64> m_digits;
  std::size_t m_count = 0;
};

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
  const EvenChunks chunks(count);
  std::vector<KeySurvey<Key>> found(chunks.count());
  KeySurvey<Key>* const out = found.data();
  for_each_index("genten::radix_sort_survey", exec, chunks.count(), [=](const std::size_t chunk) {
    const std::size_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    Key differing = 0, descents = 0;
    Key previous = keys[begin == 0 ? 0 : begin - 1] & mask;
    for (std::size_t i = begin; i < end; ++i) {
      const Key key = keys[i] & mask;
      differing |= keys[i] ^ keys[0];
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

/// Elements on their way to one bucket are gathered in a line of this many and written together,
/// so that memory sees whole cache lines although the buckets are many.
inline constexpr std::size_t sort_line = 16;

template <SortWord Key, class Payload>
struct alignas(64) SortLine {
  Key keys[sort_line];
  Payload payload[sort_line];

  /// Writes the elements that go to positions [begin, end), which lie in one line.
  void flush(std::uint64_t begin, std::uint64_t end, Key* to_keys, Payload* to_payload) const {
    if (end - begin == sort_line) {
      std::memcpy(to_keys + begin, keys, sizeof(keys));
      std::memcpy(to_payload + begin, payload, sizeof(payload));
      return;
    }
    for (std::uint64_t i = begin; i < end; ++i) {
      to_keys[i] = keys[i % sort_line];
      to_payload[i] = payload[i % sort_line];
    }
  }
};

/// Sorts keys and payload that lie in the first of two pairs of buffers; the second pair is
/// scratch of the same length.
template <ExecutionSpace Exec, SortWord Key, class Payload>
class RadixSort {
 public:
  RadixSort(const Exec& exec, std::array<Key*, 2> keys, std::array<Payload*, 2> payload)
      : m_exec(exec), m_keys(keys), m_payload(payload) {}

  /// Sorts `count` elements by the bits of `mask`.
  void sort(std::size_t count, Key mask) {
    m_pieces.clear();
    divide({0, count, 0, mask});
    const Piece* const pieces = m_pieces.data();
    for_each_index("genten::radix_sort_pieces", m_exec, m_pieces.size(),
                   [this, pieces](const std::size_t i) { sort_piece(pieces[i]); });
  }

 private:
  static constexpr int widest_partition = 10;
  static constexpr int widest_digit = 9;
  static constexpr std::size_t partition_above = 65536;  // elements
  static constexpr std::size_t piece_target = 16384;     // elements: keys and payload fit in cache

  /// A range of elements that agree in all bits above those of `mask`, lying in buffers `source`.
  struct Piece {
    std::size_t begin;
    std::size_t count;
    int source;
    Key mask;
  };

  /// Cuts a range into pieces for single threads; what is in order already is finished at once.
  void divide(const Piece& range) {
    if (range.count <= partition_above) {
      if (range.count > 0) m_pieces.push_back(range);
      return;
    }
    const auto survey =
        survey_keys(m_exec, m_keys[range.source] + range.begin, range.count, range.mask);
    if (survey.sorted) {
      finish(range);
      return;
    }
    const int top = static_cast<int>(std::bit_width(survey.differing));
    const int wanted = static_cast<int>(std::bit_width(range.count / piece_target));
    const int bits = std::min({wanted, widest_partition, top});
    const SortDigit digit(top - bits, bits, survey.differing);
    const std::vector<std::uint64_t> bounds = partition(range, digit);
    const Key rest = survey.differing & ((Key{1} << digit.shift) - 1);
    for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
      divide({range.begin + bounds[b], bounds[b + 1] - bounds[b], 1 - range.source, rest});
    }
  }

  /// Copies a finished range to where results belong.
  void finish(const Piece& range) const {
    if (range.source == 0) return;
    const EvenChunks chunks(range.count);
    const auto keys = m_keys;
    const auto payload = m_payload;
    const std::size_t offset = range.begin;
    for_each_index("genten::radix_sort_copy", m_exec, chunks.count(), [=](const std::size_t chunk) {
      const std::size_t begin = offset + chunks.begin(chunk), end = offset + chunks.end(chunk);
      std::copy(keys[1] + begin, keys[1] + end, keys[0] + begin);
      std::copy(payload[1] + begin, payload[1] + end, payload[0] + begin);
    });
  }

  /// Moves the elements of a range to the other buffers, grouped by digit, in stable order.
  /// Returns where each group begins, and the end.
  std::vector<std::uint64_t> partition(const Piece& range, SortDigit digit) const {
    const EvenChunks chunks(range.count);
    const auto positions = uninitialized_array<std::uint64_t>("genten::radix_sort_positions",
                                                              chunks.count() * digit.values());
    const Key* const keys = m_keys[range.source] + range.begin;
    auto bounds = count_digits(keys, chunks, digit, positions.data());
    scatter(keys, m_payload[range.source] + range.begin, chunks, digit, positions.data(),
            m_keys[1 - range.source] + range.begin, m_payload[1 - range.source] + range.begin);
    return bounds;
  }

  /// Sets positions[chunk * values + v] to where the chunk's first key of digit value v goes.
  std::vector<std::uint64_t> count_digits(const Key* keys, const EvenChunks& chunks,
                                          SortDigit digit, std::uint64_t* positions) const {
    const std::size_t values = digit.values();
    for_each_index("genten::radix_sort_count", m_exec, chunks.count(),
                   [=](const std::size_t chunk) {
                     std::uint64_t* const count = positions + chunk * values;
                     std::fill_n(count, values, std::uint64_t{0});
                     const std::size_t end = chunks.end(chunk);
                     for (std::size_t i = chunks.begin(chunk); i < end; ++i)
                       ++count[digit.of(keys[i])];
                   });
    std::vector<std::uint64_t> bounds(values + 1, 0);
    for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) {
      for (std::size_t v = 0; v < values; ++v) bounds[v] += positions[chunk * values + v];
    }
    std::uint64_t base = 0;
    for (auto& bound : bounds) base += std::exchange(bound, base);
    std::vector<std::uint64_t> running(bounds.begin(), bounds.end() - 1);
    for (std::size_t chunk = 0; chunk < chunks.count(); ++chunk) {
      std::uint64_t* const count = positions + chunk * values;
      for (std::size_t v = 0; v < values; ++v) {
        count[v] = std::exchange(running[v], running[v] + count[v]);
      }
    }
    return bounds;
  }

  void scatter(const Key* keys, const Payload* payload, const EvenChunks& chunks, SortDigit digit,
               const std::uint64_t* positions, Key* to_keys, Payload* to_payload) const {
    const auto body = [=](const std::size_t chunk) {
      const std::uint64_t* const start = positions + chunk * digit.values();
      std::uint64_t next[std::size_t{1} << widest_partition];
      SortLine<Key, Payload> lines[std::size_t{1} << widest_partition];
      std::copy_n(start, digit.values(), next);
      const std::size_t end = chunks.end(chunk);
      for (std::size_t i = chunks.begin(chunk); i < end; ++i) {
        const Key key = keys[i];
        const std::size_t bucket = digit.of(key);
        const std::uint64_t position = next[bucket]++;
        auto& line = lines[bucket];
        line.keys[position % sort_line] = key;
        line.payload[position % sort_line] = payload[i];
        if (position % sort_line == sort_line - 1) {
          line.flush(std::max(start[bucket], position + 1 - sort_line), position + 1, to_keys,
                     to_payload);
        }
      }
      for (std::size_t bucket = 0; bucket < digit.values(); ++bucket) {
        const std::uint64_t stop = next[bucket];
        lines[bucket].flush(std::max(start[bucket], stop / sort_line * sort_line), stop, to_keys,
                            to_payload);
      }
    };
    for_each_index("genten::radix_sort_scatter", m_exec, chunks.count(), body);
  }

  /// Sorts a piece that fits in cache, least significant digit first; the result ends in buffers 0.
  void sort_piece(const Piece& piece) const {
    std::array<Key*, 2> keys{m_keys[0] + piece.begin, m_keys[1] + piece.begin};
    std::array<Payload*, 2> payload{m_payload[0] + piece.begin, m_payload[1] + piece.begin};
    int source = piece.source;
    Key differing = 0;
    for (std::size_t i = 1; i < piece.count; ++i) differing |= keys[source][i] ^ keys[source][0];
    std::uint32_t next[std::size_t{1} << widest_digit];
    const int widest = piece.count < 1024 ? widest_digit - 2 : widest_digit;
    for (const SortDigit digit : SortDigits(static_cast<Key>(differing & piece.mask), widest)) {
      const Key* const from = keys[source];
      std::fill_n(next, digit.values(), 0u);
      for (std::size_t i = 0; i < piece.count; ++i) ++next[digit.of(from[i])];
      std::uint32_t base = 0;
      for (std::size_t v = 0; v < digit.values(); ++v) base += std::exchange(next[v], base);
      for (std::size_t i = 0; i < piece.count; ++i) {
        const std::uint32_t to = next[digit.of(from[i])]++;
        keys[1 - source][to] = from[i];
        payload[1 - source][to] = payload[source][i];
      }
      source = 1 - source;
    }
    if (source == 1) {
      std::copy_n(keys[1], piece.count, keys[0]);
      std::copy_n(payload[1], piece.count, payload[0]);
    }
  }

  Exec m_exec;
  std::array<Key*, 2> m_keys;
  std::array<Payload*, 2> m_payload;
  std::vector<Piece> m_pieces;
};

}  // namespace genten::detail
