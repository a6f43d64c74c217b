// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/detail/walk.hpp>

#include <utility>

namespace genten::detail {

template <class Scalar, int Width, int Packs>
[[nodiscard]] Walk<Scalar> choose_walk_sized(int tables, const RecordLayout& layout, bool runs) {
  const auto choose = [runs]<int Count, RecordForm Form>() -> Walk<Scalar> {
    return runs ? walk_runs<Width, Packs, Count, Form, Scalar>
                : walk_adding<Width, Packs, Count, Form, Scalar>;
  };
  if (layout.key_words == 1 && tables == 2) {
    return layout.coded ? choose.template operator()<2, RecordForm::coded>()
                        : choose.template operator()<2, RecordForm::plain>();
  }
  if (layout.key_words == 1 && tables == 3) {
    return layout.coded ? choose.template operator()<3, RecordForm::coded>()
                        : choose.template operator()<3, RecordForm::plain>();
  }
  return choose.template operator()<0, RecordForm::any>();
}

template <class Scalar>
Walk<Scalar> choose_walk(const ColumnBlock& block, int tables, const RecordLayout& layout,
                         bool runs) {
  constexpr int full = full_width<Scalar>;
  Walk<Scalar> walk = nullptr;
  // Short rows: one pack of 1, 2, 4, ... elements.
  [&]<int... Log>(std::integer_sequence<int, Log...>) {
    ((block.width == (1 << Log) && (1 << Log) < full
          ? void(walk = choose_walk_sized<Scalar, (1 << Log), 1>(tables, layout, runs))
          : void()),
     ...);
  }
  (std::make_integer_sequence<int, 4>{});
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    ((block.width == full && block.packs == Less + 1
          ? void(walk = choose_walk_sized<Scalar, full, Less + 1>(tables, layout, runs))
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
      const genten::detail::ColumnBlock&, int, const genten::RecordLayout&, bool);

#ifdef GENTEN_ETI
GENTEN_ETI_WALK(extern, float)
GENTEN_ETI_WALK(extern, double)
#endif
