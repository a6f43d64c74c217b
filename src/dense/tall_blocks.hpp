// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Blocks of columns of tall matrices on hosts: their Gram matrices, differences, and orthonormal
/// bases. Sums stay in registers; results are the same for any number of threads.

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/fac_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

namespace genten {

/// Columns [first, first + count) of a matrix, as a matrix.
template <class Exec>
FacMatrix<double, Exec> columns_of(const FacMatrix<double, Exec>& matrix, std::size_t first,
                                   std::size_t count) {
  using View = typename FacMatrix<double, Exec>::view_type;
  return FacMatrix<double, Exec>(View(matrix.data() + first, matrix.rows(), matrix.stride()),
                                 count);
}

/// Columns of sums that stay in registers, of `subtract_product`.
constexpr std::size_t kept_columns = 8;

/// to -= from * small.
template <class Exec>
void subtract_product(const Exec& exec, const FacMatrix<double, Exec>& from,
                      const HostMatrix& small, const FacMatrix<double, Exec>& to) {
  const std::size_t inner = from.columns(), columns = to.columns();
  const std::size_t whole = columns - columns % kept_columns;
  Kokkos::parallel_for(
      "genten::subtract_product",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, std::size_t{0}, to.rows()),
      [=](const std::size_t i) {
        const double* const row = from.row(i);
        double* const out = to.row(i);
        for (std::size_t first = 0; first < whole; first += kept_columns) {
          double sums[kept_columns];
          std::copy_n(out + first, kept_columns, sums);
          for (std::size_t k = 0; k < inner; ++k) {
            const double* const right = &small(k, first);
            for (std::size_t j = 0; j < kept_columns; ++j) sums[j] -= row[k] * right[j];
          }
          std::copy_n(sums, kept_columns, out + first);
        }
        for (std::size_t k = 0; k < inner; ++k) {
          for (std::size_t j = whole; j < columns; ++j) out[j] -= row[k] * small(k, j);
        }
      });
  detail::fence(exec, "genten::subtract_product");
}

/// Rows that stay in L1 while all pairs of columns are gone through, and the
/// columns of each side whose sums stay in registers, of `block_gram`.
constexpr std::size_t l1_rows = 64, tile = 4;

/// sums += A^T B over rows [begin, end).
template <class Scalar, class Exec>
void add_gram(const FacMatrix<Scalar, Exec>& a, const FacMatrix<double, Exec>& b, std::size_t begin,
              std::size_t end, const HostMatrix& sums) {
  const auto add_pairs = [&](std::size_t k0, std::size_t k1, std::size_t j0, std::size_t j1) {
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = k0; k < k1; ++k) {
        const auto left = static_cast<double>(a(i, k));
        for (std::size_t j = j0; j < j1; ++j) sums(k, j) += left * b(i, j);
      }
    }
  };
  const std::size_t rows = a.columns() - a.columns() % tile;
  const std::size_t columns = b.columns() - b.columns() % tile;
  for (std::size_t k0 = 0; k0 < rows; k0 += tile) {
    for (std::size_t j0 = 0; j0 < columns; j0 += tile) {
      double kept[tile][tile] = {};
      for (std::size_t i = begin; i < end; ++i) {
        const Scalar* const left = a.row(i) + k0;
        const double* const right = b.row(i) + j0;
        for (std::size_t k = 0; k < tile; ++k) {
          const auto element = static_cast<double>(left[k]);
          for (std::size_t j = 0; j < tile; ++j) kept[k][j] += element * right[j];
        }
      }
      for (std::size_t k = 0; k < tile; ++k) {
        for (std::size_t j = 0; j < tile; ++j) sums(k0 + k, j0 + j) += kept[k][j];
      }
    }
  }
  add_pairs(rows, a.columns(), 0, b.columns());
  add_pairs(0, rows, columns, b.columns());
}

/// The sum over chunks of at least `shortest` rows of the rows x columns matrices that
/// `add(begin, end, sums)` makes of them. It runs in parallel, where nothing may allocate a View.
template <class Exec, class Add>
HostMatrix sum_over_chunks(const char* name, const Exec& exec, std::size_t length,
                           std::size_t shortest, std::size_t rows, std::size_t columns,
                           const Add& add) {
  const std::size_t size = std::max<std::size_t>(rows * columns, 1);
  const detail::EvenChunks chunks(length, shortest,
                                  std::clamp<std::size_t>((std::size_t{1} << 22) / size, 1, 64));
  std::vector<HostMatrix> partial;
  for (std::size_t c = 0; c < chunks.count(); ++c) {
    partial.push_back(detail::new_view<HostMatrix>(std::string(name), rows, columns));
  }
  detail::for_each_index(name, exec, chunks.count(), [&](const std::size_t c) {
    add(chunks.begin(c), chunks.end(c), partial[c]);
  });
  for (std::size_t c = 1; c < partial.size(); ++c) {
    for (std::size_t k = 0; k < rows; ++k) {
      for (std::size_t j = 0; j < columns; ++j) partial[0](k, j) += partial[c](k, j);
    }
  }
  return partial[0];
}

/// A^T B of blocks of columns: `cross_gram` for many columns, whose sums it leaves in registers,
/// and for an A in float.
template <class Scalar, class Exec>
HostMatrix block_gram(const Exec& exec, const FacMatrix<Scalar, Exec>& a,
                      const FacMatrix<double, Exec>& b) {
  if constexpr (std::is_same_v<Scalar, double>) {
    if (a.columns() < tile || b.columns() < tile) return cross_gram(exec, a, b);
  }
  return sum_over_chunks("genten::block_gram", exec, a.rows(), 1024, a.columns(), b.columns(),
                         [&](std::size_t begin, std::size_t end, const HostMatrix& sums) {
                           for (std::size_t i = begin; i < end; i += l1_rows) {
                             add_gram(a, b, i, std::min(i + l1_rows, end), sums);
                           }
                         });
}

/// Makes the columns of a block orthonormal by the Cholesky factor of its Gram matrix. Returns what
/// is left of the length of each beside those before it; nothing, and changes nothing, where they
/// nearly depend on one another.
template <class Exec>
std::vector<double> cholesky_pass(const Exec& exec, const FacMatrix<double, Exec>& block) {
  constexpr double least = 1e-3;  // whose square is far from rounding
  const std::size_t columns = block.columns();
  const HostMatrix gram = block_gram(exec, block, block);
  std::vector<double> lengths, left;
  for (std::size_t j = 0; j < columns; ++j) {
    lengths.push_back(std::sqrt(gram(j, j)));
    if (!(lengths[j] > 0.0) || !std::isfinite(lengths[j])) return {};
  }
  // gram becomes the upper factor R of the matrix of cosines.
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t k = 0; k <= j; ++k) {
      double sum = gram(k, j) / (lengths[k] * lengths[j]);
      for (std::size_t i = 0; i < k; ++i) sum -= gram(i, k) * gram(i, j);
      if (k < j) {
        gram(k, j) = sum / gram(k, k);
      } else if (sum > least * least) {
        gram(j, j) = std::sqrt(sum);
      } else {
        return {};
      }
    }
  }
  // The inverse of R beside the lengths, by columns of whole tiles.
  const std::size_t padded = (columns + kept_columns - 1) / kept_columns * kept_columns;
  const auto inverse = detail::new_view<HostMatrix>("genten::cholesky_inverse", columns, padded);
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = j + 1; i-- > 0;) {
      double sum = i == j ? 1.0 : 0.0;
      for (std::size_t k = i + 1; k <= j; ++k) sum -= gram(i, k) * inverse(k, j);
      inverse(i, j) = sum / gram(i, i);
    }
  }
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t j = i; j < columns; ++j) inverse(i, j) /= lengths[i];
  }
  Kokkos::parallel_for(
      "genten::cholesky_pass",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, std::size_t{0}, block.rows()),
      [=](const std::size_t i) {
        double* const row = block.row(i);
        // From the last columns on, which need those before them as they were.
        for (std::size_t first = padded; first > 0;) {
          const std::size_t last = std::min(first, columns);
          first -= kept_columns;
          double sums[kept_columns] = {};
          for (std::size_t k = 0; k < last; ++k) {
            const double* const right = &inverse(k, first);
            for (std::size_t j = 0; j < kept_columns; ++j) sums[j] += row[k] * right[j];
          }
          std::copy_n(sums, last - first, row + first);
        }
      });
  detail::fence(exec, "genten::cholesky_pass");
  for (std::size_t j = 0; j < columns; ++j) left.push_back(lengths[j] * gram(j, j));
  return left;
}

}  // namespace genten
