// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sorting the nonzeros of a tensor and merging those with equal subscripts.

#include <genten/core/detail/lexicographic_order.hpp>

#include <numeric>
#include <utility>
#include <vector>

namespace genten::detail {

/// Merges runs of equal subscripts among nonzeros visited in the order of a permutation.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, SortWord Position>
class DuplicateMerger {
 public:
  using Tensor = Sptensor<Scalar, Ordinal, Exec>;

  DuplicateMerger(const Exec& exec, const Tensor& tensor, HostArray<Position> permutation)
      : m_exec(exec),
        m_tensor(tensor),
        m_permutation(permutation),
        m_chunks(static_cast<std::size_t>(tensor.nnz())),
        m_first(m_chunks.count() + 1, 0) {
    count_heads();
  }

  /// Number of nonzeros with different subscripts.
  [[nodiscard]] std::size_t distinct() const { return m_first.back(); }

  /// The merged tensor. Values of duplicates are added in double, in the order they were stored.
  [[nodiscard]] Tensor merge() const {
    using Kokkos::view_alloc;
    using Kokkos::WithoutInitializing;
    using Space = typename Exec::memory_space;
    const Kokkos::View<Ordinal**, Kokkos::LayoutRight, Space> subscripts(
        view_alloc("genten::subscripts", WithoutInitializing), distinct(), order());
    const Kokkos::View<Scalar*, Space> values(view_alloc("genten::values", WithoutInitializing),
                                              distinct());
    for_each_index("genten::merge_duplicates", m_exec, m_chunks.count(),
                   [=, this](const std::size_t chunk) {
                     std::size_t to = m_first[chunk];
                     for (std::size_t i = m_chunks.begin(chunk); i < m_chunks.end(chunk); ++i) {
                       if (is_head(i)) merge_run(i, to++, subscripts, values);
                     }
                   });
    return Tensor(m_exec, m_tensor.dimensions(), subscripts, values);
  }

 private:
  [[nodiscard]] std::size_t order() const { return static_cast<std::size_t>(m_tensor.order()); }
  [[nodiscard]] std::size_t count() const { return m_permutation.extent(0); }

  /// Whether the i-th nonzero in sorted order differs from the one before it.
  [[nodiscard]] bool is_head(std::size_t i) const {
    if (i == 0) return true;
    const auto& subscripts = m_tensor.subscripts();
    const Position here = m_permutation(i), before = m_permutation(i - 1);
    for (std::size_t n = 0; n < order(); ++n) {
      if (subscripts(here, n) != subscripts(before, n)) return true;
    }
    return false;
  }

  void count_heads() {
    for_each_index("genten::count_distinct", m_exec, m_chunks.count(),
                   [&, this](const std::size_t chunk) {
                     std::size_t heads = 0;
                     for (std::size_t i = m_chunks.begin(chunk); i < m_chunks.end(chunk); ++i) {
                       heads += is_head(i) ? 1 : 0;
                     }
                     m_first[chunk + 1] = heads;
                   });
    std::partial_sum(m_first.begin(), m_first.end(), m_first.begin());
  }

  template <class Subscripts, class Values>
  void merge_run(std::size_t head, std::size_t to, const Subscripts& subscripts,
                 const Values& values) const {
    const Position source = m_permutation(head);
    for (std::size_t n = 0; n < order(); ++n) subscripts(to, n) = m_tensor.subscripts()(source, n);
    double sum = static_cast<double>(m_tensor.values()(source));
    for (std::size_t i = head + 1; i < count() && !is_head(i); ++i) {
      sum += static_cast<double>(m_tensor.values()(m_permutation(i)));
    }
    values(to) = static_cast<Scalar>(sum);
  }

  Exec m_exec;
  Tensor m_tensor;
  HostArray<Position> m_permutation;
  EvenChunks m_chunks;
  std::vector<std::size_t> m_first;  // of each chunk, the position of its first distinct nonzero
};

/// Whether every nonzero comes lexicographically after the one before it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] bool strictly_ascending(const Exec& exec,
                                      const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const auto subscripts = tensor.subscripts();
  const int order = tensor.order();
  offset_t exceptions = 0;
  Kokkos::parallel_reduce(
      "genten::strictly_ascending",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 1,
                                                             std::max<offset_t>(tensor.nnz(), 1)),
      KOKKOS_LAMBDA(const offset_t p, offset_t& sum) {
        // From the last mode to the first, without branches on what nobody can foresee.
        bool later = false;
        for (int n = order - 1; n >= 0; --n) {
          const Ordinal before = subscripts(p - 1, n), here = subscripts(p, n);
          later = (before < here) | ((before == here) & later);
        }
        sum += later ? 0 : 1;
      },
      exceptions);
  return exceptions == 0;
}

/// The tensor with sorted, distinct subscripts, and the number of nonzeros merged away.
template <SortWord Position, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::pair<Sptensor<Scalar, Ordinal, Exec>, offset_t> sum_duplicates_on_host(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor) {
  const KeyPacking packing(tensor.dimensions());
  const DuplicateMerger<Scalar, Ordinal, Exec, Position> merger(
      exec, tensor, lexicographic_permutation<Position>(exec, tensor, packing));
  const auto merged = tensor.nnz() - static_cast<offset_t>(merger.distinct());
  return {merger.merge(), merged};
}

}  // namespace genten::detail
