// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// WideSpdInverse: TeamSpdInverse by all of a device, for matrices that one multiprocessor takes
/// too long for.

#include <genten/base/detail/backend.hpp>

namespace genten {

/// What is known of a matrix that WideSpdInverse was given.
struct WideSpdStatus {
  double reciprocal_condition = 0.0;  ///< of the scaled matrix in the 1-norm, if `definite`
  double least = 0.0;                 ///< rows no longer are nothing but rounding
  int turns = 0;                      ///< of a sweep
  int finite = 1;                     ///< 0: the matrix has a NaN or an infinity
  int definite = 0;                   ///< 0: not safely positive definite
  int broken = 0;                     ///< a pivot was not positive
};

/// Where a matrix and what becomes of it lies, for kernels.
struct WideSpdArrays {
  int size = 0;
  int stride = 0;                ///< of rows, of which there are as many, too
  double* matrix = nullptr;      ///< stride x stride
  double* square = nullptr;      ///< stride x stride: the inverse of the scaled matrix
  double* panel = nullptr;       ///< a block column of the Cholesky factor
  double* diagonal = nullptr;    ///< its block on the diagonal, transposed
  double* scale = nullptr;       ///< stride
  double* sums = nullptr;        ///< stride: row sums of the scaled matrix
  double* other_sums = nullptr;  ///< stride: those of its inverse
  double* squares = nullptr;     ///< stride: squared lengths of rows
  double* roots = nullptr;       ///< stride: factors of eigenvectors; before, rows not finite
  WideSpdStatus* status = nullptr;

  [[nodiscard]] KOKKOS_FUNCTION double& at(int i, int j) const { return matrix[element(i, j)]; }
  /// After WideSpdInverse::invert, if `definite`: an element of the inverse.
  [[nodiscard]] KOKKOS_FUNCTION double inverse(int i, int j) const {
    return square[element(i, j)] * scale[i] * scale[j];
  }
  /// Likewise, of the lower triangular matrix L with L^T L the inverse.
  [[nodiscard]] KOKKOS_FUNCTION double inverse_factor(int i, int j) const {
    return j <= i ? matrix[element(i, j)] * scale[j] : 0.0;
  }
  /// After WideSpdInverse::diagonalize: element i of eigenvector k, divided by the square root of
  /// its eigenvalue; 0 for eigenvalues that are nothing but rounding.
  [[nodiscard]] KOKKOS_FUNCTION double scaled_eigenvector(int k, int i) const {
    return matrix[element(k, i)] * roots[k];
  }
  [[nodiscard]] KOKKOS_FUNCTION std::size_t element(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(stride) +
           static_cast<std::size_t>(j);
  }
};

/// Inverts a symmetric positive semidefinite matrix of doubles by the rules of TeamSpdInverse, in
/// many launches on one instance. Compiled once, into the library, for every execution space; on
/// hosts it is for tests. Results are the same from run to run.
///
///     const WideSpdInverse<Exec> inverse(n);
///     ...                                    // a kernel writes arrays().at(i, j)
///     inverse.invert(exec);                  // queues
///     ...                                    // a kernel reads arrays().status and the rest
///     ...                                    // where it is finite and not definite: a kernel
///     inverse.diagonalize(exec);             // writes the matrix again, it is lost; this waits
///
/// The Cholesky factor and its inverse are found together, by blocks of 64 columns, of which each
/// takes three launches: one team factors the block on the diagonal, a team each substitutes with
/// its factor in the other blocks of the block's column and row, and a team each updates the blocks
/// below. The 64 steps of a block wait for each other, and 2 n^3 / 3 operations are nothing beside:
/// on an H200 a block takes .1 ms, so .79 ms for n = 500 and 1.6 for n = 1000. Recursive halving
/// would have the same chain of blocks on the diagonal, multiply by inverses, whose backward error
/// the condition of a block can multiply, and for the products want a vendor's BLAS, whose
/// workspace belongs to one queue, or blocks like these.
template <ExecutionSpace Exec>
class WideSpdInverse {
 public:
  /// Rows and columns of a block.
  static constexpr int block = 64;

  explicit WideSpdInverse(int n);

  /// Bytes that such an object takes on the device.
  [[nodiscard]] static double memory(std::size_t n);

  [[nodiscard]] const WideSpdArrays& arrays() const { return m_arrays; }

  /// Queues that the scaled matrix is inverted: TeamSpdInverse::finite and invert. If the matrix is
  /// not finite or not definite, it is lost and no more than the status is known.
  void invert(const Exec& exec) const;
  /// TeamSpdInverse::diagonalize. Waits after each sweep of rotations, of which there are about ten
  /// with n launches each.
  void diagonalize(const Exec& exec) const;

 private:
  using Doubles = Kokkos::View<double*, typename Exec::memory_space>;

  Doubles m_memory;
  Kokkos::View<WideSpdStatus, typename Exec::memory_space> m_status;
  Kokkos::View<WideSpdStatus, typename detail::Backend<Exec>::pinned_space> m_host_status;
  WideSpdArrays m_arrays;
};

}  // namespace genten
