// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "small.hpp"

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/cp/detail/project/quadratic_rows.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace genten::stream {

namespace {

/// Adds A^T B of rows [begin, end), or its lower triangle, to `sums`: four rows at a time, so that
/// these are read and written that many times less.
void add_cross(const HostMatrixOf& a, const HostMatrixOf& b, std::size_t begin, std::size_t end,
               bool lower, double* sums) {
  const std::size_t rank = a.columns();
  std::size_t i = begin;
  for (; i + 4 <= end; i += 4) {
    const double* const left[] = {a.row(i), a.row(i + 1), a.row(i + 2), a.row(i + 3)};
    const double *const b0 = b.row(i), *const b1 = b.row(i + 1), *const b2 = b.row(i + 2),
                        *const b3 = b.row(i + 3);
    for (std::size_t r = 0; r < rank; ++r) {
      const double a0 = left[0][r], a1 = left[1][r], a2 = left[2][r], a3 = left[3][r];
      double* KOKKOS_RESTRICT const to = sums + r * rank;
      const std::size_t columns = lower ? r + 1 : rank;
      for (std::size_t q = 0; q < columns; ++q) {
        to[q] += a0 * b0[q] + a1 * b1[q] + a2 * b2[q] + a3 * b3[q];
      }
    }
  }
  for (; i < end; ++i) {
    for (std::size_t r = 0; r < rank; ++r) {
      const std::size_t columns = lower ? r + 1 : rank;
      for (std::size_t q = 0; q < columns; ++q) sums[r * rank + q] += a(i, r) * b(i, q);
    }
  }
}

}  // namespace

SmallMatrix cross(const HostExec& exec, const HostMatrixOf& a, const HostMatrixOf& b) {
  const bool same = a.data() == b.data();
  SmallMatrix result(a.columns());
  const std::size_t elements = result.values.size();
  const detail::EvenChunks chunks(a.rows(), 256, 64);
  std::vector<double> sums(chunks.count() * elements, 0.0);
  detail::for_each_index("genten::stream_cross", exec, chunks.count(), [&](const std::size_t k) {
    add_cross(a, b, chunks.begin(k), chunks.end(k), same, &sums[k * elements]);
  });
  for (std::size_t k = 0; k < sums.size(); ++k) result.values[k % elements] += sums[k];
  for (std::size_t r = 0; same && r < result.size; ++r) {
    for (std::size_t q = r + 1; q < result.size; ++q) result(r, q) = result(q, r);
  }
  return result;
}

double inner_product(const HostExec& exec, const HostMatrixOf& a, const HostMatrixOf& b) {
  const std::size_t rank = a.columns();
  return detail::chunked_reduce<double>("genten::stream_inner_product", exec,
                                        static_cast<offset_t>(a.rows()), [=](const offset_t row) {
                                          const auto i = static_cast<std::size_t>(row);
                                          return std::inner_product(a.row(i), a.row(i) + rank,
                                                                    b.row(i), 0.0);
                                        });
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
        double* KOKKOS_RESTRICT const result = to.row(i);
        const double* const row = from.row(i);
        std::size_t k = 0;
        for (; k + 4 <= rank; k += 4) {
          const double *const b0 = by + k * rank, *const b1 = b0 + rank, *const b2 = b1 + rank,
                              *const b3 = b2 + rank;
          const double f0 = row[k], f1 = row[k + 1], f2 = row[k + 2], f3 = row[k + 3];
          for (std::size_t r = 0; r < rank; ++r) {
            result[r] += scale * (f0 * b0[r] + f1 * b1[r] + f2 * b2[r] + f3 * b3[r]);
          }
        }
        for (; k < rank; ++k) {
          for (std::size_t r = 0; r < rank; ++r) result[r] += scale * row[k] * by[k * rank + r];
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
    for (const SmallMatrix& factor : equations.inverse()) rows = times(exec, rows, factor);
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
