// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inverse of a small symmetric positive semidefinite matrix, for the normal equations of ALS.

#include <cstddef>
#include <vector>

namespace genten {

/// A square matrix of doubles, stored by rows.
struct SmallMatrix {
  std::size_t size = 0;
  std::vector<double> values;

  explicit SmallMatrix(std::size_t n = 0, double fill = 0.0) : size(n), values(n * n, fill) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * size + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * size + j]; }
};

/// Result of spd_inverse.
struct SpdInverse {
  /// One matrix, or two whose product is the inverse (or pseudoinverse): to be applied to rows from
  /// the right one after the other. Two keep the backward error of a triangular solve where an
  /// explicit inverse would lose it.
  std::vector<SmallMatrix> factors;
  /// True where the matrix is not safely positive definite and the factors are those of the
  /// pseudoinverse, which gives minimum-norm solutions.
  bool rank_deficient = false;
  /// False if the matrix has a NaN or an infinity; the factors are then zero.
  bool finite = true;
};

/// Inverts a symmetric positive semidefinite matrix by Cholesky factorization after its symmetric
/// scaling to unit diagonal (within a factor of its size the best diagonal scaling; van der Sluis
/// 1969). The estimated reciprocal condition of the scaled matrix decides: at least
/// `single_factor_rcond`, one explicit inverse; below, the inverses of the two triangular factors;
/// below ten times size * epsilon, or where the factorization breaks down, the pseudoinverse from
/// the eigendecomposition, without eigenvalues below size * epsilon times the largest.
/// Uses LAPACK (dpotrf, dpocon, dtrtri, dsyev) and is serial.
/// Throws Error(Kind::runtime) if LAPACK's eigensolver does not converge, and Error(Kind::memory)
/// where a limit on address space leaves OpenBLAS no buffer.
[[nodiscard]] SpdInverse spd_inverse(const SmallMatrix& matrix, double single_factor_rcond = 1e-8);

}  // namespace genten
