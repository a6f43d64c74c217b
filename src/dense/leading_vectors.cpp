// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include "lapack.hpp"
#include "tall_blocks.hpp"

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/error.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/columns.hpp>
#include <genten/core/fill_random.hpp>
#include <genten/core/random.hpp>
#include <genten/dense/blas_buffer.hpp>
#include <genten/dense/detail/tall_loops.hpp>
#include <genten/dense/leading_vectors.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace genten {
namespace {

/// Leading eigenpairs of a small matrix: values descending, vectors as rows.
struct SmallEigen {
  std::vector<double> values;
  HostMatrix vectors;
};

void check_count(const char* where, std::size_t size, std::size_t count) {
  if (count <= size) return;
  throw Error::in(where, "expected at most " + std::to_string(size) +
                             " vectors (the rows of the matrix), got " + std::to_string(count));
}

/// Of the first `size` rows and columns.
SmallEigen small_eigen(const HostMatrix& matrix, std::size_t size, std::size_t count) {
  SmallEigen result{std::vector<double>(count), HostMatrix("genten::eigenvectors", count, size)};
  if (count == 0) return result;
  begin_blas();
  std::vector<double> a(size * size), values(size), vectors(size * count);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j <= i; ++j) a[i * size + j] = matrix(i, j);
  }
  // Rows here are columns there, so that the lower triangle is the upper one.
  const int n = static_cast<int>(size), last = n, first = n - static_cast<int>(count) + 1;
  const double unused = 0.0, least_error = 0.0;
  std::vector<int> support(2 * size);
  int found = 0, info = 0, query = -1, int_size = 0;
  double best_size = 0.0;
  const auto call = [&](double* work, const int* length, int* int_work, const int* int_length) {
    dsyevr_("V", "I", "U", &n, a.data(), &n, &unused, &unused, &first, &last, &least_error, &found,
            values.data(), vectors.data(), &n, support.data(), work, length, int_work, int_length,
            &info);
  };
  call(&best_size, &query, &int_size, &query);
  const int length = static_cast<int>(best_size);
  std::vector<double> work(static_cast<std::size_t>(length));
  std::vector<int> int_work(static_cast<std::size_t>(int_size));
  call(work.data(), &length, int_work.data(), &int_size);
  if (info != 0 || static_cast<std::size_t>(found) != count) {
    throw Error::in("leading_vectors", Error::Kind::runtime,
                    "the eigensolver dsyevr returned " + std::to_string(info));
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t from = count - 1 - k;
    result.values[k] = std::max(values[from], 0.0);
    for (std::size_t i = 0; i < size; ++i) result.vectors(k, i) = vectors[from * size + i];
  }
  return result;
}

/// Copies as many columns as `to` has; strides may be those of larger matrices.
template <class Exec>
void copy_block(const Exec& exec, const FacMatrix<double, Exec>& to,
                const FacMatrix<double, Exec>& from) {
  std::vector<ColumnChange> changes;
  for (std::size_t j = 0; j < to.columns(); ++j) changes.push_back({.source = j});
  copy_columns(exec, from, to, changes);
}

HostMatrix transposed(const HostMatrix& matrix) {
  const HostMatrix result("genten::transposed", matrix.extent(1), matrix.extent(0));
  for (std::size_t i = 0; i < matrix.extent(0); ++i) {
    for (std::size_t j = 0; j < matrix.extent(1); ++j) result(j, i) = matrix(i, j);
  }
  return result;
}

template <class Exec>
double column_norm(const Exec& exec, const FacMatrix<double, Exec>& matrix, std::size_t j) {
  const auto column = columns_of(matrix, j, 1);
  return std::sqrt(cross_gram(exec, column, column)(0, 0));
}

/// Signs by the elements of largest magnitude.
template <class Exec>
void make_largest_positive(const Exec& exec, const FacMatrix<double, Exec>& matrix) {
  std::vector<double> signs;
  for (const bool negative : largest_are_negative(exec, matrix)) {
    signs.push_back(negative ? -1.0 : 1.0);
  }
  scale_columns(exec, matrix, signs);
}

/// The memory of rows that tall loops read: they begin at lines of caches.
struct alignas(64) Line {
  double numbers[8];
};

/// A block of rows of tall matrices, in double.
class TallBlock {
 public:
  TallBlock(std::size_t rows, std::size_t columns)
      : m_distance(detail::tall_distance(columns)), m_lines(rows * m_distance / 8) {}
  [[nodiscard]] double* row(std::size_t i) { return m_lines[0].numbers + i * m_distance; }
  [[nodiscard]] std::size_t distance() const { return m_distance; }

 private:
  std::size_t m_distance;
  std::vector<Line> m_lines;
};

/// The lower triangle of the Gram matrix of `columns` columns, of which `fill(begin, end, block)`
/// makes a block of rows.
template <class Exec, class Fill>
HostMatrix tall_gram(const Exec& exec, std::size_t rows, std::size_t columns, const Fill& fill) {
  if (columns == 0) return HostMatrix("genten::tall_gram", 0, 0);
  const auto& loops = detail::tall_loops();
  const auto add = [&](std::size_t begin, std::size_t end, const HostMatrix& sums) {
    TallBlock block(detail::tall_block_rows, columns);
    for (std::size_t i = begin; i < end; i += detail::tall_block_rows) {
      const std::size_t last = std::min(i + detail::tall_block_rows, end);
      fill(i, last, block);
      loops.gram(block.row(0), last - i, columns, sums.data());
    }
  };
  return sum_over_chunks("genten::tall_gram", exec, rows, 1024, columns,
                         detail::tall_distance(columns), add);
}

/// W W^T, that is the Gram matrix of the columns of W^T.
template <class Scalar, class Exec>
HostMatrix row_gram(const Exec& exec, const FacMatrix<Scalar, Exec>& matrix) {
  return tall_gram(exec, matrix.columns(), matrix.rows(),
                   [&](std::size_t begin, std::size_t end, TallBlock& block) {
                     for (std::size_t j = 0; j < matrix.rows(); ++j) {
                       for (std::size_t k = begin; k < end; ++k) {
                         block.row(k - begin)[j] = static_cast<double>(matrix(j, k));
                       }
                     }
                   });
}

/// W^T W.
template <class Scalar, class Exec>
HostMatrix column_gram(const Exec& exec, const FacMatrix<Scalar, Exec>& matrix) {
  return tall_gram(exec, matrix.rows(), matrix.columns(),
                   [&](std::size_t begin, std::size_t end, TallBlock& block) {
                     for (std::size_t i = begin; i < end; ++i) {
                       std::copy_n(matrix.row(i), matrix.columns(), block.row(i - begin));
                     }
                   });
}

/// The state of the block Lanczos method: basis K, T = K^T A K, and what A K has beyond K.
template <class Exec>
class BlockLanczos {
 public:
  BlockLanczos(const Exec& exec, std::size_t size, std::size_t count,
               const LeadingVectorsOptions& options)
      : m_exec(exec),
        m_options(options),
        m_block(count),
        m_most(std::min(size, 5 * count)),
        m_basis(exec, size, m_most, "genten::lanczos_basis"),
        m_rest(exec, size, count, "genten::lanczos_rest"),
        m_projected(detail::new_view<HostMatrix>("genten::lanczos_projected", m_most, m_most)) {
    const auto first = columns_of(m_basis, 0, m_block);
    fill_random(exec, first, options.seed, 0, FactorKind::normal);
    orthonormalize(exec, m_basis, 0, m_block, options.seed);
  }

  /// One block of products; whether the leading pairs are known then.
  bool step(const SymmetricProduct<Exec>& product) {
    const std::size_t width = std::min(m_block, m_basis.rows() - m_known);
    const auto rest = columns_of(m_rest, 0, width);
    product(columns_of(m_basis, m_known, width), rest);
    m_products += width;
    const auto known = columns_of(m_basis, 0, m_known + width);
    const HostMatrix sums = block_gram(m_exec, known, rest);
    for (std::size_t i = 0; i < sums.extent(0); ++i) {
      for (std::size_t j = 0; j < width; ++j) {
        m_projected(i, m_known + j) = m_projected(m_known + j, i) = sums(i, j);
      }
    }
    subtract_product(m_exec, known, sums, rest);
    m_known += width;
    m_eigen = small_eigen(m_projected, m_known, m_known);
    return m_known == m_basis.rows() || is_small(block_gram(m_exec, rest, rest), width);
  }

  /// Makes room for the next block and puts it there.
  void go_on() {
    if (m_known + std::min(m_block, m_basis.rows() - m_known) > m_most) restart();
    const std::size_t width = std::min(m_block, m_basis.rows() - m_known);
    copy_block(m_exec, columns_of(m_basis, m_known, width), m_rest);
    orthonormalize(m_exec, m_basis, m_known, width, m_options.seed + m_products);
  }

  [[nodiscard]] LeadingVectors<Exec> result(bool converged) const {
    LeadingVectors<Exec> result;
    result.eigenvalues.assign(m_eigen.values.begin(),
                              m_eigen.values.begin() + static_cast<std::ptrdiff_t>(m_block));
    result.vectors = ritz_vectors(m_block);
    orthonormalize(m_exec, result.vectors, 0, m_block, m_options.seed);
    make_largest_positive(m_exec, result.vectors);
    result.products = m_products;
    result.converged = converged;
    return result;
  }

 private:
  /// Whether the residuals of the leading pairs are: of each the rest times the last elements of
  /// its vector.
  [[nodiscard]] bool is_small(const HostMatrix& gram, std::size_t width) const {
    const double limit = m_options.tolerance * m_eigen.values[0];
    for (std::size_t k = 0; k < m_block; ++k) {
      double square = 0.0;
      for (std::size_t i = 0; i < width; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
          square += m_eigen.vectors(k, m_known - width + i) * gram(i, j) *
                    m_eigen.vectors(k, m_known - width + j);
        }
      }
      if (square > limit * limit) return false;
    }
    return true;
  }

  [[nodiscard]] FacMatrix<double, Exec> ritz_vectors(std::size_t count) const {
    const FacMatrix<double, Exec> vectors(m_exec, m_basis.rows(), count, "genten::ritz_vectors");
    const auto rows = Kokkos::make_pair(std::size_t{0}, count);
    const HostMatrix leading = Kokkos::subview(m_eigen.vectors, rows, Kokkos::ALL());
    multiply_small(m_exec, columns_of(m_basis, 0, m_known), transposed(leading), vectors);
    return vectors;
  }

  /// Leaves the leading vectors of two blocks.
  void restart() {
    const std::size_t kept = 2 * m_block;
    copy_block(m_exec, columns_of(m_basis, 0, kept), ritz_vectors(kept));
    Kokkos::deep_copy(m_projected, 0.0);
    for (std::size_t k = 0; k < kept; ++k) m_projected(k, k) = m_eigen.values[k];
    m_known = kept;
  }

  Exec m_exec;
  LeadingVectorsOptions m_options;
  std::size_t m_block, m_most;
  std::size_t m_known = 0;  ///< columns of the basis whose products are known
  std::size_t m_products = 0;
  FacMatrix<double, Exec> m_basis, m_rest;
  HostMatrix m_projected;
  SmallEigen m_eigen;
};

/// Vectors of length W V, from the eigenvectors V of W^T W.
template <class Scalar, class Exec>
LeadingVectors<Exec> from_right_vectors(const Exec& exec, const FacMatrix<Scalar, Exec>& matrix,
                                        std::size_t count) {
  const SmallEigen right = small_eigen(column_gram(exec, matrix), matrix.columns(), count);
  LeadingVectors<Exec> result;
  result.eigenvalues = right.values;
  result.vectors = FacMatrix<double, Exec>(exec, matrix.rows(), count, "genten::left_vectors");
  multiply_small(exec, matrix, transposed(right.vectors), result.vectors);
  orthonormalize(exec, result.vectors, 0, count);
  make_largest_positive(exec, result.vectors);
  return result;
}

}  // namespace

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void multiply_small(const Exec& exec, const FacMatrix<Scalar, Exec>& from, const HostMatrix& small,
                    const FacMatrix<double, Exec>& to) {
  constexpr std::size_t together = 64;
  const std::size_t inner = from.columns(), rows = to.rows();
  const auto& loops = detail::tall_loops();
  detail::for_each_index(
      "genten::multiply_small", exec, (rows + together - 1) / together, [&](const std::size_t b) {
        const std::size_t begin = b * together, count = std::min(together, rows - begin);
        const auto multiply = [&](const double* block, std::size_t distance) {
          loops.multiply(block, count, distance, inner, small.data(), small.extent(1),
                         to.row(begin), to.stride());
        };
        if constexpr (std::is_same_v<Scalar, double>) {
          multiply(from.row(begin), from.stride());
        } else {
          TallBlock block(count, inner);
          for (std::size_t i = 0; i < count; ++i) {
            std::copy_n(from.row(begin + i), inner, block.row(i));
          }
          multiply(block.row(0), block.distance());
        }
      });
}

template <ExecutionSpace Exec>
requires is_host_space<Exec>
void orthonormalize(const Exec& exec, const FacMatrix<double, Exec>& matrix, std::size_t first,
                    std::size_t count, std::uint64_t seed) {
  check_count("orthonormalize", matrix.rows(), first + count);
  const auto before = columns_of(matrix, 0, first), block = columns_of(matrix, first, count);
  // As a whole while its columns are independent, whose single passes would be many; twice, since
  // the first pass leaves what rounding makes of the condition.
  for (int pass = 0; count >= tile && pass < 3; ++pass) {
    const HostMatrix given = block_gram(exec, block, block);
    if (first != 0) subtract_product(exec, before, block_gram(exec, before, block), block);
    const std::vector<double> left = cholesky_pass(exec, block);
    if (left.empty() || cholesky_pass(exec, block).empty()) break;
    bool is_done = true;
    for (std::size_t j = 0; j < count; ++j) {
      is_done = is_done && left[j] > 0.1 * std::sqrt(given(j, j));
    }
    if (is_done) return;
  }
  std::uint64_t draw = 0;
  // Once more after a pass that left less than a tenth of a column: rounding shows in what is left.
  for (bool is_done = false; !is_done;) {
    is_done = true;
    std::vector<double> given;
    for (std::size_t j = 0; j < count; ++j) given.push_back(column_norm(exec, block, j));
    if (first != 0) subtract_product(exec, before, block_gram(exec, before, block), block);
    for (std::size_t j = 0; j < count; ++j) {
      const auto column = columns_of(block, j, 1), sisters = columns_of(block, 0, j);
      double left = column_norm(exec, block, j);
      for (bool is_kept = false; !is_kept;) {
        // What is left of a column that depends on the others is rounding.
        if (!(left > 1e-12 * given[j])) {
          fill_random(exec, column, random_bits(seed, first + j, draw++), 0, FactorKind::normal);
          left = given[j] = column_norm(exec, block, j);
          is_done = first == 0;  // from this nothing has been subtracted yet
        }
        const double old = left;
        if (j != 0) subtract_product(exec, sisters, cross_gram(exec, sisters, column), column);
        left = column_norm(exec, block, j);
        is_kept = left > 0.7 * old;
      }
      is_done = is_done && left > 0.1 * given[j];
      scale_columns(exec, column, {left}, true);
    }
  }
}

template <ExecutionSpace Exec>
requires is_host_space<Exec> LeadingVectors<Exec> leading_vectors(const Exec& exec,
                                                                  const HostMatrix& matrix,
                                                                  std::size_t count) {
  check_count("leading_vectors", matrix.extent(0), count);
  const SmallEigen eigen = small_eigen(matrix, matrix.extent(0), count);
  LeadingVectors<Exec> result;
  result.eigenvalues = eigen.values;
  result.vectors = FacMatrix<double, Exec>(exec, matrix.extent(0), count, "genten::vectors");
  for (std::size_t i = 0; i < matrix.extent(0); ++i) {
    for (std::size_t k = 0; k < count; ++k) result.vectors(i, k) = eigen.vectors(k, i);
  }
  orthonormalize(exec, result.vectors, 0, count);
  make_largest_positive(exec, result.vectors);
  return result;
}

template <ExecutionSpace Exec>
requires is_host_space<Exec> LeadingVectors<Exec> leading_vectors(
    const Exec& exec, std::size_t size, std::size_t count, const SymmetricProduct<Exec>& product,
    const LeadingVectorsOptions& options) {
  check_count("leading_vectors", size, count);
  if (count == 0) return {{}, FacMatrix<double, Exec>(exec, size, 0)};
  BlockLanczos<Exec> lanczos(exec, size, count, options);
  for (std::size_t block = 1;; ++block) {
    const bool known = lanczos.step(product);
    if (known || block >= options.most_blocks) return lanczos.result(known);
    lanczos.go_on();
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> LeadingVectors<Exec> leading_left_vectors(
    const Exec& exec, const FacMatrix<Scalar, Exec>& matrix, std::size_t count,
    const LeadingVectorsOptions& options) {
  check_count("leading_left_vectors", std::min(matrix.rows(), matrix.columns()), count);
  if (std::min(matrix.rows(), matrix.columns()) <= options.most_direct) {
    if (matrix.rows() <= matrix.columns()) {
      return leading_vectors(exec, row_gram(exec, matrix), count);
    }
    return from_right_vectors(exec, matrix, count);
  }
  // W^T V is as small as the other side, W times it a pass over W.
  const SymmetricProduct<Exec> product = [&](const FacMatrix<double, Exec>& from,
                                             const FacMatrix<double, Exec>& to) {
    multiply_small(exec, matrix, block_gram(exec, matrix, from), to);
  };
  return leading_vectors<Exec>(exec, matrix.rows(), count, product, options);
}

#define GENTEN_INSTANTIATE_LEADING(UNUSED, EXEC)                                              \
  template LeadingVectors<EXEC> leading_vectors(const EXEC&, const HostMatrix&, std::size_t); \
  template LeadingVectors<EXEC> leading_vectors(const EXEC&, std::size_t, std::size_t,        \
                                                const SymmetricProduct<EXEC>&,                \
                                                const LeadingVectorsOptions&);                \
  template void orthonormalize(const EXEC&, const FacMatrix<double, EXEC>&, std::size_t,      \
                               std::size_t, std::uint64_t);
#define GENTEN_INSTANTIATE_LEFT(SCALAR, EXEC)                                                     \
  template LeadingVectors<EXEC> leading_left_vectors(const EXEC&, const FacMatrix<SCALAR, EXEC>&, \
                                                     std::size_t, const LeadingVectorsOptions&);  \
  template void multiply_small(const EXEC&, const FacMatrix<SCALAR, EXEC>&, const HostMatrix&,    \
                               const FacMatrix<double, EXEC>&);

GENTEN_ETI_HOSTS(GENTEN_INSTANTIATE_LEADING, )
GENTEN_ETI_HOSTS(GENTEN_INSTANTIATE_LEFT, float)
GENTEN_ETI_HOSTS(GENTEN_INSTANTIATE_LEFT, double)

}  // namespace genten
