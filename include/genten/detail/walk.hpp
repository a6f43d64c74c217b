// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inner loops of the sorted kernel on the host: walk over the nonzeros of a chunk, multiply
/// gathered rows, sum into output rows.

#include <genten/detail/pack.hpp>
#include <genten/detail/walk_input.hpp>
#include <genten/format/sorted_copy.hpp>

#include <array>

namespace genten::detail {

/// Output rows of a walk: row i is at data + (i - first_row) * stride.
template <class Scalar>
struct WalkOutput {
  Scalar* data = nullptr;
  std::size_t stride = 0;
  std::uint64_t first_row = 0;

  [[nodiscard]] Scalar* row(std::uint64_t i) const { return data + (i - first_row) * stride; }
};

/// A subscript of a key; where the number of tables is a compile-time one, keys have one word.
template <int Count>
[[gnu::always_inline]] inline std::uint64_t subscript(const KeyField& field,
                                                      const std::uint64_t* key) {
  return Count != 0 ? (*key >> field.shift) & field.mask : field.get(key);
}

/// Value times the elementwise product of the gathered rows of one nonzero. `Count` tables, or as
/// many as the input says where Count is 0.
template <int Width, int Packs, int Count, class Scalar>
[[gnu::always_inline]] inline PackRow<Scalar, Width, Packs> gathered_product(
    const WalkInput<Scalar>& in, const std::uint64_t* key, std::size_t column) {
  const auto row_of = [&](int k) {
    const auto& table = in.tables[k];
    return table.data + subscript<Count>(table.field, key) * table.stride + column;
  };
  const int count = Count != 0 ? Count : in.count;
  if (count == 0) {  // order 1: the empty product
    PackRow<Scalar, Width, Packs> ones;
    for (int v = 0; v < Packs; ++v) ones.packs[v] = Pack<Scalar, Width>::broadcast(Scalar(1));
    return ones;
  }
  auto product = PackRow<Scalar, Width, Packs>::load(row_of(0));
  for (int k = 1; k < count; ++k) product.multiply_by(row_of(k));
  return product;
}

/// Sums in registers while the row stays the same and adds the sum to the output row when it
/// changes: for orders in which rows come in runs.
template <int Width, int Packs, int Count, class Scalar>
void walk_runs(const WalkInput<Scalar>& input, offset_t begin, offset_t end, std::size_t column,
               const WalkOutput<Scalar>& output) {
  if (begin == end) return;
  // Copies that no store can alias, so that they stay in registers.
  const WalkInput<Scalar> in = input;
  const WalkOutput<Scalar> out = output;
  const int words = Count != 0 ? 1 : in.words;
  const KeyField row_field = in.row;
  std::uint64_t row = subscript<Count>(row_field, in.keys + begin * words);
  auto sum = PackRow<Scalar, Width, Packs>::zero();
  for (offset_t p = begin; p < end; ++p) {
    const std::uint64_t* key = in.keys + p * words;
    const std::uint64_t next = subscript<Count>(row_field, key);
    if (next != row) {
      sum.add_to(out.row(row) + column);
      sum = PackRow<Scalar, Width, Packs>::zero();
      row = next;
    }
    sum.add_scaled(in.values[p], gathered_product<Width, Packs, Count>(in, key, column));
  }
  sum.add_to(out.row(row) + column);
}

/// Adds every nonzero to its output row in cache: for orders in which the row changes nearly
/// always, where a branch on the change would be mispredicted.
template <int Width, int Packs, int Count, class Scalar>
void walk_adding(const WalkInput<Scalar>& input, offset_t begin, offset_t end, std::size_t column,
                 const WalkOutput<Scalar>& output) {
  const WalkInput<Scalar> in = input;
  const WalkOutput<Scalar> out = output;
  const int words = Count != 0 ? 1 : in.words;
  const KeyField row_field = in.row;
  for (offset_t p = begin; p < end; ++p) {
    const std::uint64_t* key = in.keys + p * words;
    Scalar* const target = out.row(subscript<Count>(row_field, key)) + column;
    auto sum = PackRow<Scalar, Width, Packs>::load(target);
    sum.add_scaled(in.values[p], gathered_product<Width, Packs, Count>(in, key, column));
    sum.store(target);
  }
}

/// A walk with its compile-time sizes chosen.
template <class Scalar>
using Walk = void (*)(const WalkInput<Scalar>&, offset_t begin, offset_t end, std::size_t column,
                      const WalkOutput<Scalar>&);

/// Columns that one walk processes: whole 64-byte packs, or the one shorter pack of a short row.
struct ColumnBlock {
  std::size_t begin = 0;
  int width = 0;  ///< elements of a pack
  int packs = 0;
};

/// Most packs of one walk: their sums and one product must stay in 32 registers.
inline constexpr int most_packs = 8;

/// Elements in a pack of 64 bytes.
template <class Scalar>
inline constexpr int full_width = 64 / static_cast<int>(sizeof(Scalar));

/// Cuts padded rows of `stride` elements into column blocks of nearly equal width, each of at most
/// `packs` packs.
template <class Scalar>
[[nodiscard]] std::vector<ColumnBlock> column_blocks(std::size_t stride, int packs = most_packs) {
  constexpr auto width = static_cast<std::size_t>(full_width<Scalar>);
  if (stride < width) return {ColumnBlock{0, static_cast<int>(stride), 1}};
  const std::size_t total = stride / width;
  const std::size_t most = static_cast<std::size_t>(std::clamp(packs, 1, most_packs));
  const std::size_t blocks = (total + most - 1) / most;
  std::vector<ColumnBlock> result;
  for (std::size_t b = 0, done = 0; b < blocks; ++b) {
    const std::size_t count = (total - done + (blocks - b) - 1) / (blocks - b);
    result.push_back({done * width, static_cast<int>(width), static_cast<int>(count)});
    done += count;
  }
  return result;
}

/// The walk for a column block, `tables` gathered tables and runs or adding.
template <class Scalar>
[[nodiscard]] Walk<Scalar> choose_walk(const ColumnBlock& block, int tables, int words, bool runs);

}  // namespace genten::detail

#include <genten/detail/walk_impl.hpp>
