// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowPermutation: the nonzeros in the order of one mode's subscripts, as positions.

#include <genten/base/detail/bits.hpp>
#include <genten/base/detail/sorting_permutation.hpp>
#include <genten/core/sptensor.hpp>

namespace genten {

namespace detail {

/// The subscripts of one mode as keys.
template <class Subscripts>
struct ModeKeys {
  Subscripts subscripts;
  int mode;
  int width;

  [[nodiscard]] static int words() { return 1; }
  [[nodiscard]] int bits(int) const { return width; }
  KOKKOS_FUNCTION typename Subscripts::non_const_value_type operator()(offset_t p, int) const {
    return subscripts(p, mode);
  }
};

}  // namespace detail

/// Positions of the nonzeros of `tensor`, stably sorted by the subscript of `mode`, where the
/// tensor lies.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Kokkos::View<offset_t*, typename Exec::memory_space> row_permutation(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, int mode) {
  using Subscripts = typename Sptensor<Scalar, Ordinal, Exec>::subscripts_view;
  const detail::ModeKeys<Subscripts> keys{tensor.subscripts(), mode,
                                          detail::bits_for(tensor.dimension(mode))};
  return detail::sorted_positions<Ordinal, offset_t>(exec, tensor.nnz(), keys).values;
}

}  // namespace genten
