// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// BlockOrder: the nonzeros of a SortedCopy by row block. Host code only.

#include <genten/base/detail/even_chunks.hpp>
#include <genten/format/detail/record_number.hpp>
#include <genten/format/sorted_copy.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// The nonzeros of a SortedCopy by row block: the ranges of each block, block after block. A
/// position is the number of a nonzero in that order.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
class BlockOrder {
 public:
  BlockOrder(const Exec& exec, const SortedCopy<Scalar, Exec>& copy) : m_copy(copy) {
    const NonzeroOrder& order = copy.order;
    const bool leads = !order.tiles.empty() && order.tiles.front().mode == order.row_mode &&
                       order.tiles.front().bits <= order.row_block_bits;
    const bool single = ((copy.rows - 1) >> order.row_block_bits) == 0;
    if (leads || single || copy.nnz() == 0) {
      m_runs = {{0, 0}};
    } else {
      find_runs(exec);
    }
  }

  /// The row block of the nonzero at a position.
  [[nodiscard]] offset_t block_of(offset_t position) const {
    const Run& run = run_of(position);
    return block_at(run.nonzero + position - run.position);
  }

  /// The first position whose block is not below `block`.
  [[nodiscard]] offset_t first_of(offset_t block) const {
    offset_t low = 0, high = m_copy.nnz();
    while (low < high) {
      const offset_t middle = low + (high - low) / 2;
      if (block_of(middle) < block) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// Appends the ranges of the positions [begin, end).
  void append_ranges(offset_t begin, offset_t end, std::vector<NonzeroRange>& ranges) const {
    for (auto run = &run_of(begin); begin < end; ++run) {
      const offset_t stop =
          run + 1 < m_runs.data() + m_runs.size() ? run[1].position : m_copy.nnz();
      const offset_t count = std::min(stop, end) - begin;
      const offset_t nonzero = run->nonzero + begin - run->position;
      ranges.push_back({nonzero, nonzero + count});
      begin += count;
    }
  }

 private:
  /// Neighbouring nonzeros at neighbouring positions, of one block if there is more than one run.
  struct Run {
    offset_t position;
    offset_t nonzero;  ///< its place in the records
  };

  [[nodiscard]] offset_t block_at(offset_t nonzero) const {
    const RecordField& row = m_copy.layout.fields[m_copy.order.row_mode];
    return static_cast<offset_t>(row.get(m_copy.records.data() + nonzero * m_copy.layout.words) >>
                                 m_copy.order.row_block_bits);
  }

  [[nodiscard]] const Run& run_of(offset_t position) const {
    const auto next = std::upper_bound(m_runs.begin(), m_runs.end(), position,
                                       [](offset_t p, const Run& run) { return p < run.position; });
    return *(next - 1);
  }

  /// A number that never descends from one nonzero to the next and tells row blocks apart: the
  /// tiles that the nonzeros are sorted by, up to that of the row. Without bits where there is
  /// none.
  [[nodiscard]] RecordNumber ascending_number() const {
    const NonzeroOrder& order = m_copy.order;
    RecordNumber number;
    int bits = 0;
    for (const auto& tile : order.tiles) {
      const RecordField& field = m_copy.layout.fields[tile.mode];
      const bool row = tile.mode == order.row_mode;
      const int drop = row ? static_cast<int>(order.row_block_bits) : tile.bits;
      bits += std::max(0, field.bits() - drop);
      if (bits > 64 || (row && tile.bits > drop)) return {};
      number.append(field, drop);
      if (row) return number;
    }
    return {};
  }

  /// The first nonzero after `p` and before `end` of which the number is another: found in steps
  /// that double, since there are many of each.
  [[nodiscard]] offset_t end_of_equal(const RecordNumber& number, offset_t p, offset_t end) const {
    const auto at = [&](offset_t q) {
      return number.of(m_copy.records.data() + q * m_copy.layout.words);
    };
    const std::uint64_t here = at(p);
    offset_t low = p, step = 1;  // the number at `low` is the same
    while (low + step < end && at(low + step) == here) {
      low += step;
      step *= 2;
    }
    offset_t high = std::min(low + step, end);  // that at `high` is not, or it is the end
    while (high - low > 1) {
      const offset_t middle = low + (high - low) / 2;
      (at(middle) == here ? low : high) = middle;
    }
    return high;
  }

  /// Finds where the block changes from one nonzero to the next, and sorts what lies between.
  void find_runs(const Exec& exec) {
    const offset_t nnz = m_copy.nnz();
    const RecordNumber ascending = ascending_number();
    const EvenChunks chunks(static_cast<std::size_t>(nnz));
    std::vector<std::vector<offset_t>> found(chunks.count());
    for_each_index("genten::block_runs", exec, chunks.count(), [&](const std::size_t chunk) {
      const auto end = static_cast<offset_t>(chunks.end(chunk));
      for (auto p = static_cast<offset_t>(chunks.begin(chunk)); p < end;) {
        if (p == 0 || block_at(p) != block_at(p - 1)) found[chunk].push_back(p);
        p = ascending.bits() == 0 ? p + 1 : end_of_equal(ascending, p, end);
      }
    });
    struct BlockRun {
      offset_t block, begin, end;
    };
    std::vector<BlockRun> runs;
    for (const auto& begins : found) {
      for (const offset_t begin : begins) {
        if (!runs.empty()) runs.back().end = begin;
        runs.push_back({block_at(begin), begin, nnz});
      }
    }
    std::stable_sort(runs.begin(), runs.end(),
                     [](const BlockRun& a, const BlockRun& b) { return a.block < b.block; });
    offset_t position = 0;
    for (const BlockRun& run : runs) {
      m_runs.push_back({position, run.begin});
      position += run.end - run.begin;
    }
  }

  const SortedCopy<Scalar, Exec>& m_copy;
  std::vector<Run> m_runs;
};

}  // namespace genten::detail
