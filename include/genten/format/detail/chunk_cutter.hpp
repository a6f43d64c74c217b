// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ChunkCutter: what each thread processes alone of a SortedCopy. Host code only.

#include <genten/format/detail/block_order.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

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

}  // namespace genten::detail
