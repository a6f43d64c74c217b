// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/bits.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/mode_order.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/mttkrp/semi_sparse.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace genten::detail {

/// Subscripts of a nonzero as a key, the first of `order` least significant.
template <class Subscripts>
struct TupleKeys {
  Subscripts subscripts;
  std::vector<std::size_t> dimensions;
  Kokkos::Array<int, max_order> order{};

  [[nodiscard]] int words() const { return static_cast<int>(dimensions.size()); }
  [[nodiscard]] int bits(int word) const {
    return bits_for(dimensions[static_cast<std::size_t>(order[word])]);
  }
  KOKKOS_FUNCTION typename Subscripts::non_const_value_type operator()(offset_t p, int word) const {
    return subscripts(p, order[word]);
  }
};

/// One column of subscripts as keys.
template <class Subscripts>
struct FirstKeys {
  Subscripts subscripts;
  int width;

  [[nodiscard]] static int words() { return 1; }
  [[nodiscard]] int bits(int) const { return width; }
  KOKKOS_FUNCTION std::uint32_t operator()(offset_t p, int) const { return subscripts(p, 0); }
};

/// Where runs begin, and the number of elements; starts(p) says whether one begins at p.
template <ExecutionSpace Exec, class Starts>
[[nodiscard]] Kokkos::View<offset_t*, typename Exec::memory_space> run_begins(
    const Exec& exec, offset_t count, const Starts& starts) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  offset_t found = 0;
  Kokkos::parallel_reduce(
      "genten::count_runs", Policy(exec, 0, count),
      [=](const offset_t p, offset_t& sum) { sum += starts(p) ? 1 : 0; }, found);
  const auto begins = uninitialized_view<Kokkos::View<offset_t*, typename Exec::memory_space>>(
      "genten::run_begins", static_cast<std::size_t>(found) + 1);
  Kokkos::parallel_scan("genten::run_begins", Policy(exec, 0, count),
                        [=](const offset_t p, offset_t& before, const bool last) {
                          if (!starts(p)) return;
                          if (last) begins(before) = p;
                          ++before;
                        });
  fence(exec, "genten::run_begins");
  begins(found) = count;
  return begins;
}

/// The sum of products of two blocks' elements.
template <class Scalar>
[[nodiscard]] double block_product(const Scalar* a, const Scalar* b, std::size_t count) {
  double sum = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    sum += static_cast<double>(a[k]) * static_cast<double>(b[k]);
  }
  return sum;
}

/// X_(n) X_(n)^T times vectors, up to eight at a time, in two passes over the blocks: in the order
/// of the columns, whose sums are kept, and in that of the rows.
template <RealScalar Scalar, ExecutionSpace Exec>
struct SemiSparseProduct {
  using Offsets = Kokkos::View<offset_t*, typename Exec::memory_space>;
  using Vectors = Kokkos::View<double*, typename Exec::memory_space>;

  Exec exec;
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, typename Exec::memory_space> subscripts;
  Kokkos::View<Scalar*, typename Exec::memory_space> values;
  Offsets groups;
  std::size_t length;
  Offsets positions;  ///< blocks in the order of their rows
  Offsets group_of;   ///< by block, in that order
  Offsets rows;       ///< where rows begin among them
  int width;          ///< vectors at a time: 1, 2, 4, 8
  Vectors vectors;    ///< as many of each row
  Vectors sums;       ///< as many of each element of each group

  /// As many as leave the sums, of which a row is then a line of the cache, in the memory that
  /// nonzeros and their positions take, or in 64 MiB.
  [[nodiscard]] static int width_for(std::size_t groups, std::size_t length, std::size_t blocks) {
    const double most = sums_memory(static_cast<double>(blocks));
    int width = 8;
    while (width > 1 && 8.0 * width * static_cast<double>(groups * length) > most) width /= 2;
    return width;
  }
  [[nodiscard]] static double sums_memory(double blocks) {
    return std::max(36.0 * blocks, 67108864.0);
  }

  void operator()(const FacMatrix<double, Exec>& from, const FacMatrix<double, Exec>& to) const {
    for (std::size_t i = 0; i < to.rows(); ++i) std::fill_n(to.row(i), to.columns(), 0.0);
    if (width == 8) return multiply<8>(from, to);
    if (width == 4) return multiply<4>(from, to);
    width == 2 ? multiply<2>(from, to) : multiply<1>(from, to);
  }

 private:
  template <int Width>
  void multiply(const FacMatrix<double, Exec>& from, const FacMatrix<double, Exec>& to) const {
    for (std::size_t first = 0; first < from.columns(); first += Width) {
      const std::size_t count = std::min<std::size_t>(Width, from.columns() - first);
      for_each_index("genten::take_columns", exec, from.rows(), [&](const std::size_t i) {
        double* const row = &vectors(i * Width);
        std::fill(std::copy_n(from.row(i) + first, count, row), row + Width, 0.0);
      });
      sum_columns<Width>();
      sum_rows<Width>(to, first, count);
    }
  }

  template <int Width>
  void sum_columns() const {
    for_each_index("genten::sum_columns", exec, groups.extent(0) - 1, [&](const std::size_t g) {
      double* const to = &sums(g * length * Width);
      std::fill_n(to, length * Width, 0.0);
      for (offset_t p = groups(g); p < groups(g + 1); ++p) {
        const double* const row = &vectors(std::size_t{subscripts(p, 0)} * Width);
        const Scalar* const block = &values(static_cast<std::size_t>(p) * length);
        for (std::size_t k = 0; k < length; ++k) {
          const auto value = static_cast<double>(block[k]);
          for (int j = 0; j < Width; ++j) to[k * Width + j] += value * row[j];
        }
      }
    });
  }

  template <int Width>
  void sum_rows(const FacMatrix<double, Exec>& to, std::size_t first, std::size_t count) const {
    for_each_index("genten::sum_rows", exec, rows.extent(0) - 1, [&](const std::size_t r) {
      double sum[Width] = {};
      for (offset_t q = rows(r); q < rows(r + 1); ++q) {
        const double* const from = &sums(static_cast<std::size_t>(group_of(q)) * length * Width);
        const Scalar* const block = &values(static_cast<std::size_t>(positions(q)) * length);
        for (std::size_t k = 0; k < length; ++k) {
          const auto value = static_cast<double>(block[k]);
          for (int j = 0; j < Width; ++j) sum[j] += value * from[k * Width + j];
        }
      }
      std::copy_n(sum, std::min<std::size_t>(count, Width),
                  to.row(subscripts(positions(rows(r)), 0)) + first);
    });
  }
};

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
template <SubscriptOrdinal Ordinal>
SemiSparse<Scalar, Exec>::SemiSparse(const Exec& exec,
                                     const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                     const std::vector<int>& order)
    : m_lengths(tensor.dimensions()), m_sparse(order) {
  detail::check_mode_order(order, tensor.dimensions().size());
  for (std::size_t n = 0; n < m_lengths.size(); ++n) {
    if (m_lengths[n] <= std::size_t{1} << 32) continue;
    throw Error::in("SemiSparse", "expected modes of at most 2^32 rows, got " +
                                      std::to_string(m_lengths[n]) + " in mode " +
                                      error_text::number(n));
  }
  const auto distinct = sum_duplicates(exec, tensor).tensor;
  using From = typename Sptensor<Scalar, Ordinal, Exec>::subscripts_view;
  detail::TupleKeys<From> keys{distinct.subscripts(), m_lengths};
  for (std::size_t k = 0; k < order.size(); ++k) keys.order[k] = order[k];
  const auto sorted =
      detail::sorted_positions<Ordinal, offset_t>(exec, distinct.nnz(), keys).values;
  const auto blocks = static_cast<std::size_t>(distinct.nnz());
  m_subscripts = detail::uninitialized_view<Subscripts>("genten::tuples", blocks, m_sparse.size());
  m_values = detail::uninitialized_view<Values>("genten::blocks", blocks);
  const auto to = m_subscripts;
  const auto to_values = m_values;
  const auto from = distinct.subscripts();
  const auto from_values = distinct.values();
  const auto count = static_cast<int>(order.size());
  Kokkos::parallel_for("genten::semi_sparse",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(
                           exec, 0, static_cast<offset_t>(blocks)),
                       [=](const offset_t p) {
                         const offset_t q = sorted(p);
                         to_values(p) = from_values(q);
                         for (int k = 0; k < count; ++k) {
                           to(p, k) = static_cast<std::uint32_t>(from(q, keys.order[k]));
                         }
                       });
  detail::fence(exec, "genten::semi_sparse");
  find_groups(exec);
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
double SemiSparse<Scalar, Exec>::memory(const std::vector<std::size_t>& dimensions, offset_t nnz,
                                        const std::vector<int>& order,
                                        const std::vector<std::size_t>& columns) {
  const auto count = static_cast<double>(nnz);
  const auto modes = static_cast<double>(order.size());
  const double tuple = 4.0 * modes + 8.0;  // and where a group begins
  double now = count * (tuple + sizeof(Scalar)), length = 1.0;
  double most = now + 32.0 * count;  // keys and positions, and as many to sort into
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::size_t multiplied = columns[static_cast<std::size_t>(order[k])];
    if (multiplied == 0) break;
    double possible = 1.0;
    for (std::size_t later = k + 1; later < order.size(); ++later) {
      possible *= static_cast<double>(dimensions[static_cast<std::size_t>(order[later])]);
    }
    length *= static_cast<double>(multiplied);
    const double next = std::min(count, possible) * (tuple + length * sizeof(Scalar));
    most = std::max(most, now + next);
    now = next;
  }
  return most;
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void SemiSparse<Scalar, Exec>::find_groups(const Exec& exec) {
  if (m_sparse.empty()) return;
  const auto subscripts = m_subscripts;
  const std::size_t modes = m_sparse.size();
  m_groups = detail::run_begins(exec, static_cast<offset_t>(blocks()), [=](const offset_t p) {
    bool starts = p == 0;
    for (std::size_t k = 1; !starts && k < modes; ++k) {
      starts = subscripts(p, k) != subscripts(p - 1, k);
    }
    return starts;
  });
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> SemiSparse<Scalar, Exec> SemiSparse<Scalar, Exec>::multiply(
    const Exec& exec, const Matrix& matrix)
const {
  if (m_sparse.empty()) throw Error::in("SemiSparse", "every mode has been multiplied");
  const std::size_t rows = m_lengths[static_cast<std::size_t>(m_sparse[0])];
  if (matrix.rows() != rows || matrix.columns() == 0) {
    throw Error::in("SemiSparse", "expected " + std::to_string(rows) +
                                      " rows and a column or more in the matrix for mode " +
                                      error_text::number(m_sparse[0]) + ", got " +
                                      std::to_string(matrix.rows()) + " x " +
                                      std::to_string(matrix.columns()));
  }
  SemiSparse result;
  result.m_lengths = m_lengths;
  result.m_lengths[static_cast<std::size_t>(m_sparse[0])] = matrix.columns();
  result.m_sparse.assign(m_sparse.begin() + 1, m_sparse.end());
  result.m_dense = m_dense;
  result.m_dense.push_back(m_sparse[0]);
  const std::size_t length = m_length, columns = matrix.columns();
  result.m_length = length * columns;
  const std::size_t groups = m_groups.extent(0) - 1;
  result.m_subscripts =
      detail::uninitialized_view<Subscripts>("genten::tuples", groups, result.m_sparse.size());
  result.m_values = detail::uninitialized_view<Values>("genten::blocks", groups * result.m_length);
  detail::for_each_index("genten::semi_sparse_multiply", exec, groups, [&](const std::size_t g) {
    Scalar* const to = &result.m_values(g * result.m_length);
    std::fill_n(to, result.m_length, Scalar(0));
    for (offset_t p = m_groups(g); p < m_groups(g + 1); ++p) {
      const Scalar* const row = matrix.row(m_subscripts(p, 0));
      const Scalar* const block = &m_values(static_cast<std::size_t>(p) * length);
      for (std::size_t r = 0; r < columns; ++r) {
        for (std::size_t k = 0; k < length; ++k) to[r * length + k] += row[r] * block[k];
      }
    }
    for (std::size_t k = 0; k < result.m_sparse.size(); ++k) {
      result.m_subscripts(g, k) = m_subscripts(m_groups(g), k + 1);
    }
  });
  result.find_groups(exec);
  return result;
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> HostMatrix SemiSparse<Scalar, Exec>::gram(const Exec& exec)
const {
  const std::size_t size = m_lengths[static_cast<std::size_t>(m_sparse[0])];
  const detail::EvenChunks chunks(
      m_groups.extent(0) - 1, 1024,
      std::clamp<std::size_t>((std::size_t{1} << 22) / (size * size + 1), 1, 64));
  std::vector<HostMatrix> partial;
  for (std::size_t c = 0; c < chunks.count(); ++c) {
    partial.push_back(detail::new_view<HostMatrix>("genten::gram", size, size));
  }
  const auto add_group = [&](const HostMatrix& sums, std::size_t g) {
    const offset_t first = m_groups(g), last = m_groups(g + 1);
    // Rows ascend within a group: a lower triangle.
    for (offset_t p = first; p < last; ++p) {
      for (offset_t q = first; q <= p; ++q) {
        sums(m_subscripts(p, 0), m_subscripts(q, 0)) +=
            detail::block_product(&m_values(static_cast<std::size_t>(p) * m_length),
                                  &m_values(static_cast<std::size_t>(q) * m_length), m_length);
      }
    }
  };
  detail::for_each_index("genten::gram", exec, chunks.count(), [&](const std::size_t c) {
    for (std::size_t g = chunks.begin(c); g < chunks.end(c); ++g) add_group(partial[c], g);
  });
  for (std::size_t c = 1; c < partial.size(); ++c) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) partial[0](i, j) += partial[c](i, j);
    }
  }
  return partial[0];
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> SymmetricProduct<Exec> SemiSparse<Scalar, Exec>::product(
    const Exec& exec)
const {
  const auto count = static_cast<offset_t>(blocks());
  const int bits = detail::bits_for(m_lengths[static_cast<std::size_t>(m_sparse[0])]);
  const auto sorted = detail::sorted_positions<std::uint32_t, offset_t>(
      exec, count, detail::FirstKeys<Subscripts>{m_subscripts, bits});
  const auto keys = sorted.keys;
  const auto rows = detail::run_begins(
      exec, count, [=](const offset_t p) { return p == 0 || keys(p) != keys(p - 1); });
  const auto by_block = detail::uninitialized_view<Offsets>("genten::group_of", blocks());
  const std::size_t groups = m_groups.extent(0) - 1;
  detail::for_each_index("genten::group_of", exec, groups, [&](const std::size_t g) {
    for (offset_t p = m_groups(g); p < m_groups(g + 1); ++p) {
      by_block(p) = static_cast<offset_t>(g);
    }
  });
  const auto group_of = detail::uninitialized_view<Offsets>("genten::group_of", blocks());
  const auto positions = sorted.values;
  Kokkos::parallel_for("genten::group_of",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
                       [=](const offset_t q) { group_of(q) = by_block(positions(q)); });
  detail::fence(exec, "genten::group_of");
  using Product = detail::SemiSparseProduct<Scalar, Exec>;
  const int width = Product::width_for(groups, m_length, blocks());
  const auto vectors_of = [width](const char* label, std::size_t each) {
    return detail::uninitialized_view<typename Product::Vectors>(
        label, each * static_cast<std::size_t>(width));
  };
  const std::size_t size = m_lengths[static_cast<std::size_t>(m_sparse[0])];
  return Product{exec,
                 m_subscripts,
                 m_values,
                 m_groups,
                 m_length,
                 positions,
                 group_of,
                 rows,
                 width,
                 vectors_of("genten::vectors", size),
                 vectors_of("genten::column_sums", groups * m_length)};
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec> LeadingVectors<Exec> SemiSparse<Scalar, Exec>::leading_vectors(
    const Exec& exec, std::size_t count, const LeadingVectorsOptions& options)
const {
  if (m_sparse.empty()) throw Error::in("SemiSparse", "every mode has been multiplied");
  const std::size_t size = m_lengths[static_cast<std::size_t>(m_sparse[0])];
  if (count > size) {
    throw Error::in("SemiSparse",
                    "expected at most " + std::to_string(size) + " vectors (the rows of mode " +
                        error_text::number(m_sparse[0]) + "), got " + std::to_string(count));
  }
  if (size <= options.most_direct) return genten::leading_vectors(exec, gram(exec), count);
  return genten::leading_vectors<Exec>(exec, size, count, product(exec), options);
}

template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
typename SemiSparse<Scalar, Exec>::Values SemiSparse<Scalar, Exec>::dense(const Exec& exec) const {
  std::vector<std::size_t> steps;
  std::size_t elements = 1;
  for (const std::size_t length : m_lengths) {
    steps.push_back(elements);
    elements *= length;
  }
  const auto result = detail::zeroed_view<Values>(exec, "genten::dense", elements);
  detail::for_each_index("genten::dense", exec, blocks(), [&](const std::size_t p) {
    std::size_t first = 0;
    for (std::size_t k = 0; k < m_sparse.size(); ++k) {
      first += m_subscripts(p, k) * steps[static_cast<std::size_t>(m_sparse[k])];
    }
    for (std::size_t k = 0; k < m_length; ++k) {
      std::size_t at = first, rest = k;
      for (const int n : m_dense) {
        const auto mode = static_cast<std::size_t>(n);
        at += rest % m_lengths[mode] * steps[mode];
        rest /= m_lengths[mode];
      }
      result(at) = m_values(p * m_length + k);
    }
  });
  return result;
}

}  // namespace genten

/// The tensor's ordinals matter to the constructor alone.
#define GENTEN_ETI_SEMI_SPARSE(PREFIX, SCALAR, EXEC)                                               \
  PREFIX template class genten::SemiSparse<SCALAR, EXEC>;                                          \
  PREFIX template genten::SemiSparse<SCALAR, EXEC>::SemiSparse(                                    \
      const EXEC&, const genten::Sptensor<SCALAR, std::uint32_t, EXEC>&, const std::vector<int>&); \
  PREFIX template genten::SemiSparse<SCALAR, EXEC>::SemiSparse(                                    \
      const EXEC&, const genten::Sptensor<SCALAR, std::uint64_t, EXEC>&, const std::vector<int>&);
