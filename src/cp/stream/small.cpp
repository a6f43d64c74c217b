// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "small.hpp"

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/cp/detail/project/quadratic_rows.hpp>
#include <genten/dense/tall_products.hpp>

#include <algorithm>

namespace genten::stream {

namespace {

/// The inner product of a row of A and that of B. No lambda: nvcc takes none as the argument of a
/// template that launches extended lambdas.
struct RowProducts {
  HostMatrixOf a, b;

  KOKKOS_FUNCTION double operator()(offset_t row) const {
    const auto i = static_cast<std::size_t>(row);
    const double *const left = a.row(i), *const right = b.row(i);
    double sum = 0.0;
    for (std::size_t j = 0; j < a.columns(); ++j) sum += left[j] * right[j];
    return sum;
  }
};

}  // namespace

double inner_product(const HostExec& exec, const HostMatrixOf& a, const HostMatrixOf& b) {
  return detail::chunked_reduce<double>("genten::stream_inner_product", exec,
                                        static_cast<offset_t>(a.rows()), RowProducts{a, b});
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
    throw Error::in("update", Error::Kind::runtime,
                    "the normal equations have numbers beyond range");
  }
  return found.factors.size() == 1 ? found.factors[0] : product(found.factors[0], found.factors[1]);
}

HostMatrixOf with_rows(const HostMatrixOf& matrix, std::size_t rows) {
  const HostMatrixOf result(std::max(rows, matrix.rows()), matrix.columns());
  add(result, matrix);
  return result;
}

HostMatrixOf with_columns(const HostMatrixOf& matrix, std::size_t columns) {
  const HostMatrixOf result(matrix.rows(), columns);
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    std::copy_n(matrix.row(i), std::min(columns, matrix.columns()), result.row(i));
  }
  return result;
}

HostMatrixOf first_rows(const HostMatrixOf& matrix, std::size_t rows) {
  return HostMatrixOf(HostMatrixOf::view_type(matrix.data(), rows, matrix.stride()),
                      matrix.columns());
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

std::vector<double> normalize_columns(const HostExec& exec, const HostMatrixOf& matrix, bool sums) {
  std::vector<double> sizes = column_sizes(exec, matrix, sums);
  std::vector<double> inverses(sizes.size());
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    if (!(sizes[r] > 0.0)) sizes[r] = 1.0;
    inverses[r] = 1.0 / sizes[r];
  }
  scale_columns(matrix, inverses);
  return sizes;
}

HostMatrixOf solve_rows(const HostExec& exec, const SmallMatrix& gram, const HostMatrixOf& products,
                        const HostMatrixOf& start, const RowConstraint& constraint) {
  const detail::QuadraticRows equations(gram, constraint, "update");
  if (!equations.inverse().empty()) {
    HostMatrixOf rows = products;
    for (const SmallMatrix& factor : equations.inverse()) rows = tall_product(exec, rows, factor);
    return rows;
  }
  const HostMatrixOf rows = with_rows(start, products.rows());
  detail::for_each_index("genten::stream_rows", exec, rows.rows(), [&](const std::size_t i) {
    std::vector<double> row(rows.row(i), rows.row(i) + gram.size);
    equations.solve(products.row(i), row);
    std::copy(row.begin(), row.end(), rows.row(i));
  });
  return rows;
}

}  // namespace genten::stream
