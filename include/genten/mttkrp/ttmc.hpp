// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Ttmc: a sparse tensor times matrices in all modes but one (tensor times matrix chain), the
/// kernel of Tucker decompositions.

#include <genten/core/fac_matrix.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/mttkrp/problem.hpp>

#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace genten {

/// What a Ttmc is prepared for.
struct TtmcOptions {
  std::vector<int> modes = {};  ///< whose products will be asked for; none: all
  /// A chunk, which one thread takes alone, has at least so many nonzeros, ...
  offset_t nonzeros_per_chunk = 8192;
  /// ... and more where there would be more chunks than these. Sums depend on both.
  offset_t most_chunks = 1024;
};

/// Prepared once for a tensor, called many times: the matricized product of mode n,
///   W(i_n, (r_m)) = sum over nonzeros of row i_n of x * product over m != n of A_m(i_m, r_m),
/// which has I_n rows and as many columns as the other matrices' numbers of columns multiply to.
/// Columns are in the order of the Tensor Toolbox: the first of the other modes varies fastest.
///
/// One traversal of the nonzeros, which are sorted by the row and then by the other modes, the
/// shortest first. Nonzeros that have the subscripts of the first k of these in common are summed
/// before they are multiplied by the rows of those: with ranks of R, a nonzero takes about R
/// multiplications and a group of k common leading subscripts R^(N-k). The row that is being summed
/// stays in a thread's buffer of as many elements as W has columns; the sums of the levels below
/// take less than as many again. Nothing is stored that is dense in two modes' lengths.
///
/// Sums are in Scalar, in an order that depends on the nonzeros alone: results have the same bits
/// for every number of threads. Rows with very many nonzeros are summed in pieces, which are added
/// in their order. Duplicates count as their sum.
///
/// On hosts. On devices, levels and chunks would serve as they are, but a row of W is often longer
/// than a team's scratch memory: it would have to be cut into column blocks, which repeat the
/// traversal.
template <RealScalar Scalar, ExecutionSpace Exec = HostExec>
requires is_host_space<Exec>
class Ttmc {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// Sorts the nonzeros once for each of the modes. Throws Error for a tensor of order below 2, for
  /// modes that it does not have, and for one whose subscripts need more than 128 bits.
  Ttmc(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor,
       const TtmcOptions& options = {});
  /// The same by way of with_row_numbers, which throws for a mode of 2^32 rows or more.
  Ttmc(const Exec& exec, const Sptensor<Scalar, std::uint64_t, Exec>& tensor,
       const TtmcOptions& options = {})
      : Ttmc(exec, with_row_numbers(exec, tensor, "Ttmc"), options) {}
  ~Ttmc();
  Ttmc(Ttmc&&) noexcept;
  Ttmc& operator=(Ttmc&&) noexcept;

  /// Bytes that such an object takes, at most, without what a call sums pieces of rows in: see
  /// `piece_memory`.
  [[nodiscard]] static KernelMemory memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                           const TtmcOptions& options = {});
  /// Bytes that a call takes meanwhile for a product of so many columns, at most.
  [[nodiscard]] double piece_memory(std::size_t columns) const;

  /// The columns of the product of a mode.
  [[nodiscard]] static std::size_t columns(std::span<const Matrix> factors, int mode);

  /// Writes the product of `mode` to `output`. `factors` holds one matrix a mode, of which that of
  /// `mode` is not read and may be empty. Throws Error for a mode that it was not prepared for and
  /// for other shapes.
  void run(const Exec& exec, std::span<const Matrix> factors, int mode, const Matrix& output) const;

 private:
  struct State;
  void check(std::span<const Matrix> factors, int mode, const Matrix& output) const;

  std::unique_ptr<State> m_state;
};

/// The matricized product of one mode, prepared for this call alone: see Ttmc. `factors` holds one
/// matrix a mode.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] FacMatrix<Scalar, Exec> ttmc(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    std::type_identity_t<std::span<const FacMatrix<Scalar, Exec>>> factors, int mode) {
  const Ttmc<Scalar, Exec> prepared(exec, tensor, {.modes = {mode}});
  const FacMatrix<Scalar, Exec> output(exec, tensor.dimension(mode),
                                       prepared.columns(factors, mode), "genten::ttmc");
  prepared.run(exec, factors, mode, output);
  return output;
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/mttkrp/detail/ttmc/ttmc_impl.hpp>
#endif
