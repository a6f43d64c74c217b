// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The R x R system of one row on a host: sums of k k^T, and Cholesky's way to solve it.

#include <genten/base/detail/pack.hpp>

#include <cmath>
#include <cstddef>
#include <limits>

namespace genten::detail {

/// Doubles from one row of a system to the next: a power of two, or whole packs.
[[nodiscard]] constexpr std::size_t system_line(std::size_t rank) {
  constexpr std::size_t pack = full_width<double>;
  if (rank > pack) return (rank + pack - 1) / pack * pack;
  std::size_t line = 1;
  while (line < rank) line *= 2;
  return line;
}

/// The smallest pivot of a system of unit diagonal that counts as safely positive definite.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double least_pivot(std::size_t rank) {
  return 10.0 * static_cast<double>(rank) * std::numeric_limits<double>::epsilon();
}

/// Adds scale * sum over b of k_b k_b^T, and of values_b k_b, in tiles of `Width` columns and as
/// many rows, whose sums stay in registers. Tiles below the diagonal are left out: what is left of
/// the diagonal in a row means nothing.
template <int Width>
struct SystemSums {
  using Sum = Pack<double, Width>;

  std::size_t rank;
  std::size_t line;
  double* matrix;  ///< line x line
  double* right;   ///< line; null: not wanted

  void add(const double* panel, const double* values, int count, double scale) const {
    for (std::size_t i = 0; i < rank; i += Width) {
      for (std::size_t j = i; j < line; j += Width) {
        if (i == 0 && right != nullptr) {
          add_tile<true>(panel, values, count, scale, i, j);
        } else {
          add_tile<false>(panel, values, count, scale, i, j);
        }
      }
    }
  }

 private:
  template <bool Right>
  void add_tile(const double* panel, const double* values, int count, double scale, std::size_t i,
                std::size_t j) const {
    Sum sums[Width], sum = Sum::zero();
#pragma GCC unroll 8
    for (int t = 0; t < Width; ++t) sums[t] = Sum::zero();
    const double* k = panel;
    for (int b = 0; b < count; ++b, k += line) {
      const Sum columns = Sum::load(k + j);
#pragma GCC unroll 8
      for (int t = 0; t < Width; ++t) sums[t] += k[i + static_cast<std::size_t>(t)] * columns;
      if constexpr (Right) sum += values[b] * columns;
    }
    double* to = matrix + i * line + j;
#pragma GCC unroll 8
    for (int t = 0; t < Width; ++t, to += line) (Sum::load(to) + scale * sums[t]).store(to);
    if constexpr (Right) (Sum::load(right + j) + scale * sum).store(right + j);
  }
};

/// Solves a system by Cholesky's factorization after its scaling to unit diagonal, in place.
template <int Width>
struct SystemSolver {
  using Columns = Pack<double, Width>;

  std::size_t rank;
  std::size_t line;
  double* matrix;  ///< line x line, rows from the diagonal on
  double* right;   ///< becomes the solution; padding is zero
  double* scale;   ///< line

  /// False where the matrix is not safely positive definite: it is then lost.
  [[nodiscard]] bool solve() const {
    if (!scale_to_unit_diagonal() || !factorize()) return false;
    for (std::size_t i = 0; i < rank; ++i) right[i] *= scale[i];
    eliminate();
    substitute();
    for (std::size_t i = 0; i < rank; ++i) right[i] *= scale[i];
    return true;
  }

 private:
  [[nodiscard]] double* row(std::size_t i) const { return matrix + i * line; }
  /// Where the pack of column i begins.
  [[nodiscard]] static std::size_t pack_of(std::size_t i) { return i / Width * Width; }

  [[nodiscard]] bool scale_to_unit_diagonal() const {
    for (std::size_t i = 0; i < rank; ++i) {
      const double diagonal = row(i)[i];
      if (!(diagonal > 0.0) || !(diagonal <= std::numeric_limits<double>::max())) return false;
      scale[i] = 1.0 / std::sqrt(diagonal);
    }
    for (std::size_t i = rank; i < line; ++i) scale[i] = 0.0;
    for (std::size_t i = 0; i < rank; ++i) {
      for (std::size_t j = pack_of(i); j < line; j += Width) {
        const Columns columns = Columns::load(row(i) + j) * Columns::load(scale + j);
        (scale[i] * columns).store(row(i) + j);
      }
    }
    return true;
  }
  /// Upper factor by rows, the diagonal inverted, and zeros before it in its pack.
  [[nodiscard]] bool factorize() const {
    const double least = least_pivot(rank);
    for (std::size_t k = 0; k < rank; ++k) {
      double* const pivot_row = row(k);
      const double pivot = pivot_row[k];
      if (!(pivot > least)) return false;
      const double inverse = 1.0 / std::sqrt(pivot);
      for (std::size_t j = pack_of(k); j < k; ++j) pivot_row[j] = 0.0;
      for (std::size_t j = pack_of(k); j < line; j += Width) {
        (inverse * Columns::load(pivot_row + j)).store(pivot_row + j);
      }
      pivot_row[k] = inverse;
      for (std::size_t i = k + 1; i < rank; ++i) {
        const double factor = -pivot_row[i];
        for (std::size_t j = pack_of(i); j < line; j += Width) {
          (Columns::load(row(i) + j) + factor * Columns::load(pivot_row + j)).store(row(i) + j);
        }
      }
    }
    return true;
  }
  void eliminate() const {
    for (std::size_t k = 0; k < rank; ++k) {
      const double* const pivot_row = row(k);
      const double solved = right[k] * pivot_row[k];
      for (std::size_t j = pack_of(k); j < line; j += Width) {
        (Columns::load(right + j) + (-solved) * Columns::load(pivot_row + j)).store(right + j);
      }
      right[k] = solved;
    }
  }
  void substitute() const {
    for (std::size_t k = rank; k-- > 0;) {
      const double* const pivot_row = row(k);
      const double before = right[k];
      right[k] = 0.0;
      Columns sum = Columns::zero();
      for (std::size_t j = pack_of(k); j < line; j += Width) {
        sum += Columns::load(pivot_row + j) * Columns::load(right + j);
      }
      right[k] = (before - sum.sum()) * pivot_row[k];
    }
  }
};

}  // namespace genten::detail
