// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inner loops of a walk with a functor on the host: as those of a contraction, but what is
/// multiplied with the gathered rows is phi(x, m), m the model's value at the nonzero.

#include <genten/mttkrp/functor.hpp>
#include <genten/mttkrp/kernels/sorted/chunk_loop.hpp>

#include <bit>
#include <utility>

namespace genten::detail {

/// A walk over one range, with rows in whole: m is known only when all columns have been seen.
template <class Row, int Count, RecordForm Form, LoopVariant Way, class Scalar, class Phi>
void walk_loop(const ContractionInput<Scalar>& input, const Phi& phi, offset_t begin, offset_t end,
               const ChunkOutput<Scalar>& output) {
  static_assert(Way.whole_rows);
  if (begin == end) return;
  const LoopState<Row, Count, Form, true, Scalar> loop(input, 0, output);
  const PickedRows<Form, const Scalar> own_rows{reinterpret_cast<std::uintptr_t>(input.own),
                                                FieldReader<Form>(input.row)};
  const std::uint64_t* record = input.records + begin * loop.words();
  const std::uint64_t* const stop = input.records + end * loop.words();
  Scalar* row = loop.output.of(record, loop.stride());
  auto sum = Row::zero();
  auto own = Row::load(own_rows.of(record, loop.stride()));
  const auto take = [&]() __attribute__((always_inline)) {
    Scalar* const next = loop.output.of(record, loop.stride());
    const Row product = loop.product(record);
    if constexpr (!Way.runs) {
      const Scalar model = product.dot(Row::load(own_rows.of(record, loop.stride())));
      auto total = Row::load(next);
      total.add_scaled(phi(loop.value(record), model), product);
      total.store(next);
    } else {
      if (next != row) {
        sum.add_to(row);
        sum = Row::zero();
        row = next;
        own = Row::load(own_rows.of(record, loop.stride()));
      }
      sum.add_scaled(phi(loop.value(record), product.dot(own)), product);
    }
  };
  if constexpr (Way.fetch != RowFetch::none) {
    const auto distance = farthest<Way.fetch> * loop.words();
    for (; stop - record > distance; record += loop.words()) {
      loop.template fetch_ahead<Way.fetch>(record);
      take();
    }
  }
  for (; record != stop; record += loop.words()) take();
  if constexpr (Way.runs) sum.add_to(row);
}

/// Nonzeros whose model values a walk over wide rows finds before it sums: few enough for their
/// rows to be near when they are read again.
inline constexpr int wide_walk_batch = 8;

/// A batch of a walk over wide rows, in one block of their columns.
template <class Row, int Count, RecordForm Form, class Scalar>
class WideBlock {
 public:
  WideBlock(const ContractionInput<Scalar>& input, std::size_t column,
            const ChunkOutput<Scalar>& output)
      : m_loop(input, column, output),
        m_own{reinterpret_cast<std::uintptr_t>(input.own + column), FieldReader<Form>(input.row)} {}

  /// Adds what these columns contribute to the model's values at `count` nonzeros.
  [[gnu::always_inline]] void add_to_model(const std::uint64_t* record, int count,
                                           Scalar* model) const {
    for (int k = 0; k < count; ++k, record += m_loop.words()) {
      model[k] += m_loop.product(record).dot(Row::load(m_own.of(record, m_loop.stride())));
    }
  }
  /// Adds the products of the gathered rows, each times its weight, to the output.
  [[gnu::always_inline]] void add_scaled(const std::uint64_t* record, int count,
                                         const Scalar* weights) const {
    for (int k = 0; k < count; ++k, record += m_loop.words()) {
      Scalar* const row = m_loop.output.of(record, m_loop.stride());
      auto total = Row::load(row);
      total.add_scaled(weights[k], m_loop.product(record));
      total.store(row);
    }
  }
  [[gnu::always_inline]] Scalar value(const std::uint64_t* record) const {
    return m_loop.value(record);
  }
  [[nodiscard]] int words() const { return m_loop.words(); }

 private:
  LoopState<Row, Count, Form, false, Scalar> m_loop;
  PickedRows<Form, const Scalar> m_own;
};

/// The same as walk_loop for rows of more than most_packs packs, in blocks of `Packs` packs and of
/// one less.
template <int Packs, int Count, RecordForm Form, class Scalar, class Phi>
void walk_wide(const ContractionInput<Scalar>& input, const Phi& phi, offset_t begin, offset_t end,
               const ChunkOutput<Scalar>& output) {
  constexpr int full = full_width<Scalar>;
  using Wide = WideBlock<PackRow<Scalar, full, Packs>, Count, Form, Scalar>;
  using Narrow = WideBlock<PackRow<Scalar, full, Packs - 1>, Count, Form, Scalar>;
  const std::size_t packs = input.stride / full;
  const std::size_t blocks = (packs + Packs - 1) / Packs;
  const std::size_t narrow = blocks * Packs - packs;  // of the blocks, the first ones
  const auto for_blocks = [&](const auto& body) __attribute__((always_inline)) {
    std::size_t column = 0;
    for (std::size_t b = 0; b < narrow; ++b, column += (Packs - 1) * full) {
      body(Narrow(input, column, output));
    }
    for (; column < input.stride; column += Packs * full) body(Wide(input, column, output));
  };
  const Wide any(input, 0, output);
  for (offset_t first = begin; first < end; first += wide_walk_batch) {
    const auto count = static_cast<int>(std::min<offset_t>(wide_walk_batch, end - first));
    const std::uint64_t* const records = input.records + first * any.words();
    Scalar weights[wide_walk_batch] = {};
    for_blocks([&](const auto& block) { block.add_to_model(records, count, weights); });
    for (int k = 0; k < count; ++k) {
      weights[k] = phi(any.value(records + k * any.words()), weights[k]);
    }
    for_blocks([&](const auto& block) { block.add_scaled(records, count, weights); });
  }
}

/// A walk's loop with its compile-time sizes chosen.
template <class Scalar, class Phi>
using WalkLoop = void (*)(const ContractionInput<Scalar>&, const Phi&, offset_t begin, offset_t end,
                          const ChunkOutput<Scalar>&);

/// Finds the loop for rows of `stride` elements. There are fewer than of contractions, since all of
/// them are compiled for every functor.
template <class Scalar, class Phi>
class WalkChoice {
 public:
  WalkChoice(std::size_t stride, int factors, const RecordLayout& layout, LoopVariant way)
      : m_stride(stride), m_factors(factors), m_layout(layout), m_way(way) {
    constexpr int full = full_width<Scalar>;
    [&]<int... Log>(std::integer_sequence<int, Log...>) {  // one pack of 1, 2, 4, ... elements
      (offer<PackRow<Scalar, (1 << Log), 1>>(), ...);
    }
    (std::make_integer_sequence<int, std::countr_zero(unsigned{full})>{});
    [&]<int... Less>(std::integer_sequence<int, Less...>) {
      (offer<PackRow<Scalar, full, Less + 1>>(), ...);
    }
    (std::make_integer_sequence<int, most_packs>{});
    [&]<int... Less>(std::integer_sequence<int, Less...>) {
      (offer<PackRow<Scalar, full, Less + 1, full / 4>>(), ...);
      (offer<PackRow<Scalar, full, Less + 1, full / 2>>(), ...);
    }
    (std::make_integer_sequence<int, most_lines_before_part>{});
    if (m_loop == nullptr) offer_wide();
  }

  [[nodiscard]] WalkLoop<Scalar, Phi> loop() const { return m_loop; }

 private:
  template <class Row>
  void offer() {
    if (m_stride != static_cast<std::size_t>(Row::elements)) return;
    const bool one_word = m_layout.key_words == 1;
    if (one_word && m_factors == 2) {
      take_form<Row, 2>();
    } else if (one_word && m_factors == 3) {
      take_form<Row, 3>();
    } else {
      take<Row, 0, RecordForm::any, false>();
    }
  }
  template <class Row, int Count>
  void take_form() {
    const bool fetch = Row::has_full_packs && m_way.fetch != RowFetch::none;
    if (m_layout.coded) {
      fetch ? take<Row, Count, RecordForm::coded, true>()
            : take<Row, Count, RecordForm::coded, false>();
    } else {
      fetch ? take<Row, Count, RecordForm::plain, true>()
            : take<Row, Count, RecordForm::plain, false>();
    }
  }
  template <class Row, int Count, RecordForm Form, bool Fetch>
  void take() {
    constexpr RowFetch fetch = Fetch && Row::has_full_packs ? RowFetch::last : RowFetch::none;
    m_loop = m_way.runs ? walk_loop<Row, Count, Form, LoopVariant{true, true, fetch}, Scalar, Phi>
                        : walk_loop<Row, Count, Form, LoopVariant{true, false, fetch}, Scalar, Phi>;
  }
  /// Rows of more packs than one loop takes consist of whole ones: see padded_stride.
  void offer_wide() {
    const std::size_t packs = m_stride / static_cast<std::size_t>(full_width<Scalar>);
    const std::size_t blocks = (packs + most_packs - 1) / most_packs;
    const auto widest = static_cast<int>((packs + blocks - 1) / blocks);
    [&]<int... Less>(std::integer_sequence<int, Less...>) {
      ((widest == most_packs - Less ? take_wide<most_packs - Less>() : void()), ...);
    }
    (std::make_integer_sequence<int, most_packs - least_cut_packs>{});
  }
  template <int Packs>
  void take_wide() {
    if (m_layout.key_words != 1 || m_factors != 2) {
      m_loop = walk_wide<Packs, 0, RecordForm::any, Scalar, Phi>;
    } else {
      m_loop = m_layout.coded ? walk_wide<Packs, 2, RecordForm::coded, Scalar, Phi>
                              : walk_wide<Packs, 2, RecordForm::plain, Scalar, Phi>;
    }
  }

  std::size_t m_stride;
  int m_factors;
  const RecordLayout& m_layout;
  LoopVariant m_way;
  WalkLoop<Scalar, Phi> m_loop = nullptr;
};

}  // namespace genten::detail
