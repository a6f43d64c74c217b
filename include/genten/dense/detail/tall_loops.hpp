// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Gram matrices and products of tall matrices, block by block, as those see them who call them:
/// functions that are compiled for each instruction set
/// (base/detail/simd_set.hpp), and the table of them. The library alone calls them.

#include <genten/base/detail/simd_set.hpp>

#include <cstddef>

namespace genten::detail {

/// Rows of a block. A strip of 16 of its columns, which passes over all others, stays in a first
/// cache of 32 KB.
inline constexpr std::size_t tall_block_rows = 128;

/// Elements from one row of a block, or of the sums, to the next: an odd number of cache lines, so
/// that the rows of a strip do not all lie in the same sets of the first cache, as with 512
/// columns.
[[nodiscard]] constexpr std::size_t tall_distance(std::size_t columns) {
  constexpr std::size_t line = line_width<double>;
  return ((columns + line - 1) / line | 1) * line;
}

/// The functions that an instruction set has.
struct TallLoops {
  /// Adds the Gram matrix of a block's columns to `sums`, up to the diagonal; elements right of it
  /// are undefined. Rows of both are tall_distance(columns) apart.
  void (*gram)(const double* rows, std::size_t count, std::size_t columns, double* sums);
  /// to = rows * small, where `small` is inner x columns.
  void (*multiply)(const double* rows, std::size_t count, std::size_t distance, std::size_t inner,
                   const double* small, std::size_t columns, double* to, std::size_t to_distance);
};

/// Those of the instruction set in use: see genten::instruction_set.
[[nodiscard]] const TallLoops& tall_loops();

}  // namespace genten::detail
