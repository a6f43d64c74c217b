// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inner loops of the sorted kernel on the host: over the nonzeros of a chunk, multiply
/// gathered rows, sum into output rows. Compiled for each instruction set.

#include <genten/base/detail/extract_bits.hpp>
#include <genten/base/detail/simd.hpp>
#include <genten/base/padded_stride.hpp>
#include <genten/mttkrp/kernels/sorted/sorted_loops.hpp>

#include <bit>
#include <utility>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// Most lines of a row that one loop takes, and of one whose runs are summed in registers: beside
/// the sums there must be room for a product and a few constants. Rows that end in a part of a line
/// are not cut.
inline constexpr int lines_at_once = vector_bytes >= 32 ? most_lines : most_lines / 2;
inline constexpr int lines_of_runs =
    std::max(static_cast<int>(most_lines_before_part) + 1,
             std::min(lines_at_once, 3 * vector_registers / (4 * vectors_per_line)));
static_assert(lines_of_runs <= lines_at_once);
/// Most lines of a loop that goes about it so or so.
[[nodiscard]] constexpr int most_lines_of(bool runs) {
  return runs ? lines_of_runs : lines_at_once;
}
/// Whether there are loops over such rows: whole ones, or parts of rows that are cut, each of which
/// has at least half of the lines that a loop can take.
template <class Row, bool WholeRows, bool Runs>
inline constexpr bool has_loops = Row::lines <= most_lines_of(Runs) &&
                                  (WholeRows ||
                                   (Row::has_whole_lines && Row::elements == Row::tail_at &&
                                    2 * Row::lines >= most_lines_of(Runs)));

/// Where the values of a loop's records are. Telling at run time costs the fastest loops up to 5 %.
enum class RecordForm {
  coded,  ///< in the dictionary: records are one word
  plain,  ///< in the second of two words
  any     ///< as the layout says
};

/// Where a number lies in the records of a loop for `Count` gathered factors. If that is known when
/// compiled, one word holds all subscripts, and the value's code where values are coded: then the
/// mask says all, so that a number costs one register and, where the processor has the instruction,
/// one instruction. Otherwise, for 0, records are as any RecordLayout says.
template <int Count>
class FieldReader {
 public:
  FieldReader() = default;
  /// The number times 2^zeros, by so many bits below it, which are zero.
  explicit FieldReader(const RecordField& field, int zeros = 0)
      : m_mask(field.mask == 0 ? 0 : (((field.mask + 1) << zeros) - 1) << (field.shift - zeros)) {}
  [[gnu::always_inline]] std::uint64_t get(const std::uint64_t* record) const {
    return extract_bits(*record, m_mask);
  }

 private:
  std::uint64_t m_mask = 0;
};
template <>
class FieldReader<0> : public RecordField {
 public:
  FieldReader() = default;
  explicit FieldReader(const RecordField& field, int = 0) : RecordField(field) {}
};

/// The rows of a matrix that a field of the records picks, from one column on.
template <int Count, class Scalar>
struct PickedRows {
  std::uintptr_t base;  ///< address of the column in row 0, which the matrix need not have
  FieldReader<Count> field;

  /// The row, for rows that are `stride` bytes apart.
  [[gnu::always_inline]] Scalar* of(const std::uint64_t* record, std::size_t stride) const {
    return reinterpret_cast<Scalar*>(base + field.get(record) * stride);
  }
};

/// Nonzeros that rows are fetched ahead: from memory, from the shared cache into L1,
/// which is small, and from the L2 cache.
inline constexpr int memory_distance = 16;
inline constexpr int non_temporal_distance = 32;
inline constexpr int l2_distance = 8;
/// Nonzeros that a chunk loop looks ahead.
template <RowFetch Fetch>
inline constexpr int farthest =
    Fetch == RowFetch::non_temporal ? non_temporal_distance : memory_distance;

/// Calls body(k) for each k from `first` to `count`, which is `Count` where that is not 0: then
/// without a loop, since what is indexed by k stays in registers only so.
template <int Count, class Body>
[[gnu::always_inline]] inline void for_factors(int first, int count, const Body& body) {
  if constexpr (Count != 0) {
#pragma GCC unroll 4
    for (int k = first; k < Count; ++k) body(k);
  } else {
    for (int k = first; k < count; ++k) body(k);
  }
}

/// Zero bits below subscripts that spare a loop over whole rows their multiplication: then the
/// number of a row and these bits are the place of its first element.
template <class Row>
inline constexpr int scale_bits = std::countr_zero(static_cast<unsigned>(Row::elements));
/// Whether there are loops that make use of them.
template <class Row, int Count, RecordForm Form>
inline constexpr bool may_scale = Row::has_whole_lines&& Count != 0 && Form != RecordForm::any &&
                                  (Row::elements & (Row::elements - 1)) == 0;

/// What a chunk loop keeps in registers: copies that no store can alias, and addresses computed as
/// far as they are the same for all nonzeros.
template <class Row, int Count, RecordForm Form, bool WholeRows, class Scalar, bool Scaled = false>
struct LoopState {
  static constexpr int most_factors = Count != 0 ? Count : max_order;
  static constexpr int zeros = Scaled ? scale_bits<Row> : 0;

  FieldReader<Count> code;
  const Scalar* dictionary;
  PickedRows<Count, Scalar> output;
  PickedRows<Count, const Scalar> factors[most_factors];
  int count;               ///< of gathered factors
  std::size_t any_stride;  ///< of rows of which the loop takes a part
  int any_words;           ///< of a record of any form
  bool any_coded;          ///< whether the values of records of any form are

  LoopState(const ContractionInput<Scalar>& in, std::size_t column, const ChunkOutput<Scalar>& out)
      : code(in.layout.code),
        dictionary(in.dictionary),
        output{reinterpret_cast<std::uintptr_t>(out.data + column) -
                   out.first_row * in.stride * sizeof(Scalar),
               FieldReader<Count>(in.row, zeros)},
        count(Count != 0 ? Count : in.count),
        any_stride(in.stride * sizeof(Scalar)),
        any_words(in.layout.words),
        any_coded(in.layout.coded) {
    for_factors<Count>(
        0, count, [&](int k) __attribute__((always_inline)) {
          factors[k] = {reinterpret_cast<std::uintptr_t>(in.factors[k].data + column),
                        FieldReader<Count>(in.factors[k].field, zeros)};
        });
  }

  /// Bytes from one row to the next, of all matrices.
  [[gnu::always_inline]] std::size_t stride() const {
    return WholeRows ? Row::elements * sizeof(Scalar) : any_stride;
  }
  /// Bytes by which the number of a row is multiplied, as the loop takes it from a record.
  [[gnu::always_inline]] std::size_t step() const { return Scaled ? sizeof(Scalar) : stride(); }
  /// Words of a record.
  [[gnu::always_inline]] int words() const {
    return Form == RecordForm::any ? any_words : Form == RecordForm::plain ? 2 : 1;
  }

  [[gnu::always_inline]] Scalar value(const std::uint64_t* record) const {
    if (Form == RecordForm::coded || (Form == RecordForm::any && any_coded)) {
      return dictionary[code.get(record)];
    }
    return value_of_word<Scalar>(record[Count != 0 ? 1 : words() - 1]);
  }

  /// Asks for rows of nonzeros up to `farthest<Fetch>` after this one.
  template <RowFetch Fetch>
  [[gnu::always_inline]] void fetch_ahead(const std::uint64_t* record) const {
    const PickedRows<Count, const Scalar>& last = factors[count - 1];
    if constexpr (Fetch == RowFetch::last) {
      Row::fetch(last.of(record + memory_distance * words(), step()));
    } else {
      Row::fetch_non_temporal(last.of(record + non_temporal_distance * words(), step()));
      const std::uint64_t* const next = record + l2_distance * words();
      for_factors<Count>(
          1, count, [&](int k) __attribute__((always_inline)) {
            Row::fetch(factors[k - 1].of(next, step()));
          });
      Row::fetch(output.of(next, step()));
    }
  }

  /// Calls body(part, column) for each part of the elementwise product of the gathered rows, of
  /// which `Together` are computed before the first of them is handed to it.
  template <int Together, class Body>
  [[gnu::always_inline]] void for_products(const std::uint64_t* record, const Body& body) const {
    const int gathered = Count != 0 ? Count : count;
    // Addresses, if it is known when compiled how many there are, stay in registers; a list of
    // any number would be written to memory for each nonzero, and reading it would wait.
    const Scalar* rows[Count != 0 ? Count : 1];
    for_factors<Count>(
        0, Count, [&](int k) __attribute__((always_inline)) {
          rows[k] = factors[k].of(record, step());
        });
    const auto row_of = [&](int k) __attribute__((always_inline)) {
      return Count != 0 ? rows[k] : factors[k].of(record, step());
    };
    Row::template for_groups<Together>([&]<int Size>(auto part,
                                                     int column) __attribute__((always_inline)) {
      using Part = decltype(part);
      Part products[Size];
      const bool none = Count == 0 && gathered == 0;  // of order 1
      const Scalar* const first_row = none ? nullptr : row_of(0);
#pragma GCC unroll 16
      for (int u = 0; u < Size; ++u) {
        products[u] =
            none ? Part::broadcast(Scalar(1)) : Part::load(first_row + column + u * Part::lanes);
      }
      for_factors<Count>(
          1, gathered, [&](int k) __attribute__((always_inline)) {
            const Scalar* const row = row_of(k);
#pragma GCC unroll 16
            for (int u = 0; u < Size; ++u) {
              products[u] *= Part::load(row + column + u * Part::lanes);
            }
          });
#pragma GCC unroll 16
      for (int u = 0; u < Size; ++u) body(products[u], column + u * Part::lanes);
    });
  }

  /// Elementwise product of the gathered rows of a nonzero.
  [[gnu::always_inline]] Row product(const std::uint64_t* record) const {
    if (Count == 0 && count == 0) return Row::broadcast(Scalar(1));  // of order 1
    auto row = Row::load(factors[0].of(record, step()));
    const int gathered = Count != 0 ? Count : count;
    for_factors<Count>(
        1, gathered, [&](int k) __attribute__((always_inline)) {
          row.multiply_by(factors[k].of(record, step()));
        });
    return row;
  }
};

template <class Row, int Count, RecordForm Form, LoopVariant Way, class Scalar, bool Scaled>
void chunk_loop(const ContractionInput<Scalar>& input, offset_t begin, offset_t end,
                std::size_t column, const ChunkOutput<Scalar>& output) {
  if (begin == end) return;
  const LoopState<Row, Count, Form, Way.whole_rows, Scalar, Scaled> loop(input, column, output);
  const std::uint64_t* record = input.records + begin * loop.words();
  const std::uint64_t* const stop = input.records + end * loop.words();
  Scalar* row = loop.output.of(record, loop.step());
  auto sum = Row::zero();
  const auto take = [&]() __attribute__((always_inline)) {
    Scalar* const next = loop.output.of(record, loop.step());
    const Scalar value = loop.value(record);
    if constexpr (!Way.runs) {
      // Loads behind a store would wait for its address.
      loop.template for_products<vector_registers / 2>(
          record, [&](auto product, int first) __attribute__((always_inline)) {
            auto total = decltype(product)::load(next + first);
            total += value * product;
            total.store(next + first);
          });
    } else {
      if (next != row) {
        sum.add_to(row);
        sum = Row::zero();
        row = next;
      }
      // The sums take most of the registers.
      loop.template for_products<vector_registers / 8>(
          record, [&](auto product, int first)
                      __attribute__((always_inline)) { sum.add_at(first, value * product); });
    }
  };
  const auto take_fetching = [&]<RowFetch Fetch>() __attribute__((always_inline)) {
    const auto distance = farthest<Fetch> * loop.words();
    for (; stop - record > distance; record += loop.words()) {
      loop.template fetch_ahead<Fetch>(record);
      take();
    }
  };
  if constexpr (Row::has_whole_lines) {
    // Where rows come in runs, there is time to wait for them; rows that are cut are few.
    constexpr bool non_temporal = Way.whole_rows && !Way.runs;
    if (non_temporal && input.fetch == RowFetch::non_temporal) {
      if constexpr (non_temporal) take_fetching.template operator()<RowFetch::non_temporal>();
    } else if (input.fetch != RowFetch::none) {
      take_fetching.template operator()<RowFetch::last>();
    }
  }
  for (; record != stop; record += loop.words()) take();
  if constexpr (Way.runs) sum.add_to(row);
}

template <class Scalar, class Row, int Count, RecordForm Form, LoopVariant Way>
[[nodiscard]] ChunkLoop<Scalar> choose_loop_scaled(int zeros) {
  if constexpr (may_scale<Row, Count, Form>) {
    if (zeros >= scale_bits<Row>) return chunk_loop<Row, Count, Form, Way, Scalar, true>;
  }
  return chunk_loop<Row, Count, Form, Way, Scalar, false>;
}

/// Rows that are cut are wide, and telling forms apart costs them little.
template <class Scalar, class Row, int Count, LoopVariant Way>
[[nodiscard]] ChunkLoop<Scalar> choose_loop_form(const RecordLayout& layout) {
  if constexpr (Count == 0 || !Way.whole_rows) {
    return choose_loop_scaled<Scalar, Row, Count, RecordForm::any, Way>(layout.zeros);
  } else {
    return layout.coded
               ? choose_loop_scaled<Scalar, Row, Count, RecordForm::coded, Way>(layout.zeros)
               : choose_loop_scaled<Scalar, Row, Count, RecordForm::plain, Way>(layout.zeros);
  }
}

template <class Scalar, class Row, LoopVariant Way>
[[nodiscard]] ChunkLoop<Scalar> choose_loop_sized(int factors, const RecordLayout& layout) {
  if (layout.key_words == 1 && factors == 1) {
    return choose_loop_form<Scalar, Row, 1, Way>(layout);
  }
  if (layout.key_words == 1 && factors == 2) {
    return choose_loop_form<Scalar, Row, 2, Way>(layout);
  }
  if (layout.key_words == 1 && factors == 3) {
    return choose_loop_form<Scalar, Row, 3, Way>(layout);
  }
  if (layout.key_words == 1 && factors == 4) {
    return choose_loop_form<Scalar, Row, 4, Way>(layout);
  }
  return choose_loop_form<Scalar, Row, 0, Way>(layout);
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

  template <int Width, int Vectors, int Tail = 0>
  void offer() {
    if (block.width != Width || block.vectors != Vectors || block.tail != Tail) return;
    using Row = SimdRow<Scalar, Width, Vectors, Tail>;
    offer_variant<Row, true, true>();
    offer_variant<Row, true, false>();
    offer_variant<Row, false, true>();
    offer_variant<Row, false, false>();
  }

 private:
  template <class Row, bool WholeRows, bool Runs>
  void offer_variant() {
    if constexpr (has_loops<Row, WholeRows, Runs>) {
      if (way.whole_rows != WholeRows || way.runs != Runs) return;
      loop = choose_loop_sized<Scalar, Row, LoopVariant{WholeRows, Runs}>(factors, layout);
    }
  }
};

template <class Scalar>
ChunkLoop<Scalar> choose_chunk_loop(const ColumnBlock& block, int factors,
                                    const RecordLayout& layout, LoopVariant way) {
  constexpr int full = line_width<Scalar>;
  LoopChoice<Scalar> choice{block, factors, layout, way};
  [&]<int... Log>(std::integer_sequence<int, Log...>) {  // one vector of 1, 2, 4, ... elements
    (choice.template offer<(1 << Log), 1>(), ...);
  }
  (std::make_integer_sequence<int, std::countr_zero(unsigned{full})>{});
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    (choice.template offer<full, Less + 1>(), ...);
  }
  (std::make_integer_sequence<int, lines_at_once>{});
  [&]<int... Less>(std::integer_sequence<int, Less...>) {
    (choice.template offer<full, Less + 1, full / 4>(), ...);
    (choice.template offer<full, Less + 1, full / 2>(), ...);
  }
  (std::make_integer_sequence<int, most_lines_before_part>{});
  return choice.loop;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
