// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "small.hpp"

#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/cp/detail/project/quadratic_rows.hpp>

#include <algorithm>
#include <cmath>

namespace genten::stream {

SmallMatrix cross(const HostExec& exec, const HostMatrixOf& a, const HostMatrixOf& b) {
  const HostMatrix found = cross_gram(exec, a, b);
  SmallMatrix result(a.columns());
  for (std::size_t r = 0; r < result.size; ++r) {
    for (std::size_t q = 0; q < result.size; ++q) result(r, q) = found(r, q);
  }
  return result;
}

double inner_product(const HostExec& exec, const HostMatrixOf& a, const HostMatrixOf& b) {
  const SmallMatrix found = cross(exec, a, b);
  double sum = 0.0;
  for (std::size_t r = 0; r < found.size; ++r) sum += found(r, r);
  return sum;
}

void multiply_elements(SmallMatrix& a, const SmallMatrix& b) {
  for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] *= b.values[k];
}

SmallMatrix product(const SmallMatrix& a, const SmallMatrix& b) {
  SmallMatrix result(a.size);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t k = 0; k < a.size; ++k) {
      for (std::size_t j = 0; j < a.size; ++j) result(i, j) += a(i, k) * b(k, j);
    }
  }
  return result;
}

SmallMatrix transposed(const SmallMatrix& a) {
  SmallMatrix result(a.size);
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t j = 0; j < a.size; ++j) result(j, i) = a(i, j);
  }
  return result;
}

SmallMatrix scaled(const SmallMatrix& a, const std::vector<double>& rows,
                   const std::vector<double>& columns) {
  SmallMatrix result = a;
  for (std::size_t i = 0; i < a.size; ++i) {
    for (std::size_t j = 0; j < a.size; ++j) result(i, j) *= rows[i] * columns[j];
  }
  return result;
}

SmallMatrix inverse(const SmallMatrix& matrix) {
  const SpdInverse found = spd_inverse(matrix);
  if (!found.finite || found.factors.empty()) {
    throw Error(Error::Kind::runtime, "update: the normal equations have numbers beyond range");
  }
  return found.factors.size() == 1 ? found.factors[0] : product(found.factors[0], found.factors[1]);
}

HostMatrixOf with_rows(const HostMatrixOf& matrix, std::size_t rows) {
  const HostMatrixOf result(std::max(rows, matrix.rows()), matrix.columns());
  add(result, matrix);
  return result;
}

HostMatrixOf first_rows(const HostMatrixOf& matrix, std::size_t rows) {
  return HostMatrixOf(HostMatrixOf::view_type(matrix.data(), rows, matrix.stride()),
                      matrix.columns());
}

HostMatrixOf stacked(const HostMatrixOf& above, const HostMatrixOf& below) {
  const HostMatrixOf result = with_rows(above, above.rows() + below.rows());
  for (std::size_t i = 0; i < below.rows(); ++i) {
    std::copy_n(below.row(i), below.columns(), result.row(above.rows() + i));
  }
  return result;
}

void add_product(const HostExec& exec, const HostMatrixOf& to, const HostMatrixOf& from,
                 const SmallMatrix& transform, double scale) {
  const std::size_t rank = transform.size;
  const double* const by = transform.values.data();
  Kokkos::parallel_for(
      "genten::stream_add_product",
      Kokkos::RangePolicy<HostExec, Kokkos::IndexType<std::size_t>>(exec, 0, from.rows()),
      [=](const std::size_t i) {
        double* const result = to.row(i);
        for (std::size_t k = 0; k < rank; ++k) {
          const double factor = scale * from(i, k);
          for (std::size_t r = 0; r < rank; ++r) result[r] += factor * by[k * rank + r];
        }
      });
  detail::fence(exec, "genten::stream_add_product");
}

HostMatrixOf times(const HostExec& exec, const HostMatrixOf& from, const SmallMatrix& transform) {
  const HostMatrixOf result(from.rows(), from.columns());
  add_product(exec, result, from, transform);
  return result;
}

void add(const HostMatrixOf& to, const HostMatrixOf& from) {
  for (std::size_t i = 0; i < from.rows(); ++i) {
    for (std::size_t r = 0; r < from.columns(); ++r) to(i, r) += from(i, r);
  }
}

void scale_columns(const HostMatrixOf& matrix, const std::vector<double>& by) {
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (std::size_t r = 0; r < matrix.columns(); ++r) matrix(i, r) *= by[r];
  }
}

std::vector<double> column_sizes(const HostExec& exec, const HostMatrixOf& matrix, bool sums) {
  return column_norms(exec, matrix, sums ? NormKind::one : NormKind::two);
}

HostMatrixOf solve_rows(const HostExec& exec, const SmallMatrix& gram, const HostMatrixOf& products,
                        const HostMatrixOf& start, const RowConstraint& constraint) {
  const detail::QuadraticRows equations(gram, constraint, "update");
  const HostMatrixOf rows = with_rows(start, products.rows());
  detail::for_each_index("genten::stream_rows", exec, rows.rows(), [&](const std::size_t i) {
    std::vector<double> row(rows.row(i), rows.row(i) + gram.size);
    equations.solve(products.row(i), row);
    std::copy(row.begin(), row.end(), rows.row(i));
  });
  return rows;
}

}  // namespace genten::stream
