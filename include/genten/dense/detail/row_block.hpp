// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Small dense kernels on a block of rows, for the host: apply a square matrix, add to a Gram
/// matrix. Rows are padded as by `padded_stride`, so that packs, from whole cache lines down to
/// single elements, cover them without masks.

#include <genten/base/detail/below.hpp>
#include <genten/base/detail/column_blocks.hpp>
#include <genten/base/detail/pack.hpp>

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

/// Calls body.template operator()<Width, Packs>(first_column) for blocks of `Packs` packs of
/// `Width` elements that cover the columns from `first`, where a pack may begin, on.
template <class Scalar, int MostPacks = 4, class Body>
[[gnu::always_inline]] inline void for_packs(std::size_t columns, const Body& body,
                                             std::size_t first = 0) {
  constexpr int full = full_width<Scalar>;
  for_column_blocks<MostPacks * full>(
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
  constexpr int together = 4;
  for_packs<Scalar>(stride, [&]<int Width, int Packs>(std::size_t first) {
    std::size_t i = 0;
    for (; i + together <= rows; i += together) {
      apply_tile<Width, together, Packs>(old_rows + i * stride, stride, rank, transform + first,
                                         new_rows + i * stride + first);
    }
    for (; i < rows; ++i) {
      apply_tile<Width, 1, Packs>(old_rows + i * stride, stride, rank, transform + first,
                                  new_rows + i * stride + first);
    }
  });
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

/// Adds the rows' outer products to the upper triangle of `gram` (stride x stride); entries left of
/// the diagonal are undefined.
template <class Scalar>
void add_gram(const Scalar* rows_data, std::size_t rows, std::size_t stride, double* gram) {
  for_column_blocks<4>(stride, [&]<int Columns>(std::size_t a) {
    for_packs<Scalar>(
        stride,
        [&]<int Width, int Packs>(std::size_t first) {
          gram_tile<Width, Columns, Packs>(rows_data, rows, stride, a, first, gram);
        },
        a / full_width<Scalar> * full_width<Scalar>);
  });
}

/// column_max = max(column_max, |rows|), NaN where one of them is, and, where `old_rows` is given,
/// dots += old * new, by column.
template <class Scalar>
void add_column_statistics(const Scalar* new_rows, const Scalar* old_rows, std::size_t rows,
                           std::size_t stride, double* column_max, double* dots) {
  for_packs<Scalar, 1>(stride, [&]<int Width, int>(std::size_t first) {
    using Element = Pack<Scalar, Width>;
    PackMagnitude<Scalar, Width> largest;
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

}  // namespace genten::detail
