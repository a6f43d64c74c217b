// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/core/fac_matrix.hpp>
#include <genten/mttkrp/kernels/sorted/chunk_loop.hpp>

#include <bit>
#include <utility>

namespace genten::detail {

template <class Scalar, class Row, int Count, RecordForm Form, bool WholeRows>
[[nodiscard]] ChunkLoop<Scalar> choose_loop_variant(LoopVariant way) {
  if constexpr (Row::has_full_packs && Form != RecordForm::any) {
    // Where rows come in runs, there is time to wait for them; rows that are cut are few.
    if constexpr (WholeRows) {
      if (way.fetch == RowFetch::non_temporal && !way.runs) {
        return chunk_loop<Row, Count, Form, LoopVariant{true, false, RowFetch::non_temporal},
                          Scalar>;
      }
    }
    if (way.fetch != RowFetch::none) {
      return way.runs ? chunk_loop<Row, Count, Form, LoopVariant{WholeRows, true, RowFetch::last},
                                   Scalar>
                      : chunk_loop<Row, Count, Form, LoopVariant{WholeRows, false, RowFetch::last},
                                   Scalar>;
    }
  }
  return way.runs ? chunk_loop<Row, Count, Form, LoopVariant{WholeRows, true}, Scalar>
                  : chunk_loop<Row, Count, Form, LoopVariant{WholeRows, false}, Scalar>;
}

template <class Scalar, class Row, int Count, bool WholeRows>
[[nodiscard]] ChunkLoop<Scalar> choose_loop_form(bool coded, LoopVariant way) {
  return coded ? choose_loop_variant<Scalar, Row, Count, RecordForm::coded, WholeRows>(way)
               : choose_loop_variant<Scalar, Row, Count, RecordForm::plain, WholeRows>(way);
}

template <class Scalar, class Row, bool WholeRows>
[[nodiscard]] ChunkLoop<Scalar> choose_loop_sized(int factors, const RecordLayout& layout,
                                                  LoopVariant way) {
  if (layout.key_words == 1 && factors == 1) {
    return choose_loop_form<Scalar, Row, 1, WholeRows>(layout.coded, way);
  }
  if (layout.key_words == 1 && factors == 2) {
    return choose_loop_form<Scalar, Row, 2, WholeRows>(layout.coded, way);
  }
  if (layout.key_words == 1 && factors == 3) {
    return choose_loop_form<Scalar, Row, 3, WholeRows>(layout.coded, way);
  }
  return choose_loop_variant<Scalar, Row, 0, RecordForm::any, WholeRows>(way);
}

/// Finds the loop of a column block among those that are compiled: for all that `padded_stride`
/// makes of rows, and for what `column_blocks` cuts them to.
template <class Scalar>
struct LoopChoice {
  const ColumnBlock& block;
  int factors;
  const RecordLayout& layout;
  LoopVariant way;
  ChunkLoop<Scalar> loop = nullptr;

  template <int Width, int Packs, int Tail = 0>
  void offer() {
    if (block.width != Width || block.packs != Packs || block.tail != Tail) return;
    using Row = PackRow<Scalar, Width, Packs, Tail>;
    if (way.whole_rows) {
      loop = choose_loop_sized<Scalar, Row, true>(factors, layout, way);
    } else if constexpr (Packs >= least_cut_packs) {
      loop = choose_loop_sized<Scalar, Row, false>(factors, layout, way);
    }
  }
};

template <class Scalar>
ChunkLoop<Scalar> choose_chunk_loop(const ColumnBlock& block, int factors,
                                    const RecordLayout& layout, LoopVariant way) {
  constexpr int full = full_width<Scalar>;
  LoopChoice<Scalar> choice{block, factors, layout, way};
  [&]<int... Log>(std::integer_sequence<int, Log...>) {  // one pack of 1, 2, 4, ... elements
    (choice.template offer<(1 << Log), 1>(), ...);
  }
  (std::make_integer_sequence<int, std::countr_zero(unsigned{full})>{});
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    (choice.template offer<full, Less + 1>(), ...);
  }
  (std::make_integer_sequence<int, most_packs>{});
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    (choice.template offer<full, Less + 1, full / 4>(), ...);
    (choice.template offer<full, Less + 1, full / 2>(), ...);
  }
  (std::make_integer_sequence<int, most_lines_before_part>{});
  return choice.loop;
}

}  // namespace genten::detail

/// The loops of a scalar type, of which there are many, are compiled once for all backends.
#define GENTEN_ETI_CHUNK_LOOP(PREFIX, SCALAR)                                                  \
  PREFIX template genten::detail::ChunkLoop<SCALAR> genten::detail::choose_chunk_loop<SCALAR>( \
      const genten::detail::ColumnBlock&, int, const genten::RecordLayout&,                    \
      genten::detail::LoopVariant);

#ifdef GENTEN_ETI
GENTEN_ETI_CHUNK_LOOP(extern, float)
GENTEN_ETI_CHUNK_LOOP(extern, double)
#endif
