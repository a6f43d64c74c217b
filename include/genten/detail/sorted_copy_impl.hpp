// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/format/sorted_copy.hpp>

#include <algorithm>

namespace genten::detail {

/// The number that a NonzeroOrder sorts by: the leading bits of some subscripts, one after another.
inline RecordNumber order_number(const RecordLayout& layout, const NonzeroOrder& order) {
  RecordNumber number;
  for (const auto& tile : order.tiles) number.append(layout.fields[tile.mode], tile.bits);
  return number;
}

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

  /// Finds where the block changes from one nonzero to the next, and sorts what lies between.
  void find_runs(const Exec& exec) {
    constexpr offset_t window = 65536;
    const offset_t nnz = m_copy.nnz();
    const offset_t windows = (nnz + window - 1) / window;
    std::vector<std::vector<offset_t>> found(static_cast<std::size_t>(windows));
    Kokkos::parallel_for("genten::block_runs",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, windows),
                         [&](const offset_t w) {
                           offset_t block = w == 0 ? -1 : block_at(w * window - 1);
                           for (offset_t p = w * window; p < std::min(nnz, (w + 1) * window); ++p) {
                             if (block_at(p) == block) continue;
                             block = block_at(p);
                             found[static_cast<std::size_t>(w)].push_back(p);
                           }
                         });
    fence(exec, "genten::block_runs");
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

/// Cuts sorted nonzeros into chunks at row-block boundaries, and blocks that are too heavy for one
/// chunk into several.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
class ChunkCutter {
 public:
  ChunkCutter(const Exec& exec, SortedCopy<Scalar, Exec>& copy, offset_t nonzeros_per_chunk)
      : m_copy(copy), m_nnz(copy.nnz()), m_order(exec, copy) {
    const offset_t targets = m_nnz / std::max<offset_t>(nonzeros_per_chunk, 1);
    m_cuts.push_back({0, m_nnz == 0 ? 0 : m_order.block_of(0), true});
    if (targets > 1) cut_at(exec, targets);
    assemble();
    m_copy.ranges = to_view("genten::ranges", m_ranges);
    m_copy.chunks = to_view("genten::chunks", m_chunks);
    m_copy.split_blocks = to_view("genten::split_blocks", m_splits);
  }

 private:
  struct Cut {
    offset_t position;
    offset_t block;  ///< of the nonzero at `position`
    bool starts_block;
  };

  /// Where a target position lies: its block and the ends of that block.
  struct Probe {
    offset_t position;
    offset_t block;
    offset_t block_begin;
    offset_t block_end;
  };

  std::vector<Probe> probe(const Exec& exec, offset_t targets) const {
    std::vector<Probe> probes(static_cast<std::size_t>(targets - 1));
    Kokkos::parallel_for(
        "genten::probe_chunks",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 1, targets),
        [&](const offset_t k) {
          // Not nnz * k / targets, which would overflow for the largest nnz.
          const offset_t position = m_nnz / targets * k + m_nnz % targets * k / targets;
          const offset_t block = m_order.block_of(position);
          probes[static_cast<std::size_t>(k - 1)] = {position, block, m_order.first_of(block),
                                                     m_order.first_of(block + 1)};
        });
    fence(exec, "genten::probe_chunks");
    return probes;
  }

  void cut_at(const Exec& exec, offset_t targets) {
    const offset_t length = m_nnz / targets;
    const auto push = [&](offset_t position, offset_t block, bool starts_block) {
      if (position > m_cuts.back().position && position < m_nnz) {
        m_cuts.push_back({position, block, starts_block});
      }
    };
    offset_t heavy_end = 0;
    for (const Probe& at : probe(exec, targets)) {
      const bool heavy = at.block_end - at.block_begin >= 2 * length;
      if (heavy_end != 0 && at.block_begin >= heavy_end) {
        // The block at heavy_end is that of this probe unless smaller blocks lie between.
        push(heavy_end, heavy_end == at.block_begin ? at.block : -1, true);
        heavy_end = 0;
      }
      push(at.block_begin, at.block, true);
      if (heavy) {
        push(at.position, at.block, false);
        heavy_end = at.block_end;
      }
    }
    if (heavy_end != 0) push(heavy_end, -1, true);
  }

  void assemble() {
    const offset_t bits = m_copy.order.row_block_bits;
    const offset_t rows = m_copy.rows;
    const auto size = m_cuts.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (m_cuts[i].block < 0) m_cuts[i].block = m_cuts[i - 1].block + 1;
    }
    offset_t row = 0;  // first output row that no earlier chunk covers
    for (std::size_t i = 0; i < size;) {
      std::size_t next = i + 1;
      while (next < size && !m_cuts[next].starts_block) ++next;
      const offset_t unit_end = next < size ? m_cuts[next].block << bits : rows;
      if (next == i + 1) {
        push_chunk(m_cuts[i].position, end_of(i), row, unit_end, -1);
      } else {
        const offset_t block_begin = m_cuts[i].block << bits;
        const offset_t block_end = std::min(rows, (m_cuts[i].block + 1) << bits);
        const offset_t height = block_end - block_begin;
        m_splits.push_back({block_begin, block_end, unit_end, m_copy.partial_rows,
                            static_cast<offset_t>(next - i)});
        if (row < block_begin) push_chunk(0, 0, row, block_begin, -1);
        for (std::size_t piece = i; piece < next; ++piece) {
          push_chunk(m_cuts[piece].position, end_of(piece), block_begin, block_end,
                     m_copy.partial_rows);
          m_copy.partial_rows += height;
        }
      }
      row = unit_end;
      i = next;
    }
  }

  [[nodiscard]] offset_t end_of(std::size_t cut) const {
    return cut + 1 < m_cuts.size() ? m_cuts[cut + 1].position : m_nnz;
  }

  /// The chunk of the positions [begin, end).
  void push_chunk(offset_t begin, offset_t end, offset_t row_begin, offset_t row_end,
                  offset_t partial_row) {
    const auto first = static_cast<offset_t>(m_ranges.size());
    m_order.append_ranges(begin, end, m_ranges);
    m_chunks.push_back(
        {first, static_cast<offset_t>(m_ranges.size()), row_begin, row_end, partial_row});
  }

  template <class T>
  static Kokkos::View<T*, typename Exec::memory_space> to_view(const char* label,
                                                               const std::vector<T>& from) {
    const auto view =
        uninitialized_view<Kokkos::View<T*, typename Exec::memory_space>>(label, from.size());
    std::copy(from.begin(), from.end(), view.data());
    return view;
  }

  SortedCopy<Scalar, Exec>& m_copy;
  offset_t m_nnz;
  BlockOrder<Scalar, Exec> m_order;
  std::vector<Cut> m_cuts;
  std::vector<NonzeroRange> m_ranges;
  std::vector<SortedChunk> m_chunks;
  std::vector<SplitBlock> m_splits;
};

/// Consecutive nonzeros of the same row.
struct RowRuns {
  offset_t nonzeros = 0;  ///< looked at
  offset_t runs = 0;      ///< maximal runs of nonzeros with the same row among them
  [[nodiscard]] double mean() const {
    return runs == 0 ? 0.0 : static_cast<double>(nonzeros) / static_cast<double>(runs);
  }
};

/// Counts the runs in windows of `window` nonzeros that start `step` apart.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] RowRuns count_runs(const Exec& exec, const SortedCopy<Scalar, Exec>& copy,
                                 offset_t window, offset_t step) {
  RowRuns result;
  const offset_t windows = copy.nnz() / step;
  result.nonzeros = windows * window;
  const auto records = copy.records;
  const RecordField row = copy.layout.fields[copy.order.row_mode];
  const int words = copy.layout.words;
  Kokkos::parallel_reduce(
      "genten::count_runs",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, result.nonzeros),
      KOKKOS_LAMBDA(const offset_t index, offset_t& sum) {
        const offset_t at = index % window, p = index / window * step + at;
        if (at == 0 || row.get(&records(p * words)) != row.get(&records((p - 1) * words))) ++sum;
      },
      result.runs);
  return result;
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
SortedCopy<Scalar, Exec> make_sorted_copy(const Exec& exec,
                                          const PackedTensor<Scalar, Exec>& tensor,
                                          const NonzeroOrder& order, offset_t nonzeros_per_chunk,
                                          detail::SortInput input, detail::SortRoom<Exec>& room) {
  SortedCopy<Scalar, Exec> copy;
  copy.order = order;
  copy.layout = tensor.layout;
  copy.dimensions = tensor.dimensions;
  copy.dictionary = tensor.dictionary;
  copy.rows = static_cast<offset_t>(tensor.dimensions[static_cast<std::size_t>(order.row_mode)]);
  copy.records = detail::sorted_records(exec, tensor.records, tensor.layout.words,
                                        detail::order_number(tensor.layout, order), input, room);
  // Hosts need an estimate, devices the exact number.
  const offset_t nnz = copy.nnz();
  const offset_t window = is_host_space<Exec> ? std::min<offset_t>(nnz, 1024) : nnz;
  const offset_t step = std::max<offset_t>({window, nnz / 256, 1});
  const detail::RowRuns found = detail::count_runs(exec, copy, window, step);
  copy.mean_run = found.mean();
  if constexpr (is_host_space<Exec>) {
    detail::ChunkCutter<Scalar, Exec>(exec, copy, nonzeros_per_chunk);
  } else {
    // Devices cut the nonzeros into pieces of equal length as they walk.
    copy.every_row = order.row_block_bits == 0 && found.runs == copy.rows;
  }
  return copy;
}

}  // namespace genten
