// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FusedGroup: what a group of fused modes needs besides the contraction of its sorted copy.

#include <genten/mttkrp/kernels/sorted/contraction.hpp>
#include <genten/mttkrp/problem.hpp>

namespace genten::detail {

/// The tuples of a fused group as the nonzeros of a small tensor, all of value 1, whose first mode
/// picks a row of the group's sums and whose other modes are the group's. `shape` lists its
/// lengths.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] PackedTensor<Scalar, Exec> tuple_tensor(const Exec& exec,
                                                      const FusedTuples<Exec>& tuples,
                                                      const std::vector<std::size_t>& shape) {
  PackedTensor<Scalar, Exec> list;
  list.dimensions = shape;
  list.layout = *RecordLayout::for_dimensions(shape, 0);
  // All values are the one entry of the dictionary.
  list.dictionary = uninitialized_view<decltype(list.dictionary)>("genten::tuple_value", 1);
  Kokkos::deep_copy(exec, list.dictionary, Scalar(1));
  const RecordLayout layout = list.layout;
  const auto count = static_cast<offset_t>(tuples.size());
  list.records =
      uninitialized_view<decltype(list.records)>("genten::tuple_records", count * layout.words);
  const auto records = list.records;
  const auto subscripts = tuples.subscripts;
  Kokkos::parallel_for(
      "genten::tuple_tensor",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count),
      KOKKOS_LAMBDA(const offset_t t) {
        std::uint64_t words[2] = {0, 0};
        words[layout.fields[0].word] |= layout.fields[0].put(static_cast<std::uint64_t>(t));
        for (int k = 1; k < layout.order; ++k) {
          words[layout.fields[k].word] |= layout.fields[k].put(subscripts(t, k - 1));
        }
        for (int w = 0; w < layout.words; ++w) records(t * layout.words + w) = words[w];
      });
  return list;
}

/// Row t of `products` = elementwise product of the factor rows of tuple t, whose subscripts are
/// those of the first `count` entries of `modes`.
template <RealScalar Scalar, ExecutionSpace Exec>
void multiply_rows(const Exec& exec, const FactorSet<Scalar>& factors,
                   const FusedTuples<Exec>& tuples, const Kokkos::Array<int, max_order>& modes,
                   int count, const FacMatrix<Scalar, Exec>& products) {
  const auto subscripts = tuples.subscripts;
  const auto count_of_tuples = static_cast<offset_t>(tuples.size());
  const auto stride = static_cast<offset_t>(products.stride());
  if constexpr (is_host_space<Exec>) {
    auto* const multiply = sorted_loops<Scalar>().multiply;
    Kokkos::parallel_for(
        "genten::group_products",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count_of_tuples),
        [=](const offset_t t) {
          const Scalar* rows[max_order];
          for (int k = 0; k < count; ++k) {
            rows[k] = factors.data[modes[k]] + subscripts(t, k) * factors.stride[modes[k]];
          }
          multiply(rows, count, static_cast<std::size_t>(stride),
                   products.row(static_cast<std::size_t>(t)));
        });
  } else {
    Kokkos::parallel_for(
        "genten::group_products",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, count_of_tuples * stride),
        KOKKOS_LAMBDA(const offset_t index) {
          const offset_t t = index / stride;
          const auto j = static_cast<std::size_t>(index % stride);
          Scalar product(1);
          for (int k = 0; k < count; ++k) {
            product *= factors.data[modes[k]][subscripts(t, k) * factors.stride[modes[k]] + j];
          }
          products.row(static_cast<std::size_t>(t))[j] = product;
        });
  }
}

/// A fused mode: the products of its factor rows, by tuple, which other modes gather, and its own
/// MTTKRP, the sums by tuple, from which that of each of its modes is made.
template <RealScalar Scalar, ExecutionSpace Exec>
class FusedGroup {
 public:
  /// `problem` is that of the whole tensor; `order_of(k, lengths)` gives the order of the tuples as
  /// a tensor of those lengths for the rows of its mode k, and how long chunks of them are.
  template <class OrderOf>
  FusedGroup(const Exec& exec, const ModeGroup& group, const FusedTuples<Exec>& tuples,
             const MttkrpProblem& problem, const MachineProperties& machine,
             const kernels::SortedTuning& tuning, SortWorkspace<Exec>& workspace,
             const OrderOf& order_of)
      : m_modes(group.modes),
        m_tuples(tuples),
        m_products(exec, tuples.size(), problem.row_stride(), "genten::group_products"),
        m_sums(exec, tuples.size(), problem.row_stride(), "genten::group_sums") {
    std::vector<std::size_t> shape{std::max<std::size_t>(tuples.size(), 1)};
    for (const int mode : m_modes) {
      shape.push_back(problem.dimensions[static_cast<std::size_t>(mode)]);
    }
    const auto list = tuple_tensor<Scalar>(exec, tuples, shape);
    // Tuples that were sorted lie in an order that keeps rows in L2.
    if (group.sorted) workspace.results.push_back({{}, list.records, list.records});
    for (int member = 1; member <= static_cast<int>(m_modes.size()); ++member) {
      std::vector<int> gathered{0};
      for (int other = 1; other <= static_cast<int>(m_modes.size()); ++other) {
        if (other != member) gathered.push_back(other);
      }
      const auto [order, chunk] = order_of(member, shape);
      const int mode = m_modes[static_cast<std::size_t>(member - 1)];
      m_contractions.emplace_back(
          exec, make_sorted_copy(exec, list, order, chunk, SortInput::keep, workspace), gathered,
          problem.row_stride(), machine, tuning, problem.early_row(mode));
    }
  }

  /// The rows that follow are `stride` elements apart: where they were not, nothing is kept.
  void reserve(const Exec& exec, std::size_t stride) {
    if (stride == m_sums.stride()) return;
    const std::size_t tuples = m_sums.rows();
    m_products = m_sums = {};
    m_products = FacMatrix<Scalar, Exec>(exec, tuples, stride, "genten::group_products");
    m_sums = FacMatrix<Scalar, Exec>(exec, tuples, stride, "genten::group_sums");
    m_product_versions = m_sum_versions = {};
    m_multiplied = m_summed = false;
  }

  /// Products of the factor rows by tuple, computed again if one of the group's factors may have
  /// changed.
  const Scalar* products(const Exec& exec, const FactorSet<Scalar>& factors) {
    const bool outdated = changed(factors, m_product_versions, true) || !m_multiplied;
    m_multiplied = true;
    if (outdated) {
      Kokkos::Array<int, max_order> modes{};
      for (std::size_t k = 0; k < m_modes.size(); ++k) modes[k] = m_modes[k];
      multiply_rows(exec, factors, m_tuples, modes, static_cast<int>(m_modes.size()), m_products);
    }
    return m_products.data();
  }

  /// Where the fused mode's MTTKRP goes, or null if it is there already: no factor outside the
  /// group has changed.
  [[nodiscard]] Scalar* outdated_sums(const FactorSet<Scalar>& factors) {
    // Without a mode outside the group no version tells that there are no sums yet.
    const bool outdated = changed(factors, m_sum_versions, false) || !m_summed;
    m_summed = true;
    return outdated ? m_sums.data() : nullptr;
  }

  /// Where the sums of a traversal go. They are no MTTKRP's: the next one computes them again.
  [[nodiscard]] Scalar* sums_of_traversal() {
    forget_sums();
    return m_sums.data();
  }

  /// The nonzeros have other values: their sums are to be computed again.
  void forget_sums() { m_summed = false; }

  /// Writes the MTTKRP of `mode`, one of the group's, made from the sums.
  void contract(const Exec& exec, const FactorSet<Scalar>& factors, int mode, Scalar* output,
                const std::function<void()>& early = {}) {
    std::vector<const Scalar*> gathered{m_sums.data()};
    for (const int other : m_modes) {
      if (other != mode) gathered.push_back(factors.data[other]);
    }
    const auto member = std::find(m_modes.begin(), m_modes.end(), mode) - m_modes.begin();
    m_contractions[static_cast<std::size_t>(member)].run(exec, gathered, m_sums.stride(), output,
                                                         early);
  }

 private:
  /// True, and the versions noted, if a factor inside (or outside) the group has changed.
  bool changed(const FactorSet<Scalar>& factors, FactorVersions& seen, bool inside) const {
    bool result = false;
    for (int m = 0; m < factors.order; ++m) {
      const bool member = std::find(m_modes.begin(), m_modes.end(), m) != m_modes.end();
      if (member != inside) continue;
      if (factors.version[m] == 0 || factors.version[m] != seen[m]) result = true;
      seen[m] = factors.version[m];
    }
    return result;
  }

  std::vector<int> m_modes;
  FusedTuples<Exec> m_tuples;
  FacMatrix<Scalar, Exec> m_products;  ///< tuples x R: products of the group's factor rows
  FacMatrix<Scalar, Exec> m_sums;      ///< tuples x R: the fused mode's MTTKRP
  FactorVersions m_product_versions{};
  FactorVersions m_sum_versions{};
  bool m_multiplied = false;                              ///< whether the products were computed
  bool m_summed = false;                                  ///< whether the sums were
  std::vector<Contraction<Scalar, Exec>> m_contractions;  ///< sums -> MTTKRP of each mode
};

}  // namespace genten::detail
