// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors without their empty slices.

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/core/sptensor.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace genten {

/// A tensor whose slices all have nonzeros, and where they were before.
template <RealScalar Scalar, SubscriptOrdinal To, SubscriptOrdinal From>
struct CompactTensor {
  Sptensor<Scalar, To, HostExec> tensor;
  /// For each mode, in increasing order, the subscripts of the slices that were kept: slice i of
  /// the compact tensor was slice `rows[mode][i]`.
  std::vector<std::vector<From>> rows;
};

namespace detail {

/// The distinct subscripts of a mode, in increasing order: by marks where the mode is not much
/// longer than there are nonzeros, else by sorting, which takes no memory for empty slices.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<Ordinal> used_rows(const Sptensor<Scalar, Ordinal, HostExec>& tensor, int mode) {
  const auto count = static_cast<std::size_t>(tensor.nnz());
  const auto subscripts = tensor.subscripts();
  std::vector<Ordinal> rows;
  if (tensor.dimension(mode) / 8 <= count) {
    std::vector<bool> used(tensor.dimension(mode), false);
    for (std::size_t p = 0; p < count; ++p) used[subscripts(p, mode)] = true;
    for (std::size_t row = 0; row < used.size(); ++row) {
      if (used[row]) rows.push_back(static_cast<Ordinal>(row));
    }
    return rows;
  }
  rows.resize(count);
  for (std::size_t p = 0; p < count; ++p) rows[p] = subscripts(p, mode);
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace detail

/// The same nonzeros, in the same order, without the slices that have none. Subscripts keep their
/// order in each mode and the tensor its facts; the values are shared with the argument. Works on
/// the host, in memory and time that depend on the nonzeros alone, so that modes may be as long as
/// subscripts that are hashes make them. Throws Error when a mode keeps more slices than ordinals
/// `To` can say.
template <SubscriptOrdinal To = std::uint32_t, RealScalar Scalar, SubscriptOrdinal From>
[[nodiscard]] CompactTensor<Scalar, To, From> drop_empty_slices(
    const HostExec& host, const Sptensor<Scalar, From, HostExec>& tensor) {
  CompactTensor<Scalar, To, From> result;
  std::vector<std::size_t> dimensions;
  const auto old_subscripts = tensor.subscripts();
  const auto subscripts =
      detail::new_view<Kokkos::View<To**, Kokkos::LayoutRight, Kokkos::HostSpace>>(
          Kokkos::view_alloc("genten::subscripts", Kokkos::WithoutInitializing),
          static_cast<std::size_t>(tensor.nnz()), static_cast<std::size_t>(tensor.order()));
  for (int n = 0; n < tensor.order(); ++n) {
    result.rows.push_back(detail::with_memory_errors("drop_empty_slices",
                                                     [&] { return detail::used_rows(tensor, n); }));
    const From* const begin = result.rows.back().data();
    const From* const end = begin + result.rows.back().size();
    dimensions.push_back(result.rows.back().size());
    Kokkos::parallel_for(
        "genten::drop_empty_slices",
        Kokkos::RangePolicy<HostExec, Kokkos::IndexType<offset_t>>(host, 0, tensor.nnz()),
        [=](const offset_t p) {
          const From* const row = std::lower_bound(begin, end, old_subscripts(p, n));
          subscripts(p, n) = static_cast<To>(row - begin);
        });
  }
  detail::fence(host, "genten::drop_empty_slices");
  // Rows keep their order, so what was known of the nonzeros still holds.
  result.tensor = Sptensor<Scalar, To, HostExec>::trusted(host, std::move(dimensions), subscripts,
                                                          tensor.values(), tensor.facts());
  return result;
}

}  // namespace genten

#define GENTEN_ETI_COMPACT(PREFIX, SCALAR, FROM)                                         \
  PREFIX template genten::CompactTensor<SCALAR, std::uint32_t, FROM>                     \
  genten::drop_empty_slices<std::uint32_t, SCALAR, FROM>(                                \
      const genten::HostExec&, const genten::Sptensor<SCALAR, FROM, genten::HostExec>&); \
  PREFIX template genten::CompactTensor<SCALAR, std::uint64_t, FROM>                     \
  genten::drop_empty_slices<std::uint64_t, SCALAR, FROM>(                                \
      const genten::HostExec&, const genten::Sptensor<SCALAR, FROM, genten::HostExec>&);

#ifdef GENTEN_ETI
GENTEN_ETI_COMPACT(extern, float, std::uint32_t)
GENTEN_ETI_COMPACT(extern, float, std::uint64_t)
GENTEN_ETI_COMPACT(extern, double, std::uint32_t)
GENTEN_ETI_COMPACT(extern, double, std::uint64_t)
#endif
