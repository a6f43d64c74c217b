// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/detail/walk.hpp>

#include <utility>

namespace genten::detail {

template <class Scalar, int Width, int Packs>
[[nodiscard]] Walk<Scalar> choose_walk_sized(int tables, int words, bool runs) {
  if (words == 1 && tables == 2) {
    return runs ? walk_runs<Width, Packs, 2, Scalar> : walk_adding<Width, Packs, 2, Scalar>;
  }
  if (words == 1 && tables == 3) {
    return runs ? walk_runs<Width, Packs, 3, Scalar> : walk_adding<Width, Packs, 3, Scalar>;
  }
  return runs ? walk_runs<Width, Packs, 0, Scalar> : walk_adding<Width, Packs, 0, Scalar>;
}

template <class Scalar>
Walk<Scalar> choose_walk(const ColumnBlock& block, int tables, int words, bool runs) {
  constexpr int full = full_width<Scalar>;
  Walk<Scalar> walk = nullptr;
  // Short rows: one pack of 1, 2, 4, ... elements.
  [&]<int... Log>(std::integer_sequence<int, Log...>) {
    ((block.width == (1 << Log) && (1 << Log) < full
          ? void(walk = choose_walk_sized<Scalar, (1 << Log), 1>(tables, words, runs))
          : void()),
     ...);
  }
  (std::make_integer_sequence<int, 4>{});
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    ((block.width == full && block.packs == Less + 1
          ? void(walk = choose_walk_sized<Scalar, full, Less + 1>(tables, words, runs))
          : void()),
     ...);
  }
  (std::make_integer_sequence<int, most_packs>{});
  return walk;
}

}  // namespace genten::detail

/// The walks of a scalar type, of which there are many, are compiled once for all backends.
#define GENTEN_ETI_WALK(PREFIX, SCALAR)                                             \
  PREFIX template genten::detail::Walk<SCALAR> genten::detail::choose_walk<SCALAR>( \
      const genten::detail::ColumnBlock&, int, int, bool);

#ifdef GENTEN_ETI
GENTEN_ETI_WALK(extern, float)
GENTEN_ETI_WALK(extern, double)
#endif
