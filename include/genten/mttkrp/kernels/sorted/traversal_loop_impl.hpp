// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inner loops of a traversal with a functor on the host: as those of a contraction, but what
/// is multiplied with the gathered rows is phi(x, m), m the model's value at the nonzero. Compiled
/// for each instruction set, not for each functor.

#include <genten/mttkrp/kernels/sorted/chunk_loop_impl.hpp>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// Nonzeros whose model values a traversal finds before it calls the functor: few enough for their
/// rows and products to stay in the nearest cache.
inline constexpr int traverse_batch = 8;

/// A traversal over one range: of each batch first the products and the model's values, then the
/// sums.
template <class Row, int Count, bool Runs, class Scalar>
void traversal_loop(const ContractionInput<Scalar>& input, const NonzeroMap<Scalar>& phi,
                    offset_t begin, offset_t end, const ChunkOutput<Scalar>& output) {
  if (begin == end) return;
  const LoopState<Row, Count, RecordForm::any, true, Scalar> loop(input, 0, output);
  const PickedRows<Count, const Scalar> own_rows{reinterpret_cast<std::uintptr_t>(input.own),
                                                 FieldReader<Count>(input.row)};
  const std::uint64_t* record = input.records + begin * loop.words();
  Scalar* row = loop.output.of(record, loop.stride());
  auto sum = Row::zero();
  alignas(line_bytes) Scalar products[traverse_batch * Row::elements];
  Scalar values[traverse_batch], models[traverse_batch];
  const bool fetch = input.fetch != RowFetch::none;
  const auto multiply = [&](const std::uint64_t* at, int k) __attribute__((always_inline)) {
    const Row product = loop.product(at);
    product.store(products + k * Row::elements);
    values[k] = loop.value(at);
    models[k] = product.dot(Row::load(own_rows.of(at, loop.stride())));
  };
  const auto add = [&](const std::uint64_t* at, int k) __attribute__((always_inline)) {
    Scalar* const next = loop.output.of(at, loop.stride());
    const auto product = Row::load(products + k * Row::elements);
    if constexpr (!Runs) {
      auto total = Row::load(next);
      total.add_scaled(values[k], product);
      total.store(next);
    } else {
      if (next != row) {
        sum.add_to(row);
        sum = Row::zero();
        row = next;
      }
      sum.add_scaled(values[k], product);
    }
  };
  for (offset_t first = begin; first < end; first += traverse_batch) {
    const offset_t left = end - first;
    const int count = left < traverse_batch ? static_cast<int>(left) : traverse_batch;
    const std::uint64_t* at = record;
    if constexpr (Row::has_whole_lines) {
      if (fetch && left > memory_distance + traverse_batch) {
        for (int k = 0; k < count; ++k) {
          loop.template fetch_ahead<RowFetch::last>(record + k * loop.words());
        }
      }
    }
    for (int k = 0; k < count; ++k, at += loop.words()) multiply(at, k);
    phi(values, models, values, count);
    for (int k = 0; k < count; ++k, record += loop.words()) add(record, k);
  }
  if constexpr (Runs) sum.add_to(row);
}

/// A batch of a traversal over wide rows, in one block of their columns.
template <class Row, int Count, class Scalar>
class WideBlock {
 public:
  WideBlock(const ContractionInput<Scalar>& input, std::size_t column,
            const ChunkOutput<Scalar>& output)
      : m_loop(input, column, output),
        m_own{reinterpret_cast<std::uintptr_t>(input.own + column), FieldReader<Count>(input.row)} {
  }

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
  [[gnu::always_inline]] int words() const { return m_loop.words(); }

 private:
  LoopState<Row, Count, RecordForm::any, false, Scalar> m_loop;
  PickedRows<Count, const Scalar> m_own;
};

/// The same as traversal_loop for rows of more than `lines_at_once` lines, in blocks of `Lines`
/// lines and of one less; rows are read twice.
template <int Lines, int Count, class Scalar>
void traverse_wide(const ContractionInput<Scalar>& input, const NonzeroMap<Scalar>& phi,
                   offset_t begin, offset_t end, const ChunkOutput<Scalar>& output) {
  constexpr int width = line_width<Scalar>;
  using Wide = WideBlock<SimdRow<Scalar, width, Lines>, Count, Scalar>;
  using Narrow = WideBlock<SimdRow<Scalar, width, Lines - 1>, Count, Scalar>;
  const std::size_t lines = input.stride / width;
  const std::size_t blocks = (lines + Lines - 1) / Lines;
  const std::size_t narrow = blocks * Lines - lines;  // of the blocks, the first ones
  const auto for_blocks = [&](const auto& body) __attribute__((always_inline)) {
    std::size_t column = 0;
    for (std::size_t b = 0; b < narrow; ++b, column += (Lines - 1) * width) {
      body(Narrow(input, column, output));
    }
    for (; column < input.stride; column += Lines * width) body(Wide(input, column, output));
  };
  const Wide any(input, 0, output);
  for (offset_t first = begin; first < end; first += traverse_batch) {
    const auto count =
        static_cast<int>(end - first < traverse_batch ? end - first : traverse_batch);
    const std::uint64_t* const records = input.records + first * any.words();
    Scalar models[traverse_batch] = {}, weights[traverse_batch];
    for_blocks([&](const auto& block)
                   __attribute__((always_inline)) { block.add_to_model(records, count, models); });
    for (int k = 0; k < count; ++k) weights[k] = any.value(records + k * any.words());
    phi(weights, models, weights, count);
    for_blocks([&](const auto& block)
                   __attribute__((always_inline)) { block.add_scaled(records, count, weights); });
  }
}

/// Finds the loop of a traversal for rows of `stride` elements.
template <class Scalar>
class TraversalChoice {
 public:
  TraversalChoice(std::size_t stride, int factors, const RecordLayout& layout, bool runs)
      : m_stride(stride), m_one_word(layout.key_words == 1), m_factors(factors), m_runs(runs) {
    constexpr int line = line_width<Scalar>;
    [&]<int... Log>(std::integer_sequence<int, Log...>) {  // one vector of 1, 2, 4, ... elements
      (offer<SimdRow<Scalar, (1 << Log), 1>>(), ...);
    }
    (std::make_integer_sequence<int, std::countr_zero(unsigned{line})>{});
    [&]<int... Less>(std::integer_sequence<int, Less...>) {
      (offer<SimdRow<Scalar, line, Less + 1>>(), ...);
    }
    (std::make_integer_sequence<int, lines_at_once>{});
    [&]<int... Less>(std::integer_sequence<int, Less...>) {
      (offer<SimdRow<Scalar, line, Less + 1, line / 4>>(), ...);
      (offer<SimdRow<Scalar, line, Less + 1, line / 2>>(), ...);
    }
    (std::make_integer_sequence<int, most_lines_before_part>{});
    if (m_loop == nullptr) offer_wide();
  }

  [[nodiscard]] TraversalLoop<Scalar> loop() const { return m_loop; }

 private:
  template <class Row>
  void offer() {
    if (m_stride != static_cast<std::size_t>(Row::elements)) return;
    if (m_one_word && m_factors == 2) {
      take<Row, 2>();
    } else if (m_one_word && m_factors == 3) {
      take<Row, 3>();
    } else {
      take<Row, 0>();
    }
  }
  template <class Row, int Count>
  void take() {
    m_loop = m_runs ? traversal_loop<Row, Count, true, Scalar>
                    : traversal_loop<Row, Count, false, Scalar>;
  }
  /// Rows of more lines than one loop takes consist of whole ones: see padded_stride.
  void offer_wide() {
    const std::size_t lines = m_stride / static_cast<std::size_t>(line_width<Scalar>);
    const std::size_t blocks = (lines + lines_at_once - 1) / lines_at_once;
    const auto widest = static_cast<int>((lines + blocks - 1) / blocks);
    [&]<int... Less>(std::integer_sequence<int, Less...>) {
      ((widest == lines_at_once - Less ? take_wide<lines_at_once - Less>() : void()), ...);
    }
    (std::make_integer_sequence<int, lines_at_once - lines_at_once / 2>{});
  }
  template <int Lines>
  void take_wide() {
    m_loop = m_one_word && m_factors == 2 ? traverse_wide<Lines, 2, Scalar>
                                          : traverse_wide<Lines, 0, Scalar>;
  }

  std::size_t m_stride;
  bool m_one_word;
  int m_factors;
  bool m_runs;
  TraversalLoop<Scalar> m_loop = nullptr;
};

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
