// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The R x R systems of rows on a host: sums of k k^T, and their factorization.

#include <genten/base/detail/limits.hpp>
#include <genten/base/detail/simd.hpp>

#include <algorithm>
#include <cstddef>

namespace genten::detail {

/// Doubles from one row of a system to the next: a power of two, or whole cache lines.
[[nodiscard]] constexpr std::size_t system_line(std::size_t rank) {
  constexpr std::size_t whole = line_width<double>;
  if (rank > whole) return (rank + whole - 1) / whole * whole;
  std::size_t line = 1;
  while (line < rank) line *= 2;
  return line;
}

/// What a pivot is of its diagonal element at least where a system counts as safely positive
/// definite.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double least_pivot(std::size_t rank) {
  return 10.0 * static_cast<double>(rank) * Limits<double>::epsilon;
}

/// Rows that are solved side by side, and the workspace for them.
struct SystemBatchSize {
  static constexpr int lanes = line_width<double>;
  /// Systems that are larger are solved one by one.
  static constexpr std::size_t most_rank = 40;

  /// Doubles of workspace that a batch takes.
  [[nodiscard]] static std::size_t of(std::size_t rank) {
    return rank > most_rank ? 0 : lanes * rank * (rank + 2);
  }
};

inline namespace GENTEN_SIMD_SET {

/// Rows of the tiles of a system whose sums stay in registers.
template <int Width>
inline constexpr int system_tile_rows = std::min(Width, vector_registers* vector_bytes >= 2048 ? 8
                                                        : vector_registers * vector_bytes >= 512
                                                            ? 4
                                                            : 2);

/// Adds scale * sum over b of k_b k_b^T, and of values_b k_b, in tiles of `Width` columns and
/// system_tile_rows, whose sums stay in registers. Tiles below the diagonal are left out: what is
/// left of the diagonal in a row means nothing.
template <int Width>
struct SystemSums {
  using Sum = SimdVector<double, Width>;
  static constexpr int rows = system_tile_rows<Width>;

  std::size_t rank;
  std::size_t line;
  double* matrix;  ///< line x line
  double* right;   ///< line; null: not wanted

  void add(const double* panel, const double* values, int count, double scale) const {
    for (std::size_t i = 0; i < rank; i += rows) {
      for (std::size_t j = i / Width * Width; j < line; j += Width) {
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
    Sum sums[rows], sum = Sum::zero();
#pragma GCC unroll 8
    for (int t = 0; t < rows; ++t) sums[t] = Sum::zero();
    const double* k = panel;
    for (int b = 0; b < count; ++b, k += line) {
      const Sum columns = Sum::load(k + j);
#pragma GCC unroll 8
      for (int t = 0; t < rows; ++t) sums[t] += k[i + static_cast<std::size_t>(t)] * columns;
      if constexpr (Right) sum += values[b] * columns;
    }
    double* to = matrix + i * line + j;
#pragma GCC unroll 8
    for (int t = 0; t < rows; ++t, to += line) (Sum::load(to) + scale * sums[t]).store(to);
    if constexpr (Right) (Sum::load(right + j) + scale * sum).store(right + j);
  }
};

/// Solves a system by the factorization U^T D U, D diagonal, in place. What a pivot is of its
/// diagonal element is the pivot of the system scaled to unit diagonal.
template <int Width>
struct SystemSolver {
  using Columns = SimdVector<double, Width>;

  std::size_t rank;
  std::size_t line;
  double* matrix;  ///< line x line, rows from the diagonal on
  double* right;   ///< becomes the solution; padding is zero

  /// False where the matrix is not safely positive definite: it is then lost. Nor is it where pivot
  /// k is not above unknown(k).
  template <class Unknown>
  [[nodiscard]] bool solve(const Unknown& unknown) const {
    const double least = least_pivot(rank);
    for (std::size_t k = 0; k < rank; ++k) right[line + k] = row(k)[k];
    for (std::size_t k = 0; k < rank; ++k) {
      double* const pivot_row = row(k);
      const double pivot = pivot_row[k];
      if (!(pivot > least * right[line + k] && pivot > unknown(k))) return false;
      const double inverse = 1.0 / pivot;
      for (std::size_t j = vector_of(k); j <= k; ++j) pivot_row[j] = 0.0;
      for (std::size_t i = k + 1; i < rank; ++i) {
        const double factor = -pivot_row[i] * inverse;
        right[i] += factor * right[k];
        for (std::size_t j = vector_of(i); j < line; j += Width) {
          (Columns::load(row(i) + j) + factor * Columns::load(pivot_row + j)).store(row(i) + j);
        }
      }
      right[line + k] = inverse;
    }
    for (std::size_t k = rank; k-- > 0;) {
      Columns sum = Columns::zero();
      for (std::size_t j = vector_of(k); j < line; j += Width) {
        sum += Columns::load(row(k) + j) * Columns::load(right + j);
      }
      right[k] = (right[k] - sum.sum()) * right[line + k];
    }
    return true;
  }

 private:
  [[nodiscard]] double* row(std::size_t i) const { return matrix + i * line; }
  /// Where the vector of column i begins.
  [[nodiscard]] static std::size_t vector_of(std::size_t i) { return i / Width * Width; }
};

/// The same for some systems at once, one in each lane of a vector: while systems are small, sums
/// along their short rows would wait for each other.
class SystemBatch {
 public:
  static constexpr int lanes = SystemBatchSize::lanes;

  /// The workspace is that of SystemBatchSize.
  SystemBatch(std::size_t rank, double* workspace)
      : m_rank(rank),
        m_matrix(workspace),
        m_right(m_matrix + lanes * rank * rank),
        m_diagonal(m_right + lanes * rank) {}

  /// Puts a system into a lane: `matrix` of rows of `line`, from the diagonal on.
  void put(int lane, const double* matrix, std::size_t line, const double* right) const {
    for (std::size_t i = 0; i < m_rank; ++i) {
      for (std::size_t j = i; j < m_rank; ++j) at(i, j)[lane] = matrix[i * line + j];
      m_right[i * lanes + static_cast<std::size_t>(lane)] = right[i];
    }
  }
  /// Element i of the solution of a lane.
  [[nodiscard]] double solution(int lane, std::size_t i) const {
    return m_right[i * lanes + static_cast<std::size_t>(lane)];
  }

  /// Solves all lanes, and writes for each whether it is safely positive definite, as SystemSolver
  /// has it. Lanes that hold nothing do no harm.
  template <class Unknown>
  void solve(bool* safe, const Unknown& unknown) const {
    const Columns least = Columns::broadcast(least_pivot(m_rank));
    for (std::size_t k = 0; k < m_rank; ++k) {
      Columns::load(at(k, k)).store(m_diagonal + k * lanes);
    }
    auto all_safe = Columns::Mask::all();
    for (std::size_t k = 0; k < m_rank; ++k) {
      const Columns pivot = Columns::load(at(k, k));
      all_safe &= pivot.above(least * Columns::load(m_diagonal + k * lanes));
      all_safe &= pivot.above(Columns::broadcast(unknown(k)));
      const Columns inverse = pivot.reciprocal();
      const Columns pivot_right = Columns::load(m_right + k * lanes);
      for (std::size_t i = k + 1; i < m_rank; ++i) {
        const Columns factor = Columns::zero() - Columns::load(at(k, i)) * inverse;
        for (std::size_t j = i; j < m_rank; ++j) {
          (Columns::load(at(i, j)) + factor * Columns::load(at(k, j))).store(at(i, j));
        }
        double* const right = m_right + i * lanes;
        (Columns::load(right) + factor * pivot_right).store(right);
      }
      inverse.store(m_diagonal + k * lanes);
    }
    for (std::size_t k = m_rank; k-- > 0;) {
      Columns sum = Columns::zero();
      for (std::size_t j = k + 1; j < m_rank; ++j) {
        sum += Columns::load(at(k, j)) * Columns::load(m_right + j * lanes);
      }
      const Columns solved = Columns::load(m_right + k * lanes) - sum;
      (solved * Columns::load(m_diagonal + k * lanes)).store(m_right + k * lanes);
    }
    for (int lane = 0; lane < lanes; ++lane) safe[lane] = all_safe[lane];
  }

 private:
  using Columns = SimdVector<double, lanes>;

  [[nodiscard]] double* at(std::size_t i, std::size_t j) const {
    return m_matrix + (i * m_rank + j) * lanes;
  }

  std::size_t m_rank;
  double* m_matrix;
  double* m_right;
  double* m_diagonal;  ///< then the inverse pivots
};

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
