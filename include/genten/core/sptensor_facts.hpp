// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SptensorFacts: what is known of a sparse tensor.

#include <genten/base/detail/eti.hpp>
#include <genten/base/types.hpp>

#include <algorithm>

namespace genten {

/// What is known of the nonzeros of a Sptensor beyond that they are valid. What is false is not
/// known; what is true was established once and is carried from tensor to tensor, so that nobody
/// finds it out again.
struct SptensorFacts {
  bool distinct = false;  ///< no two nonzeros have the same subscripts
  bool sorted = false;    ///< subscripts never descend lexicographically, the first mode slowest
  bool operator==(const SptensorFacts&) const = default;
};

namespace detail {

/// Compares neighbouring rows of a subscripts View: sets bit 0 where a row comes before the one
/// before it, bit 1 where it is the same.
template <class Subscripts>
struct CompareNeighbours {
  Subscripts subscripts;
  int order;

  KOKKOS_FUNCTION void operator()(const offset_t p, unsigned& found) const {
    // From the last mode to the first, without branches on what nobody can foresee.
    bool descends = false, equal = true;
    for (int n = order - 1; n >= 0; --n) {
      const auto before = subscripts(p - 1, n), here = subscripts(p, n);
      descends = (here < before) | ((here == before) & descends);
      equal = equal & (here == before);
    }
    found |= (descends ? 1u : 0u) | (equal ? 2u : 0u);
  }
};

}  // namespace detail

/// The facts that one pass over the subscripts (nonzeros x modes) establishes: whether they are
/// sorted, and if they are, whether they are distinct.
template <ExecutionSpace Exec, class Subscripts>
[[nodiscard]] SptensorFacts look_at_order(const Exec& exec, const Subscripts& subscripts) {
  const auto nonzeros = static_cast<offset_t>(subscripts.extent(0));
  unsigned found = 0;
  Kokkos::parallel_reduce(
      "genten::look_at_order",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 1,
                                                             std::max<offset_t>(nonzeros, 1)),
      detail::CompareNeighbours<Subscripts>{subscripts, static_cast<int>(subscripts.extent(1))},
      Kokkos::BOr<unsigned>(found));
  const bool sorted = (found & 1u) == 0;
  return {sorted && found == 0, sorted};
}

}  // namespace genten

/// Of the subscripts of a Sptensor.
#define GENTEN_ETI_LOOK_AT_ORDER(PREFIX, ORDINAL, EXEC)        \
  PREFIX template genten::SptensorFacts genten::look_at_order( \
      const EXEC&, const Kokkos::View<const ORDINAL**, Kokkos::LayoutRight, EXEC::memory_space>&);

#ifdef GENTEN_ETI
GENTEN_ETI_ORDINALS(GENTEN_ETI_LOOK_AT_ORDER, extern)
#endif
