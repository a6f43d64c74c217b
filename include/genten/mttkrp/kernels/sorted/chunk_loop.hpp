// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inner loops of the sorted kernel on the host: over the nonzeros of a chunk, multiply
/// gathered rows, sum into output rows.

#include <genten/base/detail/extract_bits.hpp>
#include <genten/base/detail/pack.hpp>
#include <genten/format/sorted_copy.hpp>
#include <genten/mttkrp/kernels/sorted/contraction_input.hpp>

#include <array>

namespace genten::detail {

/// Output rows of a chunk loop: row i is at data + (i - first_row) * stride of the input.
template <class Scalar>
struct ChunkOutput {
  Scalar* data = nullptr;
  std::uint64_t first_row = 0;
};

/// What the records of a chunk loop look like, as far as it is known when compiled.
enum class RecordForm {
  coded,  ///< one word
  plain,  ///< one word of subscripts and one for the value
  any     ///< any RecordLayout
};

/// Where a number lies in the records of a chunk loop. In records of one word the mask says all, so
/// that a number costs one register and, where the processor has the instruction, one instruction.
template <RecordForm Form>
class FieldReader {
 public:
  FieldReader() = default;
  explicit FieldReader(const RecordField& field) : m_mask(field.mask << field.shift) {}
  [[gnu::always_inline]] std::uint64_t get(const std::uint64_t* record) const {
    return extract_bits(*record, m_mask);
  }

 private:
  std::uint64_t m_mask = 0;
};
template <>
class FieldReader<RecordForm::any> : public RecordField {
 public:
  FieldReader() = default;
  explicit FieldReader(const RecordField& field) : RecordField(field) {}
};

/// The rows of a matrix that a field of the records picks, from one column on.
template <RecordForm Form, class Scalar>
struct PickedRows {
  std::uintptr_t base;  ///< address of the column in row 0, which the matrix need not have
  FieldReader<Form> field;

  /// The row, for rows that are `stride` bytes apart.
  [[gnu::always_inline]] Scalar* of(const std::uint64_t* record, std::size_t stride) const {
    return reinterpret_cast<Scalar*>(base + field.get(record) * stride);
  }
};

/// Which rows a chunk loop asks for some nonzeros ahead.
enum class RowFetch {
  none,
  last,  ///< those of the last factor, which come from memory
  /// Those of the last factor past the near cache, since they come from the shared cache and have
  /// left the near one before they are used again; and those of the others, which lie there.
  non_temporal
};

/// Nonzeros that rows are fetched ahead: from memory, from the shared cache into the nearest one,
/// which is small, and from the near cache.
inline constexpr int memory_distance = 16;
inline constexpr int non_temporal_distance = 32;
inline constexpr int near_distance = 8;
/// Nonzeros that a chunk loop looks ahead.
template <RowFetch Fetch>
inline constexpr int farthest =
    Fetch == RowFetch::non_temporal ? non_temporal_distance : memory_distance;

/// What a chunk loop keeps in registers: copies that no store can alias, and addresses computed as
/// far as they are the same for all nonzeros.
template <class Row, int Count, RecordForm Form, bool WholeRows, class Scalar>
struct LoopState {
  static constexpr int most_factors = Count != 0 ? Count : max_order;

  FieldReader<Form> code;
  const Scalar* dictionary;
  PickedRows<Form, Scalar> output;
  PickedRows<Form, const Scalar> factors[most_factors];
  int count;               ///< of gathered factors
  std::size_t any_stride;  ///< of rows of which the loop takes a part
  int any_words;           ///< of a record of any form
  bool coded;              ///< whether values are

  LoopState(const ContractionInput<Scalar>& in, std::size_t column, const ChunkOutput<Scalar>& out)
      : code(in.layout.code),
        dictionary(in.dictionary),
        output{reinterpret_cast<std::uintptr_t>(out.data + column) -
                   out.first_row * in.stride * sizeof(Scalar),
               FieldReader<Form>(in.row)},
        count(Count != 0 ? Count : in.count),
        any_stride(in.stride * sizeof(Scalar)),
        any_words(in.layout.words),
        coded(Form == RecordForm::any ? in.layout.coded : Form == RecordForm::coded) {
    for (int k = 0; k < count; ++k) {
      factors[k] = {reinterpret_cast<std::uintptr_t>(in.factors[k].data + column),
                    FieldReader<Form>(in.factors[k].field)};
    }
  }

  /// Bytes from one row to the next, of all matrices.
  [[gnu::always_inline]] std::size_t stride() const {
    return WholeRows ? Row::elements * sizeof(Scalar) : any_stride;
  }
  /// Words of a record.
  [[gnu::always_inline]] int words() const {
    return Form == RecordForm::any ? any_words : Form == RecordForm::plain ? 2 : 1;
  }

  [[gnu::always_inline]] Scalar value(const std::uint64_t* record) const {
    if (Form == RecordForm::coded || (Form == RecordForm::any && coded)) {
      return dictionary[code.get(record)];
    }
    return value_of_word<Scalar>(record[words() - 1]);
  }

  /// Asks for rows of nonzeros up to `farthest<Fetch>` after this one.
  template <RowFetch Fetch>
  [[gnu::always_inline]] void fetch_ahead(const std::uint64_t* record) const {
    const PickedRows<Form, const Scalar>& last = factors[count - 1];
    if constexpr (Fetch == RowFetch::last) {
      Row::fetch(last.of(record + memory_distance * words(), stride()));
    } else {
      Row::fetch_non_temporal(last.of(record + non_temporal_distance * words(), stride()));
      const std::uint64_t* const near = record + near_distance * words();
      for (int k = 0; k + 1 < count; ++k) Row::fetch(factors[k].of(near, stride()));
      Row::fetch(output.of(near, stride()));
    }
  }

  /// Elementwise product of the gathered rows of a nonzero.
  [[gnu::always_inline]] Row product(const std::uint64_t* record) const {
    if (Count == 0 && count == 0) return Row::broadcast(Scalar(1));  // of order 1
    auto row = Row::load(factors[0].of(record, stride()));
    const int gathered = Count != 0 ? Count : count;
    for (int k = 1; k < gathered; ++k) row.multiply_by(factors[k].of(record, stride()));
    return row;
  }
};

/// How a chunk loop goes about it.
struct LoopVariant {
  /// The columns are whole rows of all matrices, whose distance is known when compiled.
  bool whole_rows = false;
  /// Sum in registers while the row stays the same and add the sum to the output row when it
  /// changes: for orders in which rows come in runs. Otherwise every nonzero is added to its output
  /// row in cache: where the row changes nearly always, a branch on the change would be
  /// mispredicted.
  bool runs = false;
  RowFetch fetch = RowFetch::none;
};

template <class Row, int Count, RecordForm Form, LoopVariant Way, class Scalar>
void chunk_loop(const ContractionInput<Scalar>& input, offset_t begin, offset_t end,
                std::size_t column, const ChunkOutput<Scalar>& output) {
  if (begin == end) return;
  const LoopState<Row, Count, Form, Way.whole_rows, Scalar> loop(input, column, output);
  const std::uint64_t* record = input.records + begin * loop.words();
  const std::uint64_t* const stop = input.records + end * loop.words();
  Scalar* row = loop.output.of(record, loop.stride());
  auto sum = Row::zero();
  const auto take = [&]() __attribute__((always_inline)) {
    Scalar* const next = loop.output.of(record, loop.stride());
    if constexpr (!Way.runs) {
      auto total = Row::load(next);
      total.add_scaled(loop.value(record), loop.product(record));
      total.store(next);
    } else {
      if (next != row) {
        sum.add_to(row);
        sum = Row::zero();
        row = next;
      }
      sum.add_scaled(loop.value(record), loop.product(record));
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

/// A chunk loop with its compile-time sizes chosen.
template <class Scalar>
using ChunkLoop = void (*)(const ContractionInput<Scalar>&, offset_t begin, offset_t end,
                           std::size_t column, const ChunkOutput<Scalar>&);

/// Columns that one chunk loop processes: packs of 64 bytes, or the one shorter pack of a short
/// row, and perhaps a shorter last one.
struct ColumnBlock {
  std::size_t begin = 0;
  int width = 0;  ///< elements of a pack
  int packs = 0;
  int tail = 0;  ///< elements of the last pack

  [[nodiscard]] std::size_t columns() const {
    return static_cast<std::size_t>(width * packs + tail);
  }
};

/// Most packs of one chunk loop: their sums and one product must stay in 32 registers.
inline constexpr int most_packs = 8;
/// Fewest packs of a column block where rows of more than most_packs packs are cut.
inline constexpr int least_cut_packs = most_packs / 2;

/// Cuts padded rows of `stride` elements into column blocks of nearly equal width, each of at most
/// `packs` packs.
template <class Scalar>
[[nodiscard]] std::vector<ColumnBlock> column_blocks(std::size_t stride, int packs = most_packs) {
  constexpr auto width = static_cast<std::size_t>(full_width<Scalar>);
  const std::size_t total = (stride + width - 1) / width;
  const std::size_t most = static_cast<std::size_t>(std::clamp(packs, 1, most_packs));
  const std::size_t blocks = (total + most - 1) / most;
  std::vector<ColumnBlock> result;
  for (std::size_t b = 0, done = 0; b < blocks; ++b) {
    const std::size_t end = total * (b + 1) / blocks;
    const std::size_t columns = std::min(end * width, stride) - done * width;
    const auto whole = static_cast<int>(columns / width), rest = static_cast<int>(columns % width);
    result.push_back(whole == 0 ? ColumnBlock{done * width, rest, 1}
                                : ColumnBlock{done * width, static_cast<int>(width), whole, rest});
    done = end;
  }
  return result;
}

/// The loop for a column block and `factors` gathered factors. Not every loop fetches what it is
/// asked to.
template <class Scalar>
[[nodiscard]] ChunkLoop<Scalar> choose_chunk_loop(const ColumnBlock& block, int factors,
                                                  const RecordLayout& layout, LoopVariant way);

}  // namespace genten::detail

#include <genten/mttkrp/kernels/sorted/chunk_loop_impl.hpp>
