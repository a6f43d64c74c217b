// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// PoissonNewton: the traversal over the nonzeros that gives every row of a factor of counts, or of
/// what is known of them, a gradient and a Hessian of its own, and a step by them.

#include <genten/core/count_loss.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/mttkrp/detail/row_equations/row_loops.hpp>
#include <genten/mttkrp/row_equations.hpp>

#include <span>
#include <vector>

namespace genten {

/// Prepared once for a tensor of counts, called many times; on hosts. Work, memory and determinism
/// are those of RowEquations.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
class PoissonNewton {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;

  /// Sorts the nonzeros of `tensor` by the rows of each mode.
  PoissonNewton(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, std::size_t rank,
                CountLoss loss = CountLoss::poisson, const RowEquationsTuning& tuning = {});

  /// Bytes that such an object takes, at most, and what making it takes meanwhile.
  [[nodiscard]] static double memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                     std::size_t rank, const RowEquationsTuning& tuning = {}) {
    return RowEquations<Scalar, Exec>::memory(dimensions, nnz, rank, tuning);
  }

  /// One step for every row of a factor, A_mode with the weights in its columns, given those of all
  /// other modes, whose columns add up to one: see CountStep. Rows without nonzeros become 0. The
  /// objective does not rise, and rows of counts add up to the tensor. Returns max |min(b, 1 -
  /// phi)| of the rows as they were, infinite where one is no number.
  double step(const Exec& exec, std::span<const Matrix> factors, int mode, const Matrix& rows,
              detail::CountStepKind kind = detail::CountStepKind::newton);

  /// Sums over the nonzeros with the model of these weights and factors, in the order of the rows
  /// of the longest mode: the largest factor is read once, row by row.
  [[nodiscard]] detail::DevianceSums sums(const Exec& exec, std::span<const Matrix> factors,
                                          const std::vector<double>& weights);

 private:
  using Entries = detail::ModeEntries<Scalar, Exec>;

  /// Calls use(i, work, gather, space) for all i below `count`, in any order, with what RowLoops
  /// take.
  template <class Use>
  void for_each(const Exec& exec, std::size_t count, std::span<const Matrix> factors, int mode,
                const Matrix& rows, const Use& use);
  /// The largest element of rows without nonzeros, which become 0: that is their violation.
  double clear_empty_rows(const Exec& exec, const Entries& entries, const Matrix& rows);

  std::size_t m_rank;
  CountLoss m_loss;
  std::vector<Entries> m_entries;  ///< one a mode
  int m_longest = 0;               ///< mode
  std::vector<double> m_pieces;
  std::vector<detail::CountFacts> m_facts;   ///< of pieces
  std::vector<double> m_found;               ///< violations, by task and cut row
  std::vector<detail::DevianceSums> m_sums;  ///< by task
  Kokkos::View<double**, Kokkos::LayoutRight, typename Exec::memory_space> m_workspace;
};

}  // namespace genten

#include <genten/mttkrp/detail/row_equations/poisson_newton_impl.hpp>
