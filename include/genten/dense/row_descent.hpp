// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowDescent: least squares with bounds and penalties for all rows of a factor, in one pass.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/limits.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/dense/row_constraint.hpp>

namespace genten {

/// The R x R system that all rows of a factor share, and how rows and right-hand sides are stored.
/// Device kernels write it.
template <RealScalar Scalar, ExecutionSpace Exec>
struct RowEquation {
  /// Lines of `columns`.
  enum Line : int {
    start,    ///< what an old row is multiplied by
    scale,    ///< what a right-hand side is multiplied by
    inverse,  ///< of gram(r, r) + ridge; 0 where that is 0 or nearly so
    root,     ///< of the same
    lines
  };

  FacMatrix<Scalar, Exec> gram;  ///< symmetric; without ridge
  Kokkos::View<Scalar**, Kokkos::LayoutRight, typename Exec::memory_space> columns;

  explicit RowEquation(std::size_t rank)
      : gram(rank, rank, "genten::row_equation"),
        columns(detail::new_view<decltype(columns)>("genten::row_equation_columns",
                                                    static_cast<std::size_t>(lines), rank)) {}

  /// The numbers of a line, one a column.
  [[nodiscard]] Scalar* line(Line which) const {
    return columns.data() + static_cast<std::size_t>(which) * columns.extent(1);
  }
  /// What `inverse` and `root` are for a diagonal element with its ridge.
  [[nodiscard]] static KOKKOS_FUNCTION Scalar inverse_of(double diagonal) {
    // The reciprocal of less would leave the range of Scalar.
    constexpr double least = detail::Limits<Scalar>::least;
    return diagonal >= least ? static_cast<Scalar>(1.0 / diagonal) : Scalar(0);
  }
  [[nodiscard]] static KOKKOS_FUNCTION Scalar root_of(double diagonal) {
    return static_cast<Scalar>(::sqrt(diagonal > 0.0 ? diagonal : 0.0));
  }
};

/// One pass over a tall matrix X and the right-hand sides V. For every row v of V * diag(scale),
/// x = (row of X) * diag(start) is improved towards the minimum of
///   1/2 x G x^T - v x^T + ridge/2 ||x||^2 + l1 sum |x|,   lower <= x <= upper,
/// by cyclic coordinate descent (hierarchical alternating least squares; Cichocki and Phan 2009):
/// sweeps over the columns are repeated until the change falls below a tenth of the first sweep's,
/// ten at most (Gillis and Glineur, Neural Computation 24, 2012). Changes are measured by what they
/// do to the minimized sum, so that nothing depends on the scaling of columns.
/// Then, as FactorUpdate has it: gram = X^T X, column_max = max_i |X(i, :)|, and
/// dots(r) = sum_i V(i, r) X(i, r), V as it is stored.
///
/// What becomes of a row depends on it alone; sums are taken over chunks that do not depend on the
/// number of threads. Memory traffic: V and X read, X written. `run` allocates nothing on devices,
/// and blocks of 64 rows a chunk on hosts. Results are there when the instance has done what was
/// queued on it: on hosts, on return.
template <RealScalar Scalar, ExecutionSpace Exec>
class RowDescent {
 public:
  using Matrix = FacMatrix<Scalar, Exec>;
  using memory_space = typename Exec::memory_space;
  using result_space = typename detail::Backend<Exec>::pinned_space;
  using Square = Kokkos::View<double**, Kokkos::LayoutRight, result_space>;
  using Column = Kokkos::View<double*, result_space>;

  /// For matrices of `rank` columns and Genten's padded row stride, with at most `most_rows` rows.
  RowDescent(std::size_t rank, std::size_t most_rows);

  /// Bytes that such an object takes where `Exec` computes.
  [[nodiscard]] static double memory(std::size_t rank, std::size_t most_rows);

  /// Bounds count as rounded to Scalar. Throws Error for matrices of other shapes.
  void run(const Exec& exec, const Matrix& rows, const Matrix& products,
           const RowEquation<Scalar, Exec>& system, const RowConstraint& constraint);

  [[nodiscard]] const Square& gram() const { return m_gram; }
  [[nodiscard]] const Column& column_max() const { return m_column_max; }
  [[nodiscard]] const Column& dots() const { return m_dots; }
  /// How far the old rows were from where they should be: the largest step that one element alone
  /// would take, times the root of its diagonal element; 0 where the conditions of Karush, Kuhn and
  /// Tucker hold. In the unit of the right-hand sides, whatever the columns' scaling.
  [[nodiscard]] double violation() const { return m_violation(0); }
  /// The same where it lies: the first number.
  [[nodiscard]] const Column& violations() const { return m_violation; }
  /// 1-norms of the columns of the new matrix.
  [[nodiscard]] const Column& absolute_sums() const { return m_absolute_sums; }

 private:
  static std::size_t most_chunks(std::size_t rank, std::size_t most_rows);

  std::size_t m_rank;
  std::size_t m_stride;
  std::size_t m_most_chunks = 1;
  Square m_gram;
  Column m_column_max;
  Column m_dots;
  Column m_violation;  ///< in the first element; the others are 0
  Column m_absolute_sums;
  /// A chunk's partial results: stride x stride of gram, stride each of max, dots, violation and
  /// absolute sums.
  Kokkos::View<double**, Kokkos::LayoutRight, memory_space> m_partial;
};

}  // namespace genten

#include <genten/dense/detail/row_descent_impl.hpp>
