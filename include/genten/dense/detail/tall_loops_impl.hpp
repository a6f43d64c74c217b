// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Gram matrices and products of tall matrices for the instruction set that a source is compiled
/// for.

#include <genten/dense/detail/row_block.hpp>
#include <genten/dense/detail/tall_loops.hpp>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// Tiles of two lines by eight columns where there are registers for them: a strip of two lines of
/// twice the rows is as near as one of four, and the sums, which are megabytes, are read and
/// written half as often.
inline constexpr int strip_lines = std::max(1, tile_lines / 2);
inline constexpr int strip_columns = tile_rows * tile_lines / strip_lines;
/// Rows whose products with a line of columns are summed side by side.
inline constexpr int product_rows = std::max(tile_rows, tile_rows* tile_lines / 2);

inline void add_tall_gram(const double* rows, std::size_t count, std::size_t columns,
                          double* sums) {
  const std::size_t distance = tall_distance(columns);
  for_lines<double, strip_lines>(columns, [&]<int Width, int Lines>(std::size_t first) {
    for_column_blocks<strip_columns>(
        columns,
        [&]<int Columns>(std::size_t a) {
          for (int c = 0; c < Columns; ++c) {  // sums are in neither L1 nor L2
            const double* const to = sums + (a + static_cast<std::size_t>(c)) * distance + first;
            for (int line = 0; line < Lines; ++line) __builtin_prefetch(to + line * Width, 1);
          }
          gram_tile<Width, Columns, Lines>(rows, count, distance, a, first, sums);
        },
        first);
  });
}

inline void multiply_tall_rows(const double* rows, std::size_t count, std::size_t distance,
                               std::size_t inner, const double* small, std::size_t columns,
                               double* to, std::size_t to_distance) {
  const RowProduct<double> product{rows, distance, inner, small, columns, to, to_distance};
  for_lines<double, 1>(columns, [&]<int Width, int Lines>(std::size_t first) {
    std::size_t i = 0;
    for (; i + product_rows <= count; i += product_rows) {
      apply_tile<Width, product_rows, Lines>(product, i, first);
    }
    for (; i < count; ++i) apply_tile<Width, 1, Lines>(product, i, first);
  });
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
