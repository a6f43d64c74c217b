// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Kronecker products of factor rows summed level by level, as those see it who call it: a function
/// that is compiled for each instruction set (base/detail/simd_set.hpp), and the table of it.

#include <genten/base/detail/simd_set.hpp>
#include <genten/base/numbers.hpp>
#include <genten/format/record_layout.hpp>

#include <algorithm>
#include <cstddef>

namespace genten::detail {

/// One of the modes that a tensor is multiplied in. `sums` is over the nonzeros of the current
/// subscripts of the levels before: of value times the Kronecker product of the rows of this level
/// and those behind it, of which the last varies fastest.
template <class Scalar>
struct TreeLevel {
  RecordField field;  ///< of its subscripts
  const Scalar* factor = nullptr;
  std::size_t stride = 0;  ///< of the factor's rows
  std::size_t columns = 0;
  Scalar* sums = nullptr;  ///< of the last level but one, room for `pair_sums` of them
  std::size_t length = 0;  ///< of `sums`
  bool empty = true;       ///< whether `sums` are to be overwritten
};

/// Nonzeros that come sorted by their row and the subscripts of the levels.
template <class Scalar>
struct TreeRecords {
  const std::uint64_t* records;
  const RecordLayout* layout;
  const Scalar* dictionary;
  std::uint64_t upper[2] = {0, 0};  ///< by word, the bits of the row and of all levels but the last
};

/// Rows of as many elements as the last level has columns that `sum_row` needs to work with.
inline constexpr std::size_t pair_terms = 64;

/// Sums of the last two levels that wait to be added to those of the level before, whose elements
/// are many: it takes half as long when eight of them are added at once as one by one.
inline constexpr std::size_t most_pair_sums = 8;
/// As many as leave room for others in L1.
[[nodiscard]] constexpr std::size_t pair_sums(std::size_t length, std::size_t scalar_bytes) {
  constexpr std::size_t l1_bytes = 16384;
  return std::clamp<std::size_t>(l1_bytes / (length * scalar_bytes), 1, most_pair_sums);
}

/// The functions that an instruction set has.
template <class Scalar>
struct TreeLoops {
  /// Sums the nonzeros of [begin, end) that have the row of the first, those at the beginning, and
  /// says where they end. levels[0].sums has what is found. `merged` is room for pair_terms rows
  /// of the last level.
  offset_t (*sum_row)(const TreeRecords<Scalar>&, RecordField row, TreeLevel<Scalar>* levels,
                      int count, Scalar* merged, offset_t begin, offset_t end);
};

/// Those of the instruction set in use: see genten::instruction_set.
template <class Scalar>
[[nodiscard]] const TreeLoops<Scalar>& tree_loops();

}  // namespace genten::detail

#ifdef GENTEN_ETI
namespace genten::detail {
template <>
const TreeLoops<float>& tree_loops<float>();
template <>
const TreeLoops<double>& tree_loops<double>();
}  // namespace genten::detail
#else
#include <genten/mttkrp/detail/ttmc/tree_loops_impl.hpp>

template <class Scalar>
const genten::detail::TreeLoops<Scalar>& genten::detail::tree_loops() {
  return compiled_tree_loops<Scalar>();
}
#endif
