// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowPermutation: the nonzeros in the order of one mode's subscripts, as positions.

#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/sptensor.hpp>

namespace genten {

/// Positions of the nonzeros of `tensor`, stably sorted by the subscript of `mode`. Sorted on the
/// host, then copied to where the tensor lies.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Kokkos::View<offset_t*, typename Exec::memory_space> row_permutation(
    const Exec&, const Sptensor<Scalar, Ordinal, Exec>& tensor, int mode) {
  const auto subscripts =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tensor.subscripts());
  const HostExec host;
  const auto keys = detail::uninitialized_array<Ordinal>("genten::permutation_keys",
                                                         static_cast<std::size_t>(tensor.nnz()));
  Kokkos::parallel_for(
      "genten::permutation_keys",
      Kokkos::RangePolicy<HostExec, Kokkos::IndexType<offset_t>>(host, 0, tensor.nnz()),
      [=](const offset_t p) { keys(static_cast<std::size_t>(p)) = subscripts(p, mode); });
  host.fence();
  const auto positions = detail::sorting_permutation<std::uint64_t>(host, keys);
  Kokkos::View<offset_t*, Kokkos::HostSpace> signed_positions(
      Kokkos::view_alloc("genten::permutation", Kokkos::WithoutInitializing), positions.extent(0));
  Kokkos::parallel_for(
      "genten::permutation",
      Kokkos::RangePolicy<HostExec, Kokkos::IndexType<offset_t>>(host, 0, tensor.nnz()),
      [=](const offset_t p) { signed_positions(p) = static_cast<offset_t>(positions(p)); });
  host.fence();
  return Kokkos::create_mirror_view_and_copy(typename Exec::memory_space(), signed_positions);
}

}  // namespace genten
