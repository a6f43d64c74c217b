// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SemiSparse: a sparse tensor that has been multiplied by matrices in some of its modes, and the
/// leading vectors of its matricizations.

#include <genten/core/fac_matrix.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/dense/leading_vectors.hpp>

#include <cstdint>
#include <vector>

namespace genten {

/// A tensor that is dense in some modes, those that it was multiplied in, and sparse in the others:
/// for each tuple of subscripts of the sparse modes that occurs, a dense block.
///
/// Modes are multiplied in an order that is given beforehand, by which the tuples are sorted, the
/// mode that is next varying fastest: so one sort serves all products, and tuples that differ in
/// the next mode alone lie side by side. Every product leaves as many blocks as there are distinct
/// tuples of the other sparse modes; nothing has the product of two dimensions. Results have the
/// same bits for every number of threads.
template <RealScalar Scalar, ExecutionSpace Exec = HostExec>
requires is_host_space<Exec>
class SemiSparse {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using Values = Kokkos::View<Scalar*, typename Exec::memory_space>;
  /// One row a tuple.
  using Subscripts =
      Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, typename Exec::memory_space>;

  /// The nonzeros, sorted for products in the modes `order`, which names every mode once. Adds up
  /// duplicates. Throws Error for an order that does not, and for a mode of more than 2^32 rows.
  template <SubscriptOrdinal Ordinal>
  SemiSparse(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
             const std::vector<int>& order);

  /// Bytes that such an object takes for a tensor, sorting included, and the blocks that products
  /// of these numbers of columns leave, at most; 0 columns: no product.
  [[nodiscard]] static double memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                     const std::vector<int>& order,
                                     const std::vector<std::size_t>& columns);

  /// The sparse modes; the first is the one that is next.
  [[nodiscard]] const std::vector<int>& sparse_modes() const { return m_sparse; }
  /// The modes that were multiplied, in that order; the first varies fastest in a block.
  [[nodiscard]] const std::vector<int>& dense_modes() const { return m_dense; }
  /// Tuples of the sparse modes that occur.
  [[nodiscard]] std::size_t blocks() const { return m_subscripts.extent(0); }
  /// The tuples, blocks() x sparse_modes().
  [[nodiscard]] const Subscripts& subscripts() const { return m_subscripts; }
  /// The blocks, one behind the other.
  [[nodiscard]] const Values& values() const { return m_values; }
  /// Elements of a block.
  [[nodiscard]] std::size_t block_length() const { return m_length; }

  /// The product in the next mode with the transpose of `matrix`: its rows are as many as the mode
  /// is long, its columns take the place of the mode. Throws Error for other rows, and where no
  /// sparse mode is left.
  [[nodiscard]] SemiSparse multiply(const Exec& exec, const Matrix& matrix) const;

  /// The leading left singular vectors of the matricization in the next mode, and the squares of
  /// their singular values: by the Gram matrix of a short mode, otherwise by a block Lanczos method
  /// with two passes over the blocks for a product. Never an intermediate of two dimensions.
  [[nodiscard]] LeadingVectors<Exec> leading_vectors(
      const Exec& exec, std::size_t count, const LeadingVectorsOptions& options = {}) const;

  /// All elements, the first mode varying fastest, zeros included.
  [[nodiscard]] Values dense(const Exec& exec) const;

 private:
  using Offsets = Kokkos::View<offset_t*, typename Exec::memory_space>;

  SemiSparse() = default;
  /// Finds the groups of tuples that differ in the next mode alone.
  void find_groups(const Exec& exec);
  [[nodiscard]] HostMatrix gram(const Exec& exec) const;
  [[nodiscard]] SymmetricProduct<Exec> product(const Exec& exec) const;

  std::vector<std::size_t> m_lengths;  ///< by mode: of the dense ones, of their blocks
  std::vector<int> m_sparse, m_dense;
  std::size_t m_length = 1;
  Subscripts m_subscripts;  ///< blocks x sparse modes
  Values m_values;          ///< blocks * block_length
  Offsets m_groups;         ///< where groups begin, and the number of blocks
};

/// The `count` leading left singular vectors of the matricization of a tensor in `mode`, and the
/// squares of their singular values, which are eigenvalues of X_(n) X_(n)^T: orthonormal columns,
/// of which the first element of largest magnitude is positive. Throws Error for a mode that the
/// tensor does not have and for more vectors than the mode is long.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] LeadingVectors<Exec> nvecs(const Exec& exec,
                                         const Sptensor<Scalar, Ordinal, Exec>& tensor, int mode,
                                         std::size_t count,
                                         const LeadingVectorsOptions& options = {}) {
  std::vector<int> order;
  if (mode < 0 || mode >= tensor.order()) {
    throw Error::no_such_mode("nvecs", mode, tensor.order());
  }
  order.push_back(mode);
  for (int n = 0; n < tensor.order(); ++n) {
    if (n != mode) order.push_back(n);
  }
  return SemiSparse<Scalar, Exec>(exec, tensor, order).leading_vectors(exec, count, options);
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/mttkrp/detail/ttmc/semi_sparse_impl.hpp>
#endif
