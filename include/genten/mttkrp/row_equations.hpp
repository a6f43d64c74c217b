// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowEquations: the traversal over the entries that gives every row of a factor a system of its
/// own, as least squares do where entries are missing.

#include <genten/core/fac_matrix.hpp>
#include <genten/dense/row_constraint.hpp>
#include <genten/mttkrp/detail/row_equations/mode_entries.hpp>
#include <genten/mttkrp/detail/row_equations/row_terms.hpp>
#include <genten/mttkrp/problem.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace genten {

/// Plain numbers that measurements set. Sums depend on them, not on the number of threads.
struct RowEquationsTuning {
  /// Entries of the rows that a thread of a host takes at a time, what solving costs counted in.
  offset_t entries_per_task = 4096;
  /// Rows of twice as many entries are summed in pieces of at least so many, ...
  offset_t entries_per_piece_host = 8192;
  offset_t entries_per_piece_device = 2048;
  /// ... which take no more than about so many bytes together.
  double piece_bytes = 64e6;
  /// Least-norm solutions that are computed side by side.
  int least_norm_teams = 64;
  /// Rows by teams on hosts, too, as on devices: for tests.
  bool teams_on_hosts = false;
};

/// What became of the rows of a factor.
struct RowSolveCounts {
  offset_t rows = 0;        ///< that have entries
  offset_t least_norm = 0;  ///< of these, with a system that is not safely positive definite
};

/// Prepared once for a tensor, called many times: for every row i of a factor that has entries,
/// solves
///   (base + sign * sum of k k^T + ridge I) a_i = right_i,
/// k being, at an entry of the row, the elementwise product of the other modes' factor rows.
/// Systems are summed and solved row by row; what is stored of them does not grow with the rows.
///
/// Systems are solved by Cholesky's factorization in double, after their scaling to unit diagonal;
/// one whose smallest pivot is below 10 R epsilon is solved by its pseudoinverse, and counted. So
/// is one of which sums taken from a base have left a pivot that is but their rounding: R
/// epsilon(Scalar) of the base's diagonal. Products k are rounded to Scalar, sums are taken in
/// double. Rows with very many entries are summed in pieces, shared out and added up in their
/// order: on hosts results have the same bits for every number of threads.
///
/// Work of a call: about R (R + 1) / 2 + N R multiplications an entry, R^3 / 6 a row. Memory
/// traffic: a mode's subscripts and values in order, N - 1 gathered rows an entry. Memory: N copies
/// of values and of N - 1 subscripts; workspace for systems of one row a thread, and for pieces.
/// An object must not be used by two threads at once.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
class RowEquations {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  /// rank x rank, by rows, where `Exec` computes.
  using Square = Kokkos::View<double**, Kokkos::LayoutRight, typename Exec::memory_space>;

  /// Sorts the entries of `tensor` by the rows of each mode. An entry that is there twice counts
  /// twice.
  RowEquations(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, std::size_t rank,
               const RowEquationsTuning& tuning = {});

  /// Bytes that such an object takes where `Exec` computes, at most, and what making it takes
  /// meanwhile.
  [[nodiscard]] static double memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                     std::size_t rank, const RowEquationsTuning& tuning = {});

  /// The same, and what is kept.
  [[nodiscard]] static KernelMemory memory_of(const std::vector<std::size_t>& dimensions,
                                              offset_t nnz, std::size_t rank,
                                              const RowEquationsTuning& tuning = {});

  /// Least squares over the entries alone: no base, and right_i = sum of value times k. Rows of
  /// `output` without entries are not written. `factors` holds one matrix a mode, of which that of
  /// `mode` is not read and may be `output`. All have Genten's padded rows, their padding zero.
  /// Throws Error for other shapes.
  RowSolveCounts solve(const Exec& exec, std::span<const Matrix> factors, int mode, double ridge,
                       const Matrix& output);

  /// The same with what the entries would contribute taken away from what all entries do: `base`
  /// minus the sum of k k^T, and right_i row i of `products`, which may be `output`. Values of
  /// entries do not count.
  RowSolveCounts solve_without(const Exec& exec, std::span<const Matrix> factors, int mode,
                               double ridge, const Square& base, const Matrix& products,
                               const Matrix& output);

  /// Coordinate descent of all rows of a factor, from what they are, towards the same
  /// least squares under bounds and penalties, the ridge among them: RowDescent, but that each row
  /// has a system of its own. Rows without entries become 0. Returns how far the rows were from
  /// where they should be, as RowDescent::violation. The sum that is minimized does not rise but by
  /// rounding.
  double coordinate_descent(const Exec& exec, std::span<const Matrix> factors, int mode,
                            const RowConstraint& constraint, const Matrix& rows);

  /// The same with what the entries would contribute taken away from what all entries do, as
  /// solve_without has it, for all rows, those without entries by the base alone. `products` may
  /// not be `rows`.
  double coordinate_descent_without(const Exec& exec, std::span<const Matrix> factors, int mode,
                                    const RowConstraint& constraint, const Square& base,
                                    const Matrix& products, const Matrix& rows);

  /// The sum of (value - model)^2 over all entries, summed in double in the order of `mode`'s rows.
  [[nodiscard]] double squared_residual(const Exec& exec, std::span<const Matrix> factors,
                                        int mode);

  /// The mode with the most rows: traversals in the order of its rows gather from shorter factors.
  [[nodiscard]] int longest_mode() const {
    return static_cast<int>(std::max_element(m_dimensions.begin(), m_dimensions.end()) -
                            m_dimensions.begin());
  }
  /// Rows of a mode that have entries.
  [[nodiscard]] offset_t rows(int mode) const {
    return m_entries[static_cast<std::size_t>(mode)].row_count();
  }

  /// \cond not API: device lambdas may not stand in private members
  using Entries = detail::ModeEntries<Scalar, Exec>;
  using Work = detail::RowWork<Scalar>;
  [[nodiscard]] static detail::RowTaskSizes task_sizes(offset_t nnz, std::size_t rank,
                                                       const RowEquationsTuning& tuning);
  RowSolveCounts solve_rows(const Exec& exec, std::span<const Matrix> factors, int mode,
                            const detail::RowTerms<Scalar>& terms, const Matrix& output);
  double run_descent(const Exec& exec, std::span<const Matrix> factors, int mode,
                     const RowConstraint& constraint, detail::RowTerms<Scalar> terms,
                     const Matrix& rows);
  void run_descent_without_entries(const Exec& exec, std::span<const Matrix> factors, int mode,
                                   const Work& work);
  [[nodiscard]] bool by_teams() const { return !is_host_space<Exec> || m_tuning.teams_on_hosts; }
  void run_on_host(const Exec& exec, std::span<const Matrix> factors, int mode, const Work& work);
  void run_teams(const Exec& exec, std::span<const Matrix> factors, int mode, const Work& work);
  offset_t solve_unsafe(const Exec& exec, std::span<const Matrix> factors, int mode,
                        const Work& work);
  /// \endcond

 private:
  void check(std::span<const Matrix> factors, int mode, const Matrix& output) const;
  void check_base(const Square& base) const;
  /// See RowTerms.
  [[nodiscard]] double base_error() const;
  [[nodiscard]] Work work_of(int mode, const detail::RowTerms<Scalar>& terms,
                             const Matrix& output) const;

  std::vector<std::size_t> m_dimensions;
  std::size_t m_rank;
  RowEquationsTuning m_tuning;
  std::vector<Entries> m_entries;  ///< one a mode
  Kokkos::View<double*, typename Exec::memory_space> m_pieces;
  Kokkos::View<int*, typename Exec::memory_space> m_unsafe;  ///< by place of a row
  /// By row, once coordinate descent has run.
  Kokkos::View<double*, typename Exec::memory_space> m_violations;
  /// Of the threads of a host.
  Kokkos::View<double**, Kokkos::LayoutRight, typename Exec::memory_space> m_workspace;
};

}  // namespace genten

#include <genten/mttkrp/detail/row_equations/coordinate_descent_impl.hpp>
#include <genten/mttkrp/detail/row_equations/row_equations_impl.hpp>
