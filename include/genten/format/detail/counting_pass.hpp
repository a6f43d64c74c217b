// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// One pass of a parallel stable radix sort of records, on host execution spaces.

#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/extract_bits.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/detail/stream_store.hpp>
#include <genten/format/detail/record_number.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace genten::detail {

/// RecordNumber::of for hosts, with masks in registers. `Parts` is 0 where their number is not
/// known when compiled.
template <int Words, int Parts>
class DigitReader {
 public:
  explicit DigitReader(const RecordNumber& digit) : m_digit(digit) {
    for (int i = 0; i < Parts; ++i) {
      const RecordNumber::Part& part = digit.part(i);
      m_mask[i] = (~std::uint64_t{0} >> (64 - part.width)) << part.shift;
      m_word[i] = part.word;
      m_to[i] = part.to;
    }
  }
  [[nodiscard, gnu::always_inline]] std::size_t of(const std::uint64_t* record) const {
    if constexpr (Parts == 0) return static_cast<std::size_t>(m_digit.of(record));
    std::uint64_t number = 0;
    for (int i = 0; i < Parts; ++i) {
      number |= extract_bits(record[Words == 1 ? 0 : m_word[i]], m_mask[i]) << m_to[i];
    }
    return static_cast<std::size_t>(number);
  }

 private:
  static constexpr int size = Parts == 0 ? 1 : Parts;
  RecordNumber m_digit;
  std::uint64_t m_mask[size] = {};
  int m_word[size] = {}, m_to[size] = {};
};

/// One stable counting-sort pass over records of `Words` words by a number of `Parts` parts.
template <int Words, int Parts, ExecutionSpace Exec>
class CountingPass {
 public:
  /// Digits of up to so many bits: the lines of all buckets stay in the cache of a core.
  static constexpr int widest_digit = 11;

  CountingPass(const Exec& exec, const RecordNumber& digit, offset_t size)
      : m_exec(exec),
        m_digit(digit),
        m_size(size),
        m_chunks(static_cast<std::size_t>(size), 65536,
                 4 * static_cast<std::size_t>(exec.concurrency())),
        m_starts("genten::sort_starts", m_chunks.count(), buckets()) {}

  /// Returns where each bucket ends.
  std::vector<offset_t> run(const std::uint64_t* from, std::uint64_t* to) const {
    for_each_index("genten::sort_count", m_exec, m_chunks.count(),
                   [=, *this](const std::size_t chunk) { count(from, chunk); });
    offset_t total = 0;
    for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
      for (std::size_t chunk = 0; chunk < m_chunks.count(); ++chunk) {
        total += std::exchange(m_starts(chunk, bucket), total);
      }
    }
    for_each_index("genten::sort_scatter", m_exec, m_chunks.count(),
                   [=, *this](const std::size_t chunk) { scatter(from, to, chunk); });
    const offset_t* const ends = &m_starts(m_chunks.count() - 1, 0);
    return {ends, ends + buckets()};
  }

 private:
  /// Records on their way to one bucket are gathered in a line, or a few, of this many and written
  /// together, so that memory sees whole cache lines although the buckets are many.
  static constexpr offset_t line_records = Words == 2 ? 4 : 8;
  static constexpr offset_t line_words = line_records * Words;
  struct alignas(cache_line_bytes) Line {
    std::uint64_t words[line_words];
  };
  /// Longer results do not stay in the caches, so that they need not pass through them.
  static constexpr std::size_t longest_cached = std::size_t{8} << 20;

  [[nodiscard]] std::size_t buckets() const { return std::size_t{1} << m_digit.bits(); }
  [[nodiscard]] offset_t begin_of(std::size_t chunk) const {
    return static_cast<offset_t>(m_chunks.begin(chunk));
  }

  void count(const std::uint64_t* from, std::size_t chunk) const {
    offset_t* const counts = &m_starts(chunk, 0);
    const DigitReader<Words, Parts> digit(m_digit);
    for (offset_t p = begin_of(chunk); p < begin_of(chunk + 1); ++p) {
      ++counts[digit.of(from + p * Words)];
    }
  }

  void scatter(const std::uint64_t* from, std::uint64_t* to, std::size_t chunk) const {
    offset_t* const next = &m_starts(chunk, 0);
    const std::vector<offset_t> start(next, next + buckets());
    const auto lines = std::make_unique_for_overwrite<Line[]>(buckets());
    const DigitReader<Words, Parts> digit(m_digit);
    const bool stream = static_cast<std::size_t>(m_size) * Words * 8 > longest_cached &&
                        reinterpret_cast<std::uintptr_t>(to) % cache_line_bytes == 0;
    for (offset_t p = begin_of(chunk); p < begin_of(chunk + 1); ++p) {
      const std::size_t bucket = digit.of(from + p * Words);
      const offset_t q = next[bucket]++;
      Line& line = lines[bucket];
      // A full line leaves only when the next record needs its place: loading it at once would wait
      // until the store of its last record has left the core.
      if (q % line_records == 0 && q != start[bucket]) {
        flush(line, std::max(start[bucket], q - line_records), q, to, stream);
      }
      for (int w = 0; w < Words; ++w) {
        line.words[q % line_records * Words + w] = from[p * Words + w];
      }
    }
    for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
      const offset_t stop = next[bucket];
      if (stop == start[bucket]) continue;
      flush(lines[bucket], std::max(start[bucket], (stop - 1) / line_records * line_records), stop,
            to, stream);
    }
    if (stream) finish_streams();
  }

  /// Writes the records that go to positions [begin, end), which lie in one line.
  static void flush(const Line& line, offset_t begin, offset_t end, std::uint64_t* to,
                    bool stream) {
    if (end - begin != line_records) {
      std::copy_n(line.words + begin % line_records * Words, (end - begin) * Words,
                  to + begin * Words);
    } else if (stream) {
      for (offset_t w = 0; w < line_words; w += 8)
        stream_line(to + begin * Words + w, line.words + w);
    } else {
      std::memcpy(to + begin * Words, line.words, sizeof(line.words));
    }
  }

  Exec m_exec;
  RecordNumber m_digit;
  offset_t m_size;
  EvenChunks m_chunks;
  /// Where the next record of a chunk and bucket goes.
  Kokkos::View<offset_t**, Kokkos::LayoutRight, typename Exec::memory_space> m_starts;
};

/// One pass, compiled for the usual numbers of parts; returns where each bucket ends.
template <int Words, ExecutionSpace Exec>
std::vector<offset_t> counting_pass(const Exec& exec, const RecordNumber& digit, offset_t size,
                                    const std::uint64_t* from, std::uint64_t* to) {
  switch (digit.parts()) {
    case 1:
      return CountingPass<Words, 1, Exec>(exec, digit, size).run(from, to);
    case 2:
      return CountingPass<Words, 2, Exec>(exec, digit, size).run(from, to);
    case 3:
      return CountingPass<Words, 3, Exec>(exec, digit, size).run(from, to);
    default:
      return CountingPass<Words, 0, Exec>(exec, digit, size).run(from, to);
  }
}

}  // namespace genten::detail
