// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/mttkrp/kernels/sorted/contraction.hpp>

#include <utility>

namespace genten::detail {

/// Sets columns [begin, begin + count) of rows [row_begin, row_end) to zero.
template <class Scalar>
void zero_rows(Scalar* data, std::size_t stride, offset_t row_begin, offset_t row_end,
               std::size_t begin, std::size_t count) {
  for (offset_t i = row_begin; i < row_end; ++i) {
    std::fill_n(data + static_cast<std::size_t>(i) * stride + begin, count, Scalar(0));
  }
}

/// Adds the pieces of a split block in their order, columns [begin, begin + count).
template <class Scalar>
void add_pieces(const SplitBlock& block, const Scalar* partials, Scalar* output, std::size_t stride,
                std::size_t begin, std::size_t count) {
  const offset_t height = block.row_end - block.row_begin;
  for (offset_t i = 0; i < height; ++i) {
    Scalar* to = output + static_cast<std::size_t>(block.row_begin + i) * stride + begin;
    const Scalar* from =
        partials + static_cast<std::size_t>(block.partial_row + i) * stride + begin;
    std::copy_n(from, count, to);
    for (offset_t piece = 1; piece < block.pieces; ++piece) {
      const Scalar* more = from + static_cast<std::size_t>(piece * height) * stride;
      for (std::size_t j = 0; j < count; ++j) to[j] += more[j];
    }
  }
  zero_rows(output, stride, block.row_end, block.zero_end, begin, count);
}

/// Where a chunk's rows go, columns [begin, begin + count) of them set to zero.
template <class Scalar>
[[nodiscard]] ChunkOutput<Scalar> begin_chunk(const SortedChunk& chunk, Scalar* partials,
                                              Scalar* output, std::size_t stride, std::size_t begin,
                                              std::size_t count) {
  if (chunk.partial_row < 0) {
    zero_rows(output, stride, chunk.row_begin, chunk.row_end, begin, count);
    return {output, 0};
  }
  Scalar* const rows = partials + static_cast<std::size_t>(chunk.partial_row) * stride;
  zero_rows(rows, stride, 0, chunk.row_end - chunk.row_begin, begin, count);
  return {rows, static_cast<std::uint64_t>(chunk.row_begin)};
}

/// Adds the pieces of all split blocks of a copy.
template <RealScalar Scalar, ExecutionSpace Exec>
void add_split_blocks(const Exec& exec, const SortedCopy<Scalar, Exec>& copy,
                      const Scalar* partials, Scalar* output, std::size_t stride, std::size_t begin,
                      std::size_t count) {
  const auto splits = copy.split_blocks;
  for_each_index("genten::add_pieces", exec, splits.extent(0), [=](const std::size_t s) {
    add_pieces(splits(s), partials, output, stride, begin, count);
  });
}

/// The contraction of one column block on the host.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void contract_on_host(const Exec& exec, const SortedCopy<Scalar, Exec>& copy,
                      const ContractionInput<Scalar>& input, const ColumnBlock& columns, bool runs,
                      Scalar* partials, Scalar* output) {
  const std::size_t width = columns.columns();
  const std::size_t stride = input.stride;
  const ChunkLoop<Scalar> loop = sorted_loops<Scalar>().chunk_loop(
      columns, input.count, input.layout, {width == stride, runs});
  const auto chunks = copy.chunks;
  const auto ranges = copy.ranges;
  for_each_index("genten::contract", exec, chunks.extent(0), [=](const std::size_t c) {
    const SortedChunk& chunk = chunks(c);
    const auto out = begin_chunk(chunk, partials, output, stride, columns.begin, width);
    for (offset_t r = chunk.ranges_begin; r < chunk.ranges_end; ++r) {
      loop(input, ranges(r).begin, ranges(r).end, columns.begin, out);
    }
  });
  add_split_blocks(exec, copy, partials, output, stride, columns.begin, width);
}

/// The same, with these columns of all factors copied to the panel and those of the output back.
/// `gathered` lists the modes of the factors.
template <RealScalar Scalar, ExecutionSpace Exec>
requires is_host_space<Exec>
void contract_in_panel(const Exec& exec, const SortedCopy<Scalar, Exec>& copy,
                       ContractionInput<Scalar> input, std::span<const int> gathered,
                       const ColumnBlock& columns, bool runs, Scalar* partials, Scalar* panel,
                       Scalar* output) {
  ColumnBlock in_panel = columns;
  in_panel.begin = 0;
  const std::size_t width = columns.columns();
  const std::size_t stride = std::exchange(input.stride, width);
  Scalar* free = panel;
  for (std::size_t k = 0; k < gathered.size(); ++k) {
    const std::size_t rows = copy.dimensions[static_cast<std::size_t>(gathered[k])];
    copy_panel(exec, rows, width, input.factors[k].data + columns.begin, stride, free, width);
    input.factors[k].data = free;
    free += rows * width;
  }
  contract_on_host(exec, copy, input, in_panel, runs, partials, free);
  copy_panel<Scalar>(exec, static_cast<std::size_t>(copy.rows), width, free, width,
                     output + columns.begin, stride);
}

template <RealScalar Scalar, ExecutionSpace Exec>
ContractionInput<Scalar> Contraction<Scalar, Exec>::input(std::span<const Scalar* const> factors,
                                                          std::size_t stride) const {
  ContractionInput<Scalar> input;
  input.records = m_copy.records.data();
  input.dictionary = m_copy.dictionary.data();
  input.layout = m_copy.layout;
  input.row = m_copy.layout.fields[m_copy.order.row_mode];
  input.stride = stride;
  input.count = static_cast<int>(m_gathered.size());
  input.fetch = !m_copy.order.fetched_mode  ? RowFetch::none
                : m_copy.order.non_temporal ? RowFetch::non_temporal
                                            : RowFetch::last;
  for (std::size_t k = 0; k < m_gathered.size(); ++k) {
    input.factors[k] = {m_copy.layout.fields[m_gathered[k]], factors[k]};
  }
  return input;
}

template <RealScalar Scalar, ExecutionSpace Exec>
void Contraction<Scalar, Exec>::run(const Exec& exec, std::span<const Scalar* const> factors,
                                    std::size_t stride, Scalar* output,
                                    const std::function<void()>& early) {
  reserve(stride);
  const ContractionInput<Scalar> read = input(factors, stride);
  const auto done = [&early] {
    if (early) early();
  };
  if constexpr (is_host_space<Exec>) {
    for (const ColumnBlock& columns : column_blocks<Scalar>(stride, lines_at_once())) {
      if (uses_panel()) {
        contract_in_panel(exec, m_copy, read, m_gathered, columns, m_runs, m_partials.data(),
                          m_panel.data(), output);
      } else {
        contract_on_host(exec, m_copy, read, columns, m_runs, m_partials.data(), output);
      }
    }
    done();
  } else {
    contract_on_device(exec, m_copy, read, m_carries, traversal_of(stride), stride, output, done);
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
void Contraction<Scalar, Exec>::traversal(const Exec& exec, std::span<const Scalar* const> factors,
                                          std::size_t stride, const Scalar* own,
                                          const NonzeroMap<Scalar>& phi,
                                          Scalar* output) requires is_host_space<Exec> {
  // Where contractions take a few columns at a time, their partial sums are as narrow.
  widen(m_partials, "genten::partial_sums", static_cast<std::size_t>(m_copy.partial_rows) * stride);
  ContractionInput<Scalar> read = input(factors, stride);
  read.own = own;
  const TraversalLoop<Scalar> loop =
      sorted_loops<Scalar>().traversal_loop(stride, read.count, read.layout, m_runs);
  const auto chunks = m_copy.chunks;
  const auto ranges = m_copy.ranges;
  Scalar* const partials = m_partials.data();
  for_each_index("genten::traversal", exec, chunks.extent(0), [=](const std::size_t c) {
    const SortedChunk& chunk = chunks(c);
    const auto out = begin_chunk(chunk, partials, output, stride, 0, stride);
    for (offset_t r = chunk.ranges_begin; r < chunk.ranges_end; ++r) {
      loop(read, phi, ranges(r).begin, ranges(r).end, out);
    }
  });
  add_split_blocks(exec, m_copy, partials, output, stride, 0, stride);
}

}  // namespace genten::detail

/// What the sorted kernel is made of, whatever the ordinals of the tensor.
#define GENTEN_ETI_CONTRACTION(PREFIX, SCALAR, EXEC)                                       \
  PREFIX template class genten::detail::Contraction<SCALAR, EXEC>;                         \
  PREFIX template genten::SortedCopy<SCALAR, EXEC> genten::make_sorted_copy<SCALAR, EXEC>( \
      const EXEC&, const genten::PackedTensor<SCALAR, EXEC>&, const genten::NonzeroOrder&, \
      genten::offset_t, genten::detail::SortInput, genten::detail::SortWorkspace<EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_CONTRACTION, extern)
#endif
