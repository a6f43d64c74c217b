// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which entries of a tensor another one lists.

#include <genten/base/detail/allocation.hpp>
#include <genten/core/detail/subscript_groups.hpp>
#include <genten/core/sptensor.hpp>

namespace genten {

namespace detail {

/// Writes for nonzero p of a tensor whether the groups have one of its subscripts.
template <class Groups, class Subscripts, class Flags>
struct FlagListed {
  Groups groups;
  Subscripts subscripts;
  Flags flags;

  KOKKOS_FUNCTION void operator()(const offset_t p) const {
    offset_t low = 0, high = groups.size();  // the first place that is not before nonzero p
    while (low < high) {
      const offset_t middle = low + (high - low) / 2;
      if (compare(middle, p) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    flags(p) = low < groups.size() && compare(low, p) == 0 ? 1 : 0;
  }

 private:
  /// Below 0, 0, or above 0: place i beside nonzero p in lexicographic order.
  KOKKOS_FUNCTION int compare(offset_t i, offset_t p) const {
    for (int n = 0; n < groups.order(); ++n) {
      const auto listed = groups.subscript(i, n), own = subscripts(p, n);
      if (listed != own) return listed < own ? -1 : 1;
    }
    return 0;
  }
};

}  // namespace detail

/// One number a nonzero of `tensor`, in its order: 1 where `list`, of the same dimensions, has one
/// of the same subscripts, else 0. The list's subscripts are sorted unless they are known to be
/// (group_subscripts says what that takes), and each nonzero is looked up in it: no copy is made.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Kokkos::View<unsigned char*, typename Exec::memory_space> listed_entries(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& list) {
  using Flags = Kokkos::View<unsigned char*, typename Exec::memory_space>;
  const auto groups = detail::group_subscripts<Ordinal>(exec, list.dimensions(), list.subscripts(),
                                                        list.facts().sorted);
  const auto flags = detail::new_view<Flags>(
      Kokkos::view_alloc(exec, "genten::listed_entries", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(tensor.nnz()));
  using Flag = detail::FlagListed<std::remove_cvref_t<decltype(groups)>,
                                  typename Sptensor<Scalar, Ordinal, Exec>::subscripts_view, Flags>;
  Kokkos::parallel_for(
      "genten::listed_entries",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, tensor.nnz()),
      Flag{groups, tensor.subscripts(), flags});
  detail::fence(exec, "genten::listed_entries");
  return flags;
}

}  // namespace genten
