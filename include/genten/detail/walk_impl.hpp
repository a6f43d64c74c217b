// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/detail/walk.hpp>

#include <utility>

namespace genten::detail {

template <class Scalar, int Width, int Packs, int Count, RecordForm Form>
[[nodiscard]] Walk<Scalar> choose_walk_way(WalkWay way) {
  if constexpr (Width == full_width<Scalar> && Form != RecordForm::any) {
    if (way.ahead) {
      return way.runs ? walk_chunk<Width, Packs, Count, Form, WalkWay{true, true}, Scalar>
                      : walk_chunk<Width, Packs, Count, Form, WalkWay{false, true}, Scalar>;
    }
  }
  return way.runs ? walk_chunk<Width, Packs, Count, Form, WalkWay{true, false}, Scalar>
                  : walk_chunk<Width, Packs, Count, Form, WalkWay{false, false}, Scalar>;
}

template <class Scalar, int Width, int Packs, int Count>
[[nodiscard]] Walk<Scalar> choose_walk_form(bool coded, WalkWay way) {
  return coded ? choose_walk_way<Scalar, Width, Packs, Count, RecordForm::coded>(way)
               : choose_walk_way<Scalar, Width, Packs, Count, RecordForm::plain>(way);
}

template <class Scalar, int Width, int Packs>
[[nodiscard]] Walk<Scalar> choose_walk_sized(int tables, const RecordLayout& layout, WalkWay way) {
  if (layout.key_words == 1 && tables == 1) {
    return choose_walk_form<Scalar, Width, Packs, 1>(layout.coded, way);
  }
  if (layout.key_words == 1 && tables == 2) {
    return choose_walk_form<Scalar, Width, Packs, 2>(layout.coded, way);
  }
  if (layout.key_words == 1 && tables == 3) {
    return choose_walk_form<Scalar, Width, Packs, 3>(layout.coded, way);
  }
  return choose_walk_way<Scalar, Width, Packs, 0, RecordForm::any>(way);
}

template <class Scalar>
Walk<Scalar> choose_walk(const ColumnBlock& block, int tables, const RecordLayout& layout,
                         WalkWay way) {
  constexpr int full = full_width<Scalar>;
  Walk<Scalar> walk = nullptr;
  // Short rows: one pack of 1, 2, 4, ... elements.
  [&]<int... Log>(std::integer_sequence<int, Log...>) {
    ((block.width == (1 << Log) && (1 << Log) < full
          ? void(walk = choose_walk_sized<Scalar, (1 << Log), 1>(tables, layout, way))
          : void()),
     ...);
  }
  (std::make_integer_sequence<int, 4>{});
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    ((block.width == full && block.packs == Less + 1
          ? void(walk = choose_walk_sized<Scalar, full, Less + 1>(tables, layout, way))
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
      const genten::detail::ColumnBlock&, int, const genten::RecordLayout&,         \
      genten::detail::WalkWay);

#ifdef GENTEN_ETI
GENTEN_ETI_WALK(extern, float)
GENTEN_ETI_WALK(extern, double)
#endif
