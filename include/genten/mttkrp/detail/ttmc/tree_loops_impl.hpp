// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Kronecker products of factor rows summed level by level, for the instruction set that a source
/// is compiled for.

#include <genten/mttkrp/detail/ttmc/tree_loops.hpp>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// Nonzeros ahead of the one at hand whose rows of the last level are asked for.
inline constexpr offset_t tree_prefetch = 12;

/// Sums of value times so many columns, from `first` on, of the last level's rows.
template <int Width, class Scalar>
inline void sum_leaves(const TreeRecords<Scalar>& of, const TreeLevel<Scalar>& leaf, offset_t begin,
                       offset_t end, std::size_t first) {
  Scalar sums[Width] = {};
  const int words = of.layout->words;
  for (offset_t p = begin; p < end; ++p) {
    const std::uint64_t* const record = of.records + p * words;
    const Scalar* const row = leaf.factor + leaf.field.get(record) * leaf.stride + first;
    const Scalar value = of.layout->value(record, of.dictionary);
    for (int j = 0; j < Width; ++j) sums[j] += value * row[j];
  }
  for (int j = 0; j < Width; ++j) leaf.sums[first + static_cast<std::size_t>(j)] = sums[j];
}

/// to (+)= row (x) terms, of a multiple of Width terms.
template <int Width, bool Add, class Scalar>
inline void add_blocks(const Scalar* KOKKOS_RESTRICT row, std::size_t columns,
                       const Scalar* KOKKOS_RESTRICT terms, std::size_t count,
                       Scalar* KOKKOS_RESTRICT to) {
  for (std::size_t block = 0; block < count; block += Width) {
    Scalar own[Width];
    for (int j = 0; j < Width; ++j) own[j] = terms[block + static_cast<std::size_t>(j)];
    for (std::size_t r = 0; r < columns; ++r) {
      const Scalar factor = row[r];
      Scalar* KOKKOS_RESTRICT const at = to + r * count + block;
      for (int j = 0; j < Width; ++j) at[j] = (Add ? at[j] : Scalar(0)) + factor * own[j];
    }
  }
}

template <bool Add, class Scalar>
inline void add_products(const Scalar* row, std::size_t columns, const Scalar* terms,
                         std::size_t count, Scalar* to) {
  if (count % 8 == 0) return add_blocks<8, Add>(row, columns, terms, count, to);
  if (count % 4 == 0) return add_blocks<4, Add>(row, columns, terms, count, to);
  return add_blocks<1, Add>(row, columns, terms, count, to);
}

template <class Scalar>
offset_t sum_tree_row(const TreeRecords<Scalar>& of, RecordField row, TreeLevel<Scalar>* levels,
                      int count, offset_t begin, offset_t end) {
  const int last = count - 1, words = of.layout->words;
  const bool two = of.layout->key_words > 1;
  TreeLevel<Scalar>& leaf = levels[last];
  for (int k = 0; k < last; ++k) levels[k].empty = true;
  while (true) {
    const std::uint64_t* const record = of.records + begin * words;
    const auto differs = [&](const std::uint64_t* other) {
      const std::uint64_t first = (record[0] ^ other[0]) & of.upper[0];
      return first != 0 || (two && ((record[1] ^ other[1]) & of.upper[1]) != 0);
    };
    offset_t next = begin;
    do {
      if (next + tree_prefetch < end) {
        const std::uint64_t* const ahead = of.records + (next + tree_prefetch) * words;
        __builtin_prefetch(leaf.factor + leaf.field.get(ahead) * leaf.stride);
      }
      ++next;
    } while (next < end && !differs(of.records + next * words));
    std::size_t column = 0;
    for (; column + 16 <= leaf.columns; column += 16) sum_leaves<16>(of, leaf, begin, next, column);
    for (; column + 8 <= leaf.columns; column += 8) sum_leaves<8>(of, leaf, begin, next, column);
    for (; column + 4 <= leaf.columns; column += 4) sum_leaves<4>(of, leaf, begin, next, column);
    for (; column < leaf.columns; ++column) sum_leaves<1>(of, leaf, begin, next, column);
    // The level from which on subscripts change: what is behind it is complete.
    const std::uint64_t* const after = next < end ? of.records + next * words : nullptr;
    const bool ends = after == nullptr || row.get(after) != row.get(record);
    int changed = 0;
    while (!ends && levels[changed].field.get(after) == levels[changed].field.get(record)) {
      ++changed;
    }
    for (int k = last; k-- > changed;) {
      TreeLevel<Scalar>& level = levels[k];
      TreeLevel<Scalar>& below = levels[k + 1];
      const Scalar* const of_level = level.factor + level.field.get(record) * level.stride;
      level.empty
          ? add_products<false>(of_level, level.columns, below.sums, below.length, level.sums)
          : add_products<true>(of_level, level.columns, below.sums, below.length, level.sums);
      level.empty = false;
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
