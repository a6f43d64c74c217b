// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Draws as keys of their entries, kept with their numbers in the sequence, and sorted.

#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/detail/draw_choice.hpp>
#include <genten/core/detail/key_packing.hpp>

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

namespace genten::detail {

/// Keys of entries, of `width` words each, and the numbers of the draws that they are of. Sorted,
/// they lie in lexicographic order of the entries, and draws of one entry in that of their numbers.
template <class Number>
struct DrawnKeys {
  int width = 1;
  HostArray<std::uint64_t> words;  ///< key by key, the least significant first
  HostArray<Number> numbers;

  DrawnKeys() = default;
  DrawnKeys(int words_of_key, std::size_t count)
      : width(words_of_key),
        words(uninitialized_view<HostArray<std::uint64_t>>(
            "genten::draw_keys", static_cast<std::size_t>(words_of_key) * count)),
        numbers(uninitialized_view<HostArray<Number>>("genten::draw_numbers", count)) {}

  [[nodiscard]] std::size_t size() const { return numbers.extent(0); }
  [[nodiscard]] std::uint64_t* key(std::size_t i) const {
    return words.data() + i * static_cast<std::size_t>(width);
  }
  /// Whether draw i of sorted ones is the first of its entry; one also "begins" at the end.
  [[nodiscard]] bool is_head(std::size_t i) const {
    if (i == 0 || i >= size()) return true;
    const std::uint64_t *const before = key(i - 1), *const here = key(i);
    // The last word tells the most keys apart, and mostly is the only one.
    for (int w = width - 1; w >= 0; --w) {
      if (before[w] != here[w]) return true;
    }
    return false;
  }
  void copy_key(std::size_t from, std::size_t to) const {
    const std::uint64_t* const source = key(from);
    std::uint64_t* const target = key(to);
    target[0] = source[0];
    for (int w = 1; w < width; ++w) target[w] = source[w];
  }
};

/// Writes the key of an entry, whose subscripts `row(n)` gives.
template <class Row>
void write_key(const KeyPacking& packing, Row& row, std::uint64_t* words) {
  for (int w = 0; w < packing.words(); ++w) words[w] = 0;
  for (int n = 0; n < packing.order(); ++n) {
    words[packing.word(n)] |= static_cast<std::uint64_t>(row(n)) << packing.shift(n);
  }
}

/// Copies keys to place `at` of others, their numbers increased by `first`.
template <ExecutionSpace Exec, class From, class To>
void copy_keys(const Exec& exec, const DrawnKeys<From>& from, offset_t first,
               const DrawnKeys<To>& to, std::size_t at) {
  const EvenChunks chunks(from.size());
  for_each_index("genten::copy_keys", exec, chunks.count(), [&](const std::size_t chunk) {
    const std::size_t begin = chunks.begin(chunk), end = chunks.end(chunk);
    std::copy(from.key(begin), from.key(end), to.key(at + begin));
    for (std::size_t i = begin; i < end; ++i) {
      to.numbers(at + i) = static_cast<To>(first + static_cast<offset_t>(from.numbers(i)));
    }
  });
}

/// The wanted draws of a sequence from `begin` on, which no others may have taken.
template <ExecutionSpace Exec>
class DrawStore {
 public:
  DrawStore(const Exec& exec, const SubscriptDraws& draws, const KeyPacking& packing,
            DrawChoice choice, offset_t begin = 0)
      : m_exec(exec),
        m_draws(draws),
        m_packing(packing),
        m_choice(std::move(choice)),
        m_kept_to(begin),
        m_end(begin) {}

  [[nodiscard]] const KeyPacking& packing() const { return m_packing; }

  /// Goes on to draw `end`. Where all are wanted they are made when they are taken.
  void draw_to(offset_t end) {
    m_end = end;
    if (m_choice.takes_all()) return;
    const offset_t longest = std::min(block, end - m_kept_to);
    const DrawnKeys<std::uint32_t> scratch(m_packing.words(), static_cast<std::size_t>(longest));
    for (; m_kept_to < end; m_kept_to = std::min(end, m_kept_to + block)) keep_block(scratch);
  }

  /// The draws so far, those of one entry in the order of their numbers; the store gives them away.
  template <class Number>
  [[nodiscard]] DrawnKeys<Number> take() {
    std::size_t count = static_cast<std::size_t>(m_end - m_kept_to);
    for (const Piece& piece : m_pieces) {
      count += std::visit([](const auto& keys) { return keys.size(); }, piece.keys);
    }
    const DrawnKeys<Number> all(m_packing.words(), count);
    std::size_t at = 0;
    for (Piece& piece : m_pieces) {
      const auto append = [&](const auto& keys) {
        copy_keys(m_exec, keys, piece.first, all, at);
        at += keys.size();
      };
      std::visit(append, piece.keys);
      piece = {};  // gives its memory back
    }
    m_pieces.clear();
    draw_all(all, at);
    m_kept_to = m_end;
    return all;
  }

  /// Gives back what was taken.
  template <class Number>
  void put_back(DrawnKeys<Number> keys) {
    m_pieces.push_back({0, std::move(keys)});
  }

 private:
  /// Draws that are looked at together where not all are wanted, so that the others take no memory.
  static constexpr offset_t block = offset_t{1} << 22;

  struct Piece {
    offset_t first = 0;  ///< to be added to the numbers
    std::variant<DrawnKeys<std::uint32_t>, DrawnKeys<std::uint64_t>> keys = {};
  };

  void keep_block(const DrawnKeys<std::uint32_t>& scratch) {
    const auto draws = static_cast<std::size_t>(std::min(block, m_end - m_kept_to));
    const EvenChunks chunks(draws, 4096, 1024);
    std::vector<std::size_t> kept(chunks.count() + 1, 0);
    for_each_index("genten::choose_draws", m_exec, chunks.count(), [&](const std::size_t chunk) {
      const std::size_t begin = chunks.begin(chunk), end = chunks.end(chunk);
      std::size_t to = begin;
      DrawBatch batch(m_draws);
      for (std::size_t i = begin; i < end; i += DrawBatch::most) {
        const std::size_t count = std::min<std::size_t>(DrawBatch::most, end - i);
        batch.draw(m_kept_to + static_cast<offset_t>(i), static_cast<int>(count), m_choice);
        batch.write_keys(m_packing, scratch.key(to));
        for (int j = 0; j < batch.size(); ++j) {
          scratch.numbers(to++) =
              static_cast<std::uint32_t>(batch.number(j) - static_cast<std::uint64_t>(m_kept_to));
        }
      }
      kept[chunk + 1] = to - begin;
    });
    std::partial_sum(kept.begin(), kept.end(), kept.begin());
    const DrawnKeys<std::uint32_t> keys(m_packing.words(), kept.back());
    for_each_index("genten::keep_draws", m_exec, chunks.count(), [&](const std::size_t chunk) {
      const std::size_t from = chunks.begin(chunk), to = kept[chunk];
      const std::size_t count = kept[chunk + 1] - to;
      std::copy(scratch.key(from), scratch.key(from + count), keys.key(to));
      std::copy_n(scratch.numbers.data() + from, count, keys.numbers.data() + to);
    });
    m_pieces.push_back({m_kept_to, keys});
  }

  /// Makes the draws that are not kept, all of them wanted.
  template <class Number>
  void draw_all(const DrawnKeys<Number>& all, std::size_t at) const {
    const EvenChunks chunks(static_cast<std::size_t>(m_end - m_kept_to), 4096, 65536);
    for_each_index("genten::draw", m_exec, chunks.count(), [&](const std::size_t chunk) {
      const std::size_t end = chunks.end(chunk);
      DrawBatch batch(m_draws);
      for (std::size_t i = chunks.begin(chunk); i < end; i += DrawBatch::most) {
        const std::size_t count = std::min<std::size_t>(DrawBatch::most, end - i);
        batch.draw(m_kept_to + static_cast<offset_t>(i), static_cast<int>(count), m_choice);
        batch.write_keys(m_packing, all.key(at + i));
        for (std::size_t j = 0; j < count; ++j) {
          all.numbers(at + i + j) = static_cast<Number>(batch.number(static_cast<int>(j)));
        }
      }
    });
  }

  Exec m_exec;
  SubscriptDraws m_draws;
  KeyPacking m_packing;
  DrawChoice m_choice;
  offset_t m_kept_to;  ///< draws from here to the end have not been made
  offset_t m_end;
  std::vector<Piece> m_pieces;
};

/// The words of keys, for `sorted_positions`.
struct WordsOfKeys {
  KeyPacking packing;
  const std::uint64_t* all;

  [[nodiscard]] int words() const { return packing.words(); }
  [[nodiscard]] int bits(int word) const { return packing.word_bits(word); }
  std::uint64_t operator()(offset_t i, int word) const { return all[i * words() + word]; }
};

/// Sorts keys. Takes as much memory again or, where keys have several words, three more numbers
/// for each and either 16 bytes or another key, whichever is more.
template <ExecutionSpace Exec, class Number>
[[nodiscard]] DrawnKeys<Number> sorted_keys(const Exec& exec, const KeyPacking& packing,
                                            DrawnKeys<Number> keys) {
  using Pairs = SortPairs<std::uint64_t, Number, typename Exec::memory_space>;
  if (keys.width == 1) {
    Pairs pairs(0);
    pairs.keys = std::exchange(keys.words, {});
    pairs.values = std::exchange(keys.numbers, {});
    const DrawnKeys<Number> spare(1, pairs.keys.extent(0));
    pairs.spare_keys = spare.words;
    pairs.spare_values = spare.numbers;
    sort_pairs(exec, pairs, packing.word_bits(0));
    keys.words = pairs.keys;
    keys.numbers = pairs.values;
    return keys;
  }
  const auto count = static_cast<offset_t>(keys.size());
  const HostArray<Number> order =
      sorted_positions<std::uint64_t, Number>(exec, count, WordsOfKeys{packing, keys.words.data()})
          .values;
  const DrawnKeys<Number> sorted(keys.width, keys.size());
  Kokkos::parallel_for("genten::sort_keys",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
                       [&](const offset_t i) {
                         const auto to = static_cast<std::size_t>(i);
                         const auto from = static_cast<std::size_t>(order(to));
                         std::copy(keys.key(from), keys.key(from + 1), sorted.key(to));
                         sorted.numbers(to) = keys.numbers(from);
                       });
  fence(exec, "genten::sort_keys");
  return sorted;
}

}  // namespace genten::detail
