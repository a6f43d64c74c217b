// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The inner loops of the sorted kernel on the host, as those see them who call them: functions
/// over the nonzeros of a range, compiled for each instruction set (base/detail/simd_set.hpp) with
/// their sizes known, and the table by which one is chosen.

#include <genten/base/detail/simd_set.hpp>
#include <genten/format/record_layout.hpp>
#include <genten/mttkrp/kernels/sorted/contraction_input.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// Output rows of a chunk loop: row i is at data + (i - first_row) * stride of the input.
template <class Scalar>
struct ChunkOutput {
  Scalar* data = nullptr;
  std::uint64_t first_row = 0;
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
};

/// Columns that one chunk loop processes: vectors of a cache line, or the one shorter vector of a
/// short row, and perhaps a shorter last one.
struct ColumnBlock {
  std::size_t begin = 0;
  int width = 0;  ///< elements of a vector
  int vectors = 0;
  int tail = 0;  ///< elements of the last vector

  [[nodiscard]] std::size_t columns() const {
    return static_cast<std::size_t>(width * vectors + tail);
  }
};

/// Most lines of one chunk loop.
inline constexpr int most_lines = 8;

/// Cuts padded rows of `stride` elements into column blocks of nearly equal width, each of at most
/// `lines` cache lines.
template <class Scalar>
[[nodiscard]] std::vector<ColumnBlock> column_blocks(std::size_t stride, int lines = most_lines) {
  constexpr auto width = static_cast<std::size_t>(line_width<Scalar>);
  const std::size_t total = (stride + width - 1) / width;
  const std::size_t most = static_cast<std::size_t>(std::clamp(lines, 1, most_lines));
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

/// A loop over nonzeros [begin, end) with its compile-time sizes chosen: value times the product of
/// the gathered rows, in the columns from `column` on, is added to the output rows.
template <class Scalar>
using ChunkLoop = void (*)(const ContractionInput<Scalar>&, offset_t begin, offset_t end,
                           std::size_t column, const ChunkOutput<Scalar>&);

/// phi(x, m) of a few nonzeros at once, whatever phi is: y[k] = phi(x[k], m[k]), where y may be x.
template <class Scalar>
struct NonzeroMap {
  const void* phi;
  void (*apply)(const void* phi, const Scalar* x, const Scalar* m, Scalar* y, int count);

  /// Of a functor, which it refers to.
  template <class Phi>
  [[nodiscard]] static NonzeroMap of(const Phi& phi) {
    return {&phi, [](const void* any, const Scalar* x, const Scalar* m, Scalar* y, int count) {
              const Phi& function = *static_cast<const Phi*>(any);
              for (int k = 0; k < count; ++k) y[k] = function(x[k], m[k]);
            }};
  }
  void operator()(const Scalar* x, const Scalar* m, Scalar* y, int count) const {
    apply(phi, x, m, y, count);
  }
};

/// A loop of a traversal, in which phi(x, m) takes the place of the values: m is known only when
/// all columns have been seen, so that rows are taken in whole.
template <class Scalar>
using TraversalLoop = void (*)(const ContractionInput<Scalar>&, const NonzeroMap<Scalar>&,
                               offset_t begin, offset_t end, const ChunkOutput<Scalar>&);

/// The loops that an instruction set has.
template <class Scalar>
struct SortedLoops {
  /// Most lines of rows that loops take at a time, and of those whose runs are summed in registers.
  int lines, lines_of_runs;
  /// The loop for a column block and `factors` gathered factors. Not every loop fetches what its
  /// input asks for.
  ChunkLoop<Scalar> (*chunk_loop)(const ColumnBlock& block, int factors, const RecordLayout& layout,
                                  LoopVariant way);
  /// The loop for rows of `stride` elements, which come in runs or not: see LoopVariant.
  TraversalLoop<Scalar> (*traversal_loop)(std::size_t stride, int factors,
                                          const RecordLayout& layout, bool runs);
  /// to[j] = the product of rows[k][j] over k < count, for j < columns.
  void (*multiply)(const Scalar* const* rows, int count, std::size_t columns, Scalar* to);
};

/// Those of the instruction set in use: see genten::instruction_set.
template <class Scalar>
[[nodiscard]] const SortedLoops<Scalar>& sorted_loops();

}  // namespace genten::detail

#ifdef GENTEN_ETI
namespace genten::detail {
template <>
const SortedLoops<float>& sorted_loops<float>();
template <>
const SortedLoops<double>& sorted_loops<double>();
}  // namespace genten::detail
#else
#include <genten/mttkrp/kernels/sorted/sorted_loops_impl.hpp>

template <class Scalar>
const genten::detail::SortedLoops<Scalar>& genten::detail::sorted_loops() {
  return compiled_sorted_loops<Scalar>();
}
#endif
