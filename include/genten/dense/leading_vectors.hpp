// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Leading eigenvectors of symmetric positive semidefinite matrices: of small ones by LAPACK, of
/// others, of which only products with vectors are known, by a block Lanczos method. Compiled once,
/// into the library, for every execution space of the host. Results are the same for every number
/// of threads.

#include <genten/core/cross_gram.hpp>
#include <genten/core/fac_matrix.hpp>

#include <functional>
#include <vector>

namespace genten {

/// Leading eigenpairs of a matrix A.
template <ExecutionSpace Exec>
struct LeadingVectors {
  std::vector<double> eigenvalues;  ///< descending; none is negative
  /// As many orthonormal columns. The first element of largest magnitude of each is positive.
  FacMatrix<double, Exec> vectors;
  std::size_t products = 0;  ///< of A with a vector; 0 where A was known
  bool converged = true;     ///< whether every residual is below the tolerance
};

/// How `leading_vectors` goes about it.
struct LeadingVectorsOptions {
  /// Gram matrices of at most so many rows are formed and given to LAPACK.
  std::size_t most_direct = 768;
  /// Residuals ||A v - lambda v|| are at most so many times the largest eigenvalue.
  double tolerance = 1e-10;
  /// Blocks of products, each of as many vectors as are wanted, at most.
  std::size_t most_blocks = 300;
  std::uint64_t seed = 1;  ///< of the first block
};

/// to(:, j) = A from(:, j) for each column; both have as many rows as A.
template <ExecutionSpace Exec>
using SymmetricProduct =
    std::function<void(const FacMatrix<double, Exec>& from, const FacMatrix<double, Exec>& to)>;

/// The `count` leading eigenpairs of a symmetric positive semidefinite matrix, whose lower triangle
/// is read, by LAPACK (dsyevr). Throws Error for a count beyond the matrix, and of kind `runtime`
/// where LAPACK fails.
template <ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] LeadingVectors<Exec> leading_vectors(const Exec& exec, const HostMatrix& matrix,
                                                   std::size_t count);

/// The same of a matrix of `size` rows that is known by its products, by a block Lanczos method
/// with restarts: blocks of `count` vectors, full orthogonalization, and Rayleigh-Ritz over at most
/// five blocks at a time. Blocks of that size find multiple eigenvalues as often as they occur.
/// Memory: nine matrices of size x count doubles.
template <ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] LeadingVectors<Exec> leading_vectors(const Exec& exec, std::size_t size,
                                                   std::size_t count,
                                                   const SymmetricProduct<Exec>& product,
                                                   const LeadingVectorsOptions& options = {});

/// The `count` leading left singular vectors of a matrix W, that is the leading eigenvectors of
/// W W^T: by the Gram matrix of its shorter side or, where that is longer than `most_direct`, by
/// the block Lanczos method.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] LeadingVectors<Exec> leading_left_vectors(const Exec& exec,
                                                        const FacMatrix<Scalar, Exec>& matrix,
                                                        std::size_t count,
                                                        const LeadingVectorsOptions& options = {});

/// Makes columns [first, first + count) of `matrix` orthonormal to each other and to the columns
/// before them, which are so already: Gram-Schmidt, twice or until nothing is lost. A column that
/// depends on those before it is replaced by a random one. Throws Error for more columns than rows.
template <ExecutionSpace Exec>
requires is_host_space<Exec>
void orthonormalize(const Exec& exec, const FacMatrix<double, Exec>& matrix, std::size_t first,
                    std::size_t count, std::uint64_t seed = 1);

/// to = from * small: as many columns as `small` has, of which it has as many rows as `from` has
/// columns. The matrices do not overlap.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void multiply_small(const Exec& exec, const FacMatrix<Scalar, Exec>& from, const HostMatrix& small,
                    const FacMatrix<double, Exec>& to);

}  // namespace genten
