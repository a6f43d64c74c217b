// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows of least squares from normal equations that all rows share.

#include <genten/cp/detail/compare/double_double.hpp>
#include <genten/cp/detail/project/row_sums.hpp>
#include <genten/dense/row_constraint.hpp>
#include <genten/dense/spd_inverse.hpp>

#include <cstddef>
#include <vector>

namespace genten::detail {

/// The rows z that minimize 1/2 z H z - b z + l1 sum |z| within bounds, for one H and many b.
class QuadraticRows {
 public:
  /// H is `gram` with the ridge of the constraint on its diagonal. Throws Error of kind `runtime`,
  /// which begins with `what`, where it is not finite.
  QuadraticRows(SmallMatrix gram, const RowConstraint& constraint, const char* what);

  /// Where there are bounds or the 1-norm, `row` is where the search begins, else it is not read.
  void solve(const double* b, std::vector<double>& row) const;
  /// Matrices whose product, from the right one after the other, takes b to z; empty under bounds
  /// or with the 1-norm.
  [[nodiscard]] const std::vector<SmallMatrix>& inverse() const { return m_inverse; }

 private:
  SmallMatrix m_matrix;
  RowConstraint m_constraint;
  std::vector<SmallMatrix> m_inverse;
};

/// Rows of least squares without penalties and bounds, for columns whose condition normal equations
/// would square: these are summed and solved with twice the digits of a double, so that what is
/// left of the error is that of a QR decomposition or less. Of columns that are dependent to
/// rounding the solution is that of the least norm, by columns of unit norm.
class PreciseSquares {
 public:
  /// `others` are used later: they must not go.
  explicit PreciseSquares(const OtherFactors& others);

  void solve(const RowEntries& entries, std::vector<double>& row) const;
  /// Largest by smallest singular value of the columns that are not dependent, at unit norm.
  [[nodiscard]] double condition() const { return m_condition; }
  [[nodiscard]] std::size_t dependent() const { return m_dependent; }

  /// Whether doubles have enough digits for the normal equations: at most four are lost.
  [[nodiscard]] static bool is_well_conditioned(const OtherFactors& others);

 private:
  const OtherFactors& m_others;
  std::vector<DoubleDouble> m_inverse;
  double m_condition = 1.0;
  std::size_t m_dependent = 0;
};

}  // namespace genten::detail
