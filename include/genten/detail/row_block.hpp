// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Small dense kernels on a block of rows, for the host: apply a square matrix, add to a Gram
/// matrix. Rows are padded to whole packs, so there are no remainder columns.

#include <genten/detail/pack.hpp>

#include <algorithm>
#include <cstddef>

namespace genten::detail {

/// A few rows times `Packs` packs of columns of old * transform.
template <int Width, int Rows, int Packs, class Scalar>
[[gnu::always_inline]] inline void apply_tile(const Scalar* old_rows, std::size_t stride,
                                              std::size_t rank, const Scalar* transform,
                                              Scalar* new_rows) {
  PackRow<Scalar, Width, Packs> sum[Rows];
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i) sum[i] = PackRow<Scalar, Width, Packs>::zero();
  for (std::size_t k = 0; k < rank; ++k) {
    const auto row = PackRow<Scalar, Width, Packs>::load(transform + k * stride);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      sum[i].add_scaled(old_rows[static_cast<std::size_t>(i) * stride + k], row);
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i) sum[i].store(new_rows + static_cast<std::size_t>(i) * stride);
}

/// new_rows = old_rows * transform, columns from `first` on, in tiles of at most `Packs` packs.
template <int Width, int Packs, class Scalar>
void apply_columns(const Scalar* old_rows, std::size_t rows, std::size_t stride, std::size_t rank,
                   const Scalar* transform, Scalar* new_rows, std::size_t first = 0) {
  constexpr int together = 4;
  for (; first + Packs * Width <= stride; first += Packs * Width) {
    std::size_t i = 0;
    for (; i + together <= rows; i += together) {
      apply_tile<Width, together, Packs>(old_rows + i * stride, stride, rank, transform + first,
                                         new_rows + i * stride + first);
    }
    for (; i < rows; ++i) {
      apply_tile<Width, 1, Packs>(old_rows + i * stride, stride, rank, transform + first,
                                  new_rows + i * stride + first);
    }
  }
  if constexpr (Packs > 1) {
    if (first < stride) {
      apply_columns<Width, Packs / 2>(old_rows, rows, stride, rank, transform, new_rows, first);
    }
  }
}

/// gram(a .. a + Columns, first .. ) += the block's part, for `Packs` packs from column `first` on.
template <int Width, int Columns, int Packs, class Scalar>
[[gnu::always_inline]] inline void gram_tile(const Scalar* rows_data, std::size_t rows,
                                             std::size_t stride, std::size_t a, std::size_t first,
                                             double* gram) {
  PackRow<Scalar, Width, Packs> sum[Columns];
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) sum[c] = PackRow<Scalar, Width, Packs>::zero();
  for (std::size_t i = 0; i < rows; ++i) {
    const Scalar* const row = rows_data + i * stride;
    const auto columns = PackRow<Scalar, Width, Packs>::load(row + first);
#pragma GCC unroll 8
    for (int c = 0; c < Columns; ++c)
      sum[c].add_scaled(row[a + static_cast<std::size_t>(c)], columns);
  }
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) {
    double* const to = gram + (a + static_cast<std::size_t>(c)) * stride + first;
    Scalar from[Packs * Width];
    sum[c].store(from);
    for (int j = 0; j < Packs * Width; ++j) to[j] += static_cast<double>(from[j]);
  }
}

template <int Width, int Columns, int Packs, class Scalar>
void gram_row_group(const Scalar* rows_data, std::size_t rows, std::size_t stride, std::size_t a,
                    double* gram, std::size_t first) {
  for (; first + Packs * Width <= stride; first += Packs * Width) {
    gram_tile<Width, Columns, Packs>(rows_data, rows, stride, a, first, gram);
  }
  if constexpr (Packs > 1) {
    if (first < stride) {
      gram_row_group<Width, Columns, Packs / 2>(rows_data, rows, stride, a, gram, first);
    }
  }
}

/// Adds the rows' outer products to the upper triangle of `gram` (stride x stride); entries left of
/// the diagonal are undefined.
template <int Width, class Scalar>
void add_gram(const Scalar* rows_data, std::size_t rows, std::size_t stride, double* gram) {
  constexpr int columns = Width < 4 ? Width : 4;
  for (std::size_t a = 0; a < stride; a += columns) {
    const std::size_t first = a / Width * Width;
    gram_row_group<Width, columns, 4>(rows_data, rows, stride, a, gram, first);
  }
}

/// column_max = max(column_max, |rows|) and, where `old_rows` is given, dots += old * new, by
/// column.
template <int Width, class Scalar>
void add_column_figures(const Scalar* new_rows, const Scalar* old_rows, std::size_t rows,
                        std::size_t stride, double* column_max, double* dots) {
  using Element = Pack<Scalar, Width>;
  for (std::size_t first = 0; first < stride; first += Width) {
    Element largest = Element::zero(), dot = Element::zero();
    for (std::size_t i = 0; i < rows; ++i) {
      const Element x = Element::load(new_rows + i * stride + first);
      largest = max(abs(x), largest);
      if (old_rows != nullptr) dot += Element::load(old_rows + i * stride + first) * x;
    }
    Scalar top[Width], sum[Width];
    largest.store(top);
    dot.store(sum);
    for (int j = 0; j < Width; ++j) {
      const std::size_t column = first + static_cast<std::size_t>(j);
      column_max[column] = std::max(column_max[column], static_cast<double>(top[j]));
      dots[column] += static_cast<double>(sum[j]);
    }
  }
}

}  // namespace genten::detail
