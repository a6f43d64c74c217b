// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parallel stable radix sort of records by a number that is computed from each: only the bits that
/// an order needs are sorted.

#include <genten/detail/device_sort.hpp>
#include <genten/detail/extract_bits.hpp>
#include <genten/detail/kokkos_compat.hpp>
#include <genten/detail/stream_store.hpp>
#include <genten/format/record_layout.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace genten::detail {

/// A number put together from bits of a record: parts of some fields, one after another.
class RecordNumber {
 public:
  struct Part {
    int word = 0;
    int shift = 0;
    int width = 1;
    int to = 0;  ///< its lowest bit in the number
  };

  [[nodiscard]] KOKKOS_FUNCTION int bits() const { return m_bits; }
  [[nodiscard]] int parts() const { return m_count; }
  [[nodiscard]] const Part& part(int i) const { return m_parts[i]; }

  /// Appends the bits of `field` but for the lowest `drop`, as the new lowest bits. Where 64 bits
  /// do not hold them, some more of the lowest are left out.
  void append(const RecordField& field, int drop) {
    int width = field.bits() - drop;
    const int excess = width - (64 - m_bits);
    if (excess > 0) {
      drop += excess;
      width -= excess;
    }
    if (width <= 0) return;
    for (int i = 0; i < m_count; ++i) m_parts[i].to += width;
    m_parts[m_count++] = Part{field.word, field.shift + drop, width, 0};
    m_bits += width;
  }

  /// Bits [first, first + width) of the number.
  [[nodiscard]] RecordNumber slice(int first, int width) const {
    RecordNumber result;
    result.m_bits = width;
    for (int i = 0; i < m_count; ++i) {
      const Part& part = m_parts[i];
      const int low = std::max(part.to, first);
      const int high = std::min(part.to + part.width, first + width);
      if (low >= high) continue;
      result.m_parts[result.m_count++] =
          Part{part.word, part.shift + low - part.to, high - low, low - first};
    }
    return result;
  }

  /// Whether the other number is made of the same bits.
  [[nodiscard]] bool same_as(const RecordNumber& other) const {
    if (m_count != other.m_count) return false;
    for (int i = 0; i < m_count; ++i) {
      const Part &a = m_parts[i], &b = other.m_parts[i];
      if (a.word != b.word || a.shift != b.shift || a.width != b.width || a.to != b.to)
        return false;
    }
    return true;
  }

  /// The number.
  [[nodiscard]] KOKKOS_FUNCTION std::uint64_t of(const std::uint64_t* record) const {
    std::uint64_t number = 0;
    for (int i = 0; i < m_count; ++i) {
      const Part& part = m_parts[i];
      const std::uint64_t mask = ~std::uint64_t{0} >> (64 - part.width);
      number |= ((record[part.word] >> part.shift) & mask) << part.to;
    }
    return number;
  }

 private:
  Kokkos::Array<Part, max_order> m_parts{};
  int m_count = 0;
  int m_bits = 0;
};

template <ExecutionSpace Exec>
using Records = Kokkos::View<std::uint64_t*, typename Exec::memory_space>;

/// What sorts of the same records keep from one to the next: memory, and the results, since another
/// sort may ask for the same order.
template <ExecutionSpace Exec>
struct SortRoom {
  struct Result {
    RecordNumber number;
    Records<Exec> from;
    Records<Exec> sorted;
  };
  Records<Exec> records;
  std::vector<Result> results;
  /// What the first pass of an earlier sort has left in `records`, if it is still there.
  std::optional<Result> first_pass;

  /// Whether `at` holds the pass over `from` by that digit.
  [[nodiscard]] bool holds(const Records<Exec>& from, const RecordNumber& digit,
                           const Records<Exec>& at) const {
    return first_pass && first_pass->sorted.data() == at.data() &&
           first_pass->from.data() == from.data() && first_pass->number.same_as(digit);
  }
  /// Notes that a pass over `from`, the first of its sort or not, has written to `at`.
  void note(const Records<Exec>& from, const RecordNumber& digit, const Records<Exec>& at,
            bool first) {
    if (first && at.data() == records.data()) {
      first_pass = Result{digit, from, at};
    } else if (first_pass &&
               (at.data() == first_pass->sorted.data() || at.data() == first_pass->from.data())) {
      first_pass.reset();
    }
  }

  /// Memory for so many words, which stays the room's.
  Records<Exec> at_least(std::size_t words) {
    if (records.extent(0) < words) grow(words);
    return Kokkos::subview(records, Kokkos::make_pair(std::size_t{0}, words));
  }
  /// The same to keep.
  Records<Exec> take(std::size_t words) {
    if (records.extent(0) != words) grow(words);
    return std::exchange(records, Records<Exec>());
  }

 private:
  void grow(std::size_t words) {
    first_pass.reset();
    records = {};
    records = uninitialized_view<Records<Exec>>("genten::sort_room", words);
  }
};

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
        m_pieces(std::clamp<offset_t>(size / 65536, 1, 4 * exec.concurrency())),
        m_length((size + m_pieces - 1) / m_pieces),
        m_starts("genten::sort_starts", static_cast<std::size_t>(m_pieces), buckets()) {}

  void run(const std::uint64_t* from, std::uint64_t* to) const {
    for_pieces("genten::sort_count", [=, *this](const offset_t piece) { count(from, piece); });
    offset_t total = 0;
    for (std::size_t bucket = 0; bucket < buckets(); ++bucket) {
      for (offset_t piece = 0; piece < m_pieces; ++piece) {
        total += std::exchange(m_starts(piece, bucket), total);
      }
    }
    for_pieces("genten::sort_scatter",
               [=, *this](const offset_t piece) { scatter(from, to, piece); });
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
  [[nodiscard]] offset_t begin_of(offset_t piece) const {
    return std::min(m_size, piece * m_length);
  }

  template <class Body>
  void for_pieces(const char* label, const Body& body) const {
    using Policy =
        Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<offset_t>>;
    Kokkos::parallel_for(label, Policy(m_exec, 0, m_pieces, Kokkos::ChunkSize(1)), body);
    fence(m_exec, label);
  }

  void count(const std::uint64_t* from, offset_t piece) const {
    offset_t* const counts = &m_starts(piece, 0);
    const DigitReader<Words, Parts> digit(m_digit);
    for (offset_t p = begin_of(piece); p < begin_of(piece + 1); ++p) {
      ++counts[digit.of(from + p * Words)];
    }
  }

  void scatter(const std::uint64_t* from, std::uint64_t* to, offset_t piece) const {
    offset_t* const next = &m_starts(piece, 0);
    const std::vector<offset_t> start(next, next + buckets());
    const auto lines = std::make_unique_for_overwrite<Line[]>(buckets());
    const DigitReader<Words, Parts> digit(m_digit);
    const bool stream = static_cast<std::size_t>(m_size) * Words * 8 > longest_cached &&
                        reinterpret_cast<std::uintptr_t>(to) % cache_line_bytes == 0;
    for (offset_t p = begin_of(piece); p < begin_of(piece + 1); ++p) {
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
  offset_t m_pieces;
  offset_t m_length;
  /// Where the next record of a piece and bucket goes.
  Kokkos::View<offset_t**, Kokkos::LayoutRight, typename Exec::memory_space> m_starts;
};

/// One pass, compiled for the usual numbers of parts.
template <int Words, ExecutionSpace Exec>
void counting_pass(const Exec& exec, const RecordNumber& digit, offset_t size,
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

/// Whether a sort leaves its input as it is, or may use its memory.
enum class SortInput { keep, consume };

/// Returns where the result lies: in memory of its own, in that of `from` if it may be consumed, or
/// in the room, which then has none.
template <int Words, ExecutionSpace Exec>
requires is_host_space<Exec> Records<Exec> sort_records(const Exec& exec, const Records<Exec>& from,
                                                        const RecordNumber& number, SortInput input,
                                                        SortRoom<Exec>& room) {
  constexpr int widest = CountingPass<Words, 0, Exec>::widest_digit;
  const std::size_t words = from.extent(0);
  // Without bits, one pass into a single bucket copies.
  const int passes = std::max(1, (number.bits() + widest - 1) / widest);
  // The result lies in `to` after an odd number of passes into it and the other in turn.
  Records<Exec> to = input == SortInput::consume
                         ? room.take(words)
                         : uninitialized_view<Records<Exec>>("genten::sorted_records", words);
  Records<Exec> other = input == SortInput::consume ? from : Records<Exec>();
  if (passes > 1 && input == SortInput::keep) {
    other = room.at_least(words);
    if (passes % 2 == 0) std::swap(to, other);
  }
  Records<Exec> source = from;
  for (int pass = 0, done = 0; pass < passes; ++pass) {
    const int width = (number.bits() - done + (passes - pass) - 1) / (passes - pass);
    const RecordNumber digit = number.slice(done, width);
    const Records<Exec>& target = pass % 2 == 0 ? to : other;
    // Orders that differ in their leading parts alone have the first pass of their sorts in common.
    if (pass != 0 || !room.holds(from, digit, target)) {
      counting_pass<Words>(exec, digit, static_cast<offset_t>(words) / Words, source.data(),
                           target.data());
      room.note(from, digit, target, pass == 0);
    }
    source = target;
    done += width;
  }
  if (input == SortInput::consume) room.first_pass.reset();  // it would keep memory alive
  return source;
}

/// The same on a device: numbers and positions are sorted, then the records gathered.
template <class Number, class Position, int Words, ExecutionSpace Exec>
void sort_records_by(const Exec& exec, const Records<Exec>& from, const Records<Exec>& to,
                     const RecordNumber& number) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  const auto size = static_cast<offset_t>(to.extent(0)) / Words;
  const SortPairs<Number, Position, typename Exec::memory_space> pairs(size);
  const auto numbers = pairs.keys;
  const auto positions = pairs.values, sorted = pairs.values_room;
  Kokkos::parallel_for(
      "genten::sort_number", Policy(exec, 0, size), KOKKOS_LAMBDA(const offset_t p) {
        numbers(p) = static_cast<Number>(number.of(&from(p * Words)));
        positions(p) = static_cast<Position>(p);
      });
  // Without bits nothing is to be sorted, but all to be copied.
  sort_on_device(exec, pairs, std::max(number.bits(), 1));
  Kokkos::parallel_for(
      "genten::sort_gather", Policy(exec, 0, size), KOKKOS_LAMBDA(const offset_t p) {
        const auto q = static_cast<offset_t>(sorted(p));
        for (int w = 0; w < Words; ++w) to(p * Words + w) = from(q * Words + w);
      });
  fence(exec, "genten::sort_records");
}

template <int Words, ExecutionSpace Exec>
requires(!is_host_space<Exec>) Records<Exec> sort_records(const Exec& exec,
                                                          const Records<Exec>& from,
                                                          const RecordNumber& number, SortInput,
                                                          SortRoom<Exec>&) {
  const auto to = uninitialized_view<Records<Exec>>("genten::sorted_records", from.extent(0));
  const auto size = to.extent(0) / Words;
  const bool narrow = number.bits() <= 32;
  if (size == 0) {
    return to;
  } else if (size < (std::size_t{1} << 32)) {
    narrow ? sort_records_by<std::uint32_t, std::uint32_t, Words>(exec, from, to, number)
           : sort_records_by<std::uint64_t, std::uint32_t, Words>(exec, from, to, number);
  } else {
    sort_records_by<std::uint64_t, std::uint64_t, Words>(exec, from, to, number);
  }
  return to;
}

/// The records `from`, of `words` words each, in the order of `number`; stable, so the same
/// whatever the number of threads. Sorts of the same records by the same number share their result;
/// consumed records can be asked for in that order only.
template <ExecutionSpace Exec>
[[nodiscard]] Records<Exec> sorted_records(const Exec& exec, const Records<Exec>& from, int words,
                                           const RecordNumber& number, SortInput input,
                                           SortRoom<Exec>& room) {
  for (const auto& result : room.results) {
    if (result.from.data() == from.data() && result.number.same_as(number)) return result.sorted;
  }
  if (input == SortInput::consume) {
    std::erase_if(room.results, [&](const auto& r) { return r.from.data() == from.data(); });
  }
  Records<Exec> sorted;
  switch (words) {
    case 1:
      sorted = sort_records<1>(exec, from, number, input, room);
      break;
    case 2:
      sorted = sort_records<2>(exec, from, number, input, room);
      break;
    default:
      sorted = sort_records<RecordLayout::most_words>(exec, from, number, input, room);
      break;
  }
  room.results.push_back({number, from, sorted});
  return sorted;
}

}  // namespace genten::detail
