// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Small dense kernels on a block of rows, for the host: apply a square matrix, add to a Gram
/// matrix. Rows are padded as by `padded_stride`, so that vectors, from whole cache lines down to
/// single elements, cover them without masks.

#include <genten/base/detail/below.hpp>
#include <genten/base/detail/column_blocks.hpp>
#include <genten/base/detail/simd.hpp>

#include <algorithm>
#include <cstddef>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// Rows and lines of columns of a tile: as many as leave registers for what its sums are made of.
inline constexpr int tile_rows = vector_registers * vector_bytes >= 512 ? 4 : 2;
inline constexpr int tile_lines =
    std::max(1, vector_registers / (2 * tile_rows * vectors_per_line));

/// to = rows * small, and where the rows of each stand.
template <class Scalar>
struct RowProduct {
  const Scalar* rows;
  std::size_t distance;  ///< from one row to the next
  std::size_t inner;     ///< rows of `small`
  const Scalar* small;
  std::size_t small_distance;
  Scalar* to;
  std::size_t to_distance;
};

/// Of a few rows from `i` on `Lines` vectors of columns from `first` on.
template <int Width, int Rows, int Lines, class Scalar>
[[gnu::always_inline]] inline void apply_tile(const RowProduct<Scalar>& of, std::size_t i,
                                              std::size_t first) {
  const Scalar *const from = of.rows + i * of.distance, *const small = of.small + first;
  SimdRow<Scalar, Width, Lines> sum[Rows];
#pragma GCC unroll 8
  for (int k = 0; k < Rows; ++k) sum[k] = SimdRow<Scalar, Width, Lines>::zero();
  for (std::size_t j = 0; j < of.inner; ++j) {
    const auto row = SimdRow<Scalar, Width, Lines>::load(small + j * of.small_distance);
#pragma GCC unroll 8
    for (int k = 0; k < Rows; ++k) {
      sum[k].add_scaled(from[static_cast<std::size_t>(k) * of.distance + j], row);
    }
  }
  Scalar* const to = of.to + i * of.to_distance + first;
#pragma GCC unroll 8
  for (int k = 0; k < Rows; ++k) sum[k].store(to + static_cast<std::size_t>(k) * of.to_distance);
}

/// Calls body.template operator()<Width, Lines>(first_column) for blocks of `Lines` vectors of
/// `Width` elements that cover the columns from `first`, where a vector may begin, on.
template <class Scalar, int MostLines = tile_lines, class Body>
[[gnu::always_inline]] inline void for_lines(std::size_t columns, const Body& body,
                                             std::size_t first = 0) {
  constexpr int full = line_width<Scalar>;
  for_column_blocks<MostLines * full>(
      columns,
      [&]<int Block>(std::size_t begin) {
        constexpr int width = std::min(Block, full);
        body.template operator()<width, Block / width>(begin);
      },
      first);
}

/// new_rows = old_rows * transform.
template <class Scalar>
void apply_columns(const Scalar* old_rows, std::size_t rows, std::size_t stride, std::size_t rank,
                   const Scalar* transform, Scalar* new_rows) {
  const RowProduct<Scalar> product{old_rows, stride, rank, transform, stride, new_rows, stride};
  for_lines<Scalar>(stride, [&]<int Width, int Lines>(std::size_t first) {
    std::size_t i = 0;
    for (; i + tile_rows <= rows; i += tile_rows) {
      apply_tile<Width, tile_rows, Lines>(product, i, first);
    }
    for (; i < rows; ++i) apply_tile<Width, 1, Lines>(product, i, first);
  });
}

/// sums(a .. a + Columns, first .. ) += what these columns of two blocks of rows contribute to
/// left^T right, for `Lines` vectors from column `first` on; `distance` is that of the sums' rows.
template <int Width, int Columns, int Lines, class Scalar>
[[gnu::always_inline]] inline void cross_tile(const Scalar* left, std::size_t left_distance,
                                              const Scalar* right, std::size_t right_distance,
                                              std::size_t rows, std::size_t a, std::size_t first,
                                              double* sums, std::size_t distance) {
  SimdRow<Scalar, Width, Lines> sum[Columns];
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) sum[c] = SimdRow<Scalar, Width, Lines>::zero();
  for (std::size_t i = 0; i < rows; ++i) {
    const Scalar* const row = left + i * left_distance + a;
    const auto columns = SimdRow<Scalar, Width, Lines>::load(right + i * right_distance + first);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c) sum[c].add_scaled(row[c], columns);
  }
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) {
    double* const to = sums + (a + static_cast<std::size_t>(c)) * distance + first;
    Scalar from[Lines * Width];
    sum[c].store(from);
    for (int j = 0; j < Lines * Width; ++j) to[j] += static_cast<double>(from[j]);
  }
}

/// The same of a block with itself.
template <int Width, int Columns, int Lines, class Scalar>
[[gnu::always_inline]] inline void gram_tile(const Scalar* rows_data, std::size_t rows,
                                             std::size_t stride, std::size_t a, std::size_t first,
                                             double* gram) {
  cross_tile<Width, Columns, Lines>(rows_data, stride, rows_data, stride, rows, a, first, gram,
                                    stride);
}

/// Adds the rows' outer products to the upper triangle of `gram` (stride x stride); entries left of
/// the diagonal are undefined.
template <class Scalar>
void add_gram(const Scalar* rows_data, std::size_t rows, std::size_t stride, double* gram) {
  for_column_blocks<tile_rows>(stride, [&]<int Columns>(std::size_t a) {
    for_lines<Scalar>(
        stride,
        [&]<int Width, int Lines>(std::size_t first) {
          gram_tile<Width, Columns, Lines>(rows_data, rows, stride, a, first, gram);
        },
        a / line_width<Scalar> * line_width<Scalar>);
  });
}

/// column_max = max(column_max, |rows|), NaN where one of them is, and, where `old_rows` is given,
/// dots += old * new, by column.
template <class Scalar>
void add_column_statistics(const Scalar* new_rows, const Scalar* old_rows, std::size_t rows,
                           std::size_t stride, double* column_max, double* dots) {
  for_lines<Scalar, 1>(stride, [&]<int Width, int>(std::size_t first) {
    using Element = SimdVector<Scalar, Width>;
    SimdMagnitude<Scalar, Width> largest;
    Element dot = Element::zero();
    for (std::size_t i = 0; i < rows; ++i) {
      const Element x = Element::load(new_rows + i * stride + first);
      largest.include(x);
      if (old_rows != nullptr) dot += Element::load(old_rows + i * stride + first) * x;
    }
    Scalar top[Width], sum[Width];
    largest.store(top);
    dot.store(sum);
    for (int j = 0; j < Width; ++j) {
      const std::size_t column = first + static_cast<std::size_t>(j);
      column_max[column] = larger(column_max[column], static_cast<double>(top[j]));
      dots[column] += static_cast<double>(sum[j]);
    }
  });
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
