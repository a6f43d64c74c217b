// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/format/detail/chunk_cutter.hpp>
#include <genten/format/make_sorted_copy.hpp>

#include <algorithm>

namespace genten::detail {

/// The number that a NonzeroOrder sorts by: the leading bits of some subscripts, one after another.
inline RecordNumber order_number(const RecordLayout& layout, const NonzeroOrder& order) {
  RecordNumber number;
  for (const auto& tile : order.tiles) number.append(layout.fields[tile.mode], tile.bits);
  return number;
}

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
  if constexpr (is_host_space<Exec>) {
    Kokkos::parallel_reduce(
        "genten::count_runs",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, windows),
        [=](const offset_t index, offset_t& sum) {
          const std::uint64_t* record = &records(index * step * words);
          std::uint64_t last = row.get(record);
          offset_t runs = 1;
          for (offset_t at = 1; at < window; ++at) {
            record += words;
            const std::uint64_t next = row.get(record);
            runs += next != last ? 1 : 0;
            last = next;
          }
          sum += runs;
        },
        result.runs);
    return result;
  }
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
                                          detail::SortInput input,
                                          detail::SortWorkspace<Exec>& workspace) {
  SortedCopy<Scalar, Exec> copy;
  copy.order = order;
  copy.layout = tensor.layout;
  copy.dimensions = tensor.dimensions;
  copy.dictionary = tensor.dictionary;
  copy.rows = static_cast<offset_t>(tensor.dimensions[static_cast<std::size_t>(order.row_mode)]);
  copy.records =
      detail::sorted_records(exec, tensor.records, tensor.layout.words,
                             detail::order_number(tensor.layout, order), input, workspace);
  // Hosts need an estimate, devices the exact number.
  const offset_t nnz = copy.nnz();
  const offset_t window = is_host_space<Exec> ? std::min<offset_t>(nnz, 1024) : nnz;
  const offset_t windows = order.tiles.empty() ? 16 : 256;  // unsorted ones are alike anywhere
  const offset_t step = std::max<offset_t>({window, nnz / windows, 1});
  const detail::RowRuns found = detail::count_runs(exec, copy, window, step);
  copy.mean_run = found.mean();
  if constexpr (is_host_space<Exec>) {
    detail::ChunkCutter<Scalar, Exec>(exec, copy, nonzeros_per_chunk);
  } else {
    // Devices cut the nonzeros into pieces of equal length when they contract.
    copy.every_row = order.row_block_bits == 0 && found.runs == copy.rows;
  }
  return copy;
}

}  // namespace genten

#define GENTEN_ETI_SORTED_COPY(PREFIX, SCALAR, EXEC)                                       \
  PREFIX template genten::SortedCopy<SCALAR, EXEC> genten::make_sorted_copy(               \
      const EXEC&, const genten::PackedTensor<SCALAR, EXEC>&, const genten::NonzeroOrder&, \
      genten::offset_t, genten::detail::SortInput, genten::detail::SortWorkspace<EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_SORTED_COPY, extern)
#endif
