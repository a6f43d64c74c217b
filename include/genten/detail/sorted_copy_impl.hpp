// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/format/sorted_copy.hpp>

namespace genten::detail {

/// The number that a NonzeroOrder sorts by: the leading bits of some subscripts, one after another.
inline RecordNumber order_number(const RecordLayout& layout, const NonzeroOrder& order) {
  RecordNumber number;
  const RecordField& row = layout.fields[order.row_mode];
  number.append(row, order.row_block_bits);
  for (const auto& tile : order.tiles) number.append(layout.fields[tile.mode], tile.bits);
  return number;
}

/// Cuts sorted nonzeros into chunks at row-block boundaries, and blocks that are too heavy for one
/// chunk into several.
template <RealScalar Scalar, ExecutionSpace Exec>
class ChunkCutter {
 public:
  ChunkCutter(const Exec& exec, SortedCopy<Scalar, Exec>& copy, offset_t nonzeros_per_chunk)
      : m_copy(copy), m_nnz(copy.nnz()) {
    const offset_t targets = m_nnz / std::max<offset_t>(nonzeros_per_chunk, 1);
    m_cuts.push_back({0, block_at_start(exec), true});
    if (targets > 1) cut_at(exec, targets);
    assemble();
    upload(exec);
  }

  /// Where a target position lies: its block and the ends of that block.
  struct Probe {
    offset_t position = 0;
    offset_t block = 0;
    offset_t block_begin = 0;
    offset_t block_end = 0;
  };

  /// \cond device lambdas must stand in public members
  std::vector<Probe> probe(const Exec& exec, offset_t targets) const {
    Kokkos::View<Probe*, typename Exec::memory_space> probes("genten::chunk_probes", targets - 1);
    const auto records = m_copy.records;
    const RecordField row = m_copy.layout.fields[m_copy.order.row_mode];
    const int words = m_copy.layout.words;
    const int bits = m_copy.order.row_block_bits;
    const offset_t nnz = m_nnz;
    Kokkos::parallel_for(
        "genten::probe_chunks",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, targets - 1),
        KOKKOS_LAMBDA(const offset_t k) {
          const auto block_of = [&](offset_t p) {
            return static_cast<offset_t>(row.get(&records(p * words)) >> bits);
          };
          // First nonzero whose block is not below `block`.
          const auto first_of = [&](offset_t block) {
            offset_t low = 0, high = nnz;
            while (low < high) {
              const offset_t middle = low + (high - low) / 2;
              if (block_of(middle) < block) {
                low = middle + 1;
              } else {
                high = middle;
              }
            }
            return low;
          };
          Probe found;
          // Not nnz * (k + 1) / targets, which would overflow for the largest nnz.
          found.position = nnz / targets * (k + 1) + nnz % targets * (k + 1) / targets;
          found.block = block_of(found.position);
          found.block_begin = first_of(found.block);
          found.block_end = first_of(found.block + 1);
          probes(k) = found;
        });
    fence(exec, "genten::probe_chunks");
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), probes);
    return std::vector<Probe>(host.data(), host.data() + host.extent(0));
  }

  offset_t block_at_start(const Exec& exec) const {
    if (m_nnz == 0) return 0;
    const auto words = static_cast<std::size_t>(m_copy.layout.words);
    fence(exec, "genten::block_at_start");
    const auto record = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace(),
        Kokkos::subview(m_copy.records, Kokkos::make_pair(std::size_t{0}, words)));
    return static_cast<offset_t>(m_copy.layout.fields[m_copy.order.row_mode].get(record.data()) >>
                                 m_copy.order.row_block_bits);
  }
  /// \endcond

 private:
  struct Cut {
    offset_t position;
    offset_t block;  ///< of the nonzero at `position`
    bool starts_block;
  };

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
        m_chunks.push_back({m_cuts[i].position, end_of(i), row, unit_end, -1});
      } else {
        const offset_t block_begin = m_cuts[i].block << bits;
        const offset_t block_end = std::min(rows, (m_cuts[i].block + 1) << bits);
        const offset_t height = block_end - block_begin;
        m_splits.push_back({block_begin, block_end, unit_end, m_copy.partial_rows,
                            static_cast<offset_t>(next - i)});
        if (row < block_begin)
          m_chunks.push_back({m_cuts[i].position, m_cuts[i].position, row, block_begin, -1});
        for (std::size_t piece = i; piece < next; ++piece) {
          m_chunks.push_back(
              {m_cuts[piece].position, end_of(piece), block_begin, block_end, m_copy.partial_rows});
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

  void upload(const Exec& exec) {
    const auto to_view = [&exec]<class T>(const char* label, const std::vector<T>& from) {
      using View = Kokkos::View<T*, typename Exec::memory_space>;
      const auto view = uninitialized_view<View>(label, from.size());
      const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(
          from.data(), from.size());
      Kokkos::deep_copy(exec, view, host);
      fence(exec, "genten::upload_chunks");
      return view;
    };
    m_copy.chunks = to_view("genten::chunks", m_chunks);
    m_copy.split_blocks = to_view("genten::split_blocks", m_splits);
  }

  SortedCopy<Scalar, Exec>& m_copy;
  offset_t m_nnz;
  std::vector<Cut> m_cuts;
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
