// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The R x R and row-wise algebra of streams. Every row is computed alone, and sums are those of
/// chunks of rows in order: results do not depend on the number of threads.

#include <genten/core/fac_matrix.hpp>
#include <genten/dense/row_constraint.hpp>
#include <genten/dense/spd_inverse.hpp>

#include <vector>

namespace genten {

/// A factor on the host, in double.
using HostMatrixOf = FacMatrix<double, HostExec>;

namespace stream {

/// The sum of the products of elements.
[[nodiscard]] double inner_product(const HostExec& exec, const HostMatrixOf& a,
                                   const HostMatrixOf& b);
/// Element by element a = a * b.
void multiply_elements(SmallMatrix& a, const SmallMatrix& b);
/// The matrix product.
[[nodiscard]] SmallMatrix product(const SmallMatrix& a, const SmallMatrix& b);
/// The transposed matrix.
[[nodiscard]] SmallMatrix transposed(const SmallMatrix& a);
/// a(r, q) * rows[r] * columns[q].
[[nodiscard]] SmallMatrix scaled(const SmallMatrix& a, const std::vector<double>& rows,
                                 const std::vector<double>& columns);
/// The (pseudo)inverse of a symmetric positive semidefinite matrix.
[[nodiscard]] SmallMatrix inverse(const SmallMatrix& matrix);

/// A copy with so many rows at least, new ones zero.
[[nodiscard]] HostMatrixOf with_rows(const HostMatrixOf& matrix, std::size_t rows);
/// A copy with so many columns, new ones zero.
[[nodiscard]] HostMatrixOf with_columns(const HostMatrixOf& matrix, std::size_t columns);
/// The first rows, not copied.
[[nodiscard]] HostMatrixOf first_rows(const HostMatrixOf& matrix, std::size_t rows);
/// to = to + from, for as many rows as `from` has.
void add(const HostMatrixOf& to, const HostMatrixOf& from);
/// Multiplies columns.
void scale_columns(const HostMatrixOf& matrix, const std::vector<double>& by);
/// 2-norms of columns, or their sums.
[[nodiscard]] std::vector<double> column_sizes(const HostExec& exec, const HostMatrixOf& matrix,
                                               bool sums);
/// Scales columns to 2-norms, or sums, of one, but zero ones, and returns what they were; for zero
/// ones 1.
[[nodiscard]] std::vector<double> normalize_columns(const HostExec& exec,
                                                    const HostMatrixOf& matrix, bool sums);

/// The rows x that minimize 1/2 x Q x^T - v x^T + penalties within bounds, for the rows v of
/// `products`, as project_rows finds them; bounds and the 1-norm are met from `start`.
[[nodiscard]] HostMatrixOf solve_rows(const HostExec& exec, const SmallMatrix& gram,
                                      const HostMatrixOf& products, const HostMatrixOf& start,
                                      const RowConstraint& constraint);

}  // namespace stream
}  // namespace genten
