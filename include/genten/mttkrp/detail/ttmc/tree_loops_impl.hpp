// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Kronecker products of factor rows summed level by level, for the instruction set that a source
/// is compiled for.

#include <genten/base/detail/simd.hpp>
#include <genten/mttkrp/detail/ttmc/tree_loops.hpp>

#include <algorithm>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// A term of the sums of the last two levels: value times outer row (x) leaf row.
template <class Scalar>
struct PairTerm {
  const Scalar* outer;
  const Scalar* leaf;
  Scalar value;
};

/// Whether leaves of one outer row are summed before its product is taken: that saves products, of
/// so many vectors each, and costs a branch that processors do not foresee (at 32 vectors, with 1.2
/// nonzeros a pair of subscripts, 5 to 10 % more time than it saves).
template <class Scalar>
constexpr bool merges_leaves(std::size_t outer, std::size_t leaf) {
  return outer * leaf * sizeof(Scalar) > 32 * static_cast<std::size_t>(vector_bytes);
}

/// Columns of the outer row whose sums stay in registers: half of the registers hold them.
inline constexpr int pair_rows = vector_registers >= 32 ? 8 : 4;
template <class Scalar>
inline constexpr int pair_width =
    pair_rows* vectors_per_line <= vector_registers / 2 ? line_width<Scalar>
                                                        : line_width<Scalar> / 2;

/// to (+)= the sum of terms, of `Rows` columns of the outer rows from `outer` on by `Width` of the
/// leaves from `leaf` on.
template <int Rows, int Width, class Scalar>
void sum_block(const PairTerm<Scalar>* terms, std::size_t count, std::size_t outer,
               std::size_t leaf, bool add, Scalar* to, std::size_t distance) {
  using Vector = SimdVector<Scalar, Width>;
  Vector sums[Rows];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) sums[r] = Vector::zero();
  for (std::size_t t = 0; t < count; ++t) {
    const Vector row = terms[t].value * Vector::load(terms[t].leaf + leaf);
    const Scalar* factors = terms[t].outer + outer;
    // Without it GCC keeps the offsets of all rows in registers, of which it has too few.
    asm("" : "+r"(factors));
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) sums[r] += factors[r] * row;
  }
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) {
    Scalar* const at = to + static_cast<std::size_t>(r) * distance;
    (add ? Vector::load(at) + sums[r] : sums[r]).store(at);
  }
}

/// All leaf columns from `leaf` on, for `Rows` columns of the outer rows.
template <int Rows, int Width, class Scalar>
void sum_blocks(const PairTerm<Scalar>* terms, std::size_t count, std::size_t outer,
                std::size_t leaf, std::size_t columns, bool add, Scalar* to) {
  for (; leaf + Width <= columns; leaf += Width) {
    sum_block<Rows, Width>(terms, count, outer, leaf, add, to + leaf, columns);
  }
  if constexpr (Width > 1) {
    if (leaf < columns) sum_blocks<Rows, Width / 2>(terms, count, outer, leaf, columns, add, to);
  }
}

/// All leaf columns for the columns of the outer rows from `outer` on.
template <int Rows, class Scalar>
void sum_rows(const PairTerm<Scalar>* terms, std::size_t count, std::size_t outer,
              std::size_t outer_columns, std::size_t columns, bool add, Scalar* to) {
  for (; outer + Rows <= outer_columns; outer += Rows) {
    sum_blocks<Rows, pair_width<Scalar>>(terms, count, outer, 0, columns, add,
                                         to + outer * columns);
  }
  if constexpr (Rows > 1) {
    if (outer < outer_columns) {
      sum_rows<Rows / 2>(terms, count, outer, outer_columns, columns, add, to);
    }
  }
}

/// What the sums of the last two levels are made from: `outer` may be a level of one column, 1.
template <class Scalar>
struct PairLevels {
  const TreeLevel<Scalar>& outer;
  const TreeLevel<Scalar>& leaf;
  std::uint64_t group[2];  ///< by word, the bits of the row and of all levels before these two
  Scalar* merged;          ///< for pair_terms rows of leaf.columns
  Scalar* sums;            ///< where they go
  /// Whether few nonzeros may be summed at a time, so that rows are needed as soon as they are
  /// known: leaves are then fetched for nonzeros further on.
  bool fetches_ahead;
};

/// Nonzeros from the one that is looked at to the one whose leaf is fetched.
inline constexpr offset_t leaves_ahead = 16;

/// Sums the nonzeros from `begin` on that have the subscripts of the first but for the last two
/// levels, and says where they end. `Two`: whether keys are of two words; `Coded`: whether values
/// are; `Merges`: whether leaves of the same outer row are summed first.
template <bool Two, bool Coded, bool Merges, class Scalar>
offset_t sum_pairs(const TreeRecords<Scalar>& of, const PairLevels<Scalar>& pair, offset_t begin,
                   offset_t end) {
  constexpr offset_t words = (Two ? 2 : 1) + (Coded ? 0 : 1);
  const auto same = [](const std::uint64_t* a, const std::uint64_t* b, const std::uint64_t* bits) {
    return ((a[0] ^ b[0]) & bits[0]) == 0 && (!Two || ((a[1] ^ b[1]) & bits[1]) == 0);
  };
  const auto number = [](const RecordField& field, const std::uint64_t* record) {
    return Two ? field.get(record) : (record[0] >> field.shift) & field.mask;
  };
  // Copies, since for all that the compiler knows the stores to `terms` may change the originals.
  const std::uint64_t group[2] = {pair.group[0], pair.group[1]};
  const RecordField outer_field = pair.outer.field, leaf_field = pair.leaf.field;
  const RecordField code = of.layout->code;
  const Scalar *const outer = pair.outer.factor, *const leaf = pair.leaf.factor;
  const std::size_t outer_stride = pair.outer.stride, leaf_stride = pair.leaf.stride;
  const std::size_t columns = pair.leaf.columns;
  const Scalar* const dictionary = of.dictionary;
  const auto value_of = [&](const std::uint64_t* record) {
    return Coded ? dictionary[number(code, record)] : value_of_word<Scalar>(record[words - 1]);
  };
  const std::uint64_t* const first = of.records + begin * words;
  const std::uint64_t* const last = of.records + end * words;
  const std::uint64_t* const fetched =
      pair.fetches_ahead ? last - std::min(leaves_ahead, end - begin) * words : first;
  const std::uint64_t* record = first;
  PairTerm<Scalar> terms[pair_terms];
  bool add = false, ends = false;
  while (!ends) {
    std::size_t count = 0;
    for (; count < pair_terms; ++count) {
      ends = record == last || !same(record, first, group);
      if (ends) break;
      const Scalar* const row = leaf + number(leaf_field, record) * leaf_stride;
      const Scalar* const factors = outer + number(outer_field, record) * outer_stride;
      __builtin_prefetch(row);
      __builtin_prefetch(factors);
      if (record < fetched) {
        __builtin_prefetch(leaf + number(leaf_field, record + leaves_ahead * words) * leaf_stride);
      }
      terms[count] = {factors, row, value_of(record)};
      record += words;
      if constexpr (Merges) {
        if (record == last || !same(record - words, record, of.upper)) continue;
        const std::uint64_t* const one = record - words;
        Scalar* const sums = pair.merged + count * columns;
        for (std::size_t j = 0; j < columns; ++j) sums[j] = terms[count].value * row[j];
        for (; record != last && same(one, record, of.upper); record += words) {
          const Scalar* const next = leaf + number(leaf_field, record) * leaf_stride;
          const Scalar value = value_of(record);
          for (std::size_t j = 0; j < columns; ++j) sums[j] += value * next[j];
        }
        terms[count] = {factors, sums, Scalar(1)};
      }
    }
    if (count != 0) {
      sum_rows<pair_rows>(terms, count, 0, pair.outer.columns, columns, add, pair.sums);
    }
    add = true;
  }
  return begin + (record - first) / words;
}

/// That for a layout.
template <class Scalar>
auto sum_pairs_of(const RecordLayout& layout, bool merges) {
  using Sum =
      offset_t (*)(const TreeRecords<Scalar>&, const PairLevels<Scalar>&, offset_t, offset_t);
  static constexpr Sum all[2][2][2] = {
      {{sum_pairs<false, false, false, Scalar>, sum_pairs<false, false, true, Scalar>},
       {sum_pairs<false, true, false, Scalar>, sum_pairs<false, true, true, Scalar>}},
      {{sum_pairs<true, false, false, Scalar>, sum_pairs<true, false, true, Scalar>},
       {sum_pairs<true, true, false, Scalar>, sum_pairs<true, true, true, Scalar>}}};
  return all[layout.key_words > 1 ? 1 : 0][layout.coded ? 1 : 0][merges ? 1 : 0];
}

template <class Scalar>
offset_t sum_tree_row(const TreeRecords<Scalar>& of, RecordField row, TreeLevel<Scalar>* levels,
                      int count, Scalar* merged, offset_t begin, offset_t end) {
  static constexpr Scalar one = 1;
  TreeLevel<Scalar> unit;
  unit.factor = &one;
  unit.columns = 1;
  const int last = std::max(count - 2, 0);  // whose sums are made from nonzeros
  const TreeLevel<Scalar>& outer = count > 1 ? levels[last] : unit;
  const TreeLevel<Scalar>& leaf = levels[count - 1];
  PairLevels<Scalar> pair{outer, leaf, {0, 0}, merged, levels[last].sums, last > 0};
  const auto sum =
      sum_pairs_of<Scalar>(*of.layout, merges_leaves<Scalar>(outer.columns, leaf.columns));
  const auto take = [&](const RecordField& field) {
    pair.group[field.word] |= field.put(field.mask);
  };
  take(row);
  for (int k = 0; k < last; ++k) {
    take(levels[k].field);
    levels[k].empty = true;
  }
  // Sums of the last two levels that are not yet in those of the level before.
  PairTerm<Scalar> terms[most_pair_sums];
  const std::size_t room = pair_sums(levels[last].length, sizeof(Scalar));
  std::size_t waiting = 0;
  const auto add_terms = [](TreeLevel<Scalar>& to, const PairTerm<Scalar>* from, std::size_t number,
                            std::size_t columns) {
    sum_rows<pair_rows>(from, number, 0, to.columns, columns, !to.empty, to.sums);
    to.empty = false;
  };
  const auto row_of = [](const TreeLevel<Scalar>& level, const std::uint64_t* record) {
    return level.factor + level.field.get(record) * level.stride;
  };
  while (true) {
    const std::uint64_t* const record = of.records + begin * of.layout->words;
    pair.sums = levels[last].sums + waiting * levels[last].length;
    const offset_t next = sum(of, pair, begin, end);
    // The level from which on subscripts change: what is behind it is complete.
    const std::uint64_t* const after = next < end ? of.records + next * of.layout->words : nullptr;
    const bool ends = after == nullptr || row.get(after) != row.get(record);
    int changed = 0;
    while (!ends && levels[changed].field.get(after) == levels[changed].field.get(record)) {
      ++changed;
    }
    if (last > 0) {
      terms[waiting++] = {row_of(levels[last - 1], record), pair.sums, Scalar(1)};
      if (ends || changed < last - 1 || waiting == room) {
        add_terms(levels[last - 1], terms, waiting, levels[last].length);
        waiting = 0;
      }
    }
    for (int k = last - 1; k-- > changed;) {
      TreeLevel<Scalar>& below = levels[k + 1];
      const PairTerm<Scalar> term{row_of(levels[k], record), below.sums, Scalar(1)};
      add_terms(levels[k], &term, 1, below.length);
      below.empty = true;
    }
    if (ends) return next;
    begin = next;
  }
}

template <class Scalar>
const TreeLoops<Scalar>& compiled_tree_loops() {
  static constexpr TreeLoops<Scalar> loops{&sum_tree_row<Scalar>};
  return loops;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
