// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How many of the listed entries of a tensor lie in each row of each mode.

#include <genten/base/detail/allocation.hpp>
#include <genten/core/sptensor.hpp>

#include <utility>
#include <vector>

namespace genten::detail {

/// One number a row. In double, since there may be more entries than integers count.
template <ExecutionSpace Exec>
using EntriesByRow = Kokkos::View<double*, typename Exec::memory_space>;

/// Counts every listed entry.
struct EveryEntry {
  KOKKOS_FUNCTION bool operator()(offset_t /*entry*/) const { return true; }
};

/// Counts those that are not 0.
template <class Values>
struct NonzerosAlone {
  Values values;
  KOKKOS_FUNCTION bool operator()(offset_t entry) const {
    return values(entry) != typename Values::non_const_value_type(0);
  }
};
template <class Values>
NonzerosAlone(Values) -> NonzerosAlone<Values>;

/// By mode and row, the listed entries for which `counts(entry)`, in one pass.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Counts>
[[nodiscard]] std::vector<EntriesByRow<Exec>> listed_by_row(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const Counts& counts) {
  const int order = tensor.order();
  Kokkos::Array<std::size_t, max_order> first{};
  std::size_t rows = 0;
  for (int n = 0; n < order; ++n) {
    first[n] = rows;
    rows += tensor.dimension(n);
  }
  const auto found = new_view<EntriesByRow<Exec>>("genten::entries_by_row", rows);
  const auto subscripts = tensor.subscripts();
  Kokkos::parallel_for(
      "genten::entries_by_row",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      KOKKOS_LAMBDA(const offset_t p) {
        if (!counts(p)) return;
        for (int n = 0; n < order; ++n) {
          Kokkos::atomic_add(&found(first[n] + subscripts(p, n)), 1.0);
        }
      });
  fence(exec, "genten::entries_by_row");
  std::vector<EntriesByRow<Exec>> by_mode;
  for (int n = 0; n < order; ++n) {
    by_mode.push_back(Kokkos::subview(found, std::pair(first[n], first[n] + tensor.dimension(n))));
  }
  return by_mode;
}

}  // namespace genten::detail
