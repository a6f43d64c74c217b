// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A contraction with phi(x, m) in the place of the values, on hosts. Compiled where the functor is
/// known: in the caller's program.

#include <genten/base/detail/even_chunks.hpp>
#include <genten/mttkrp/kernels/sorted/contraction.hpp>
#include <genten/mttkrp/kernels/sorted/walk_loop.hpp>

namespace genten::detail {

template <RealScalar Scalar, ExecutionSpace Exec>
template <class Phi>
void Contraction<Scalar, Exec>::walk(const Exec& exec, std::span<const Scalar* const> factors,
                                     std::size_t stride, const Scalar* own, const Phi& phi,
                                     Scalar* output) {
  static_assert(is_host_space<Exec>);
  // Where contractions take a few columns at a time, their partial sums are as narrow.
  widen(m_partials, "genten::partial_sums", static_cast<std::size_t>(m_copy.partial_rows) * stride);
  ContractionInput<Scalar> read = input(factors, stride);
  read.own = own;
  const RowFetch fetch = m_copy.order.fetched_mode ? RowFetch::last : RowFetch::none;
  const WalkLoop<Scalar, Phi> loop =
      WalkChoice<Scalar, Phi>(stride, read.count, read.layout, {true, m_runs, fetch}).loop();
  const auto chunks = m_copy.chunks;
  const auto ranges = m_copy.ranges;
  Scalar* const partials = m_partials.data();
  for_each_index("genten::walk", exec, chunks.extent(0), [=](const std::size_t c) {
    const SortedChunk& chunk = chunks(c);
    const auto out = begin_chunk(chunk, partials, output, stride, 0, stride);
    for (offset_t r = chunk.ranges_begin; r < chunk.ranges_end; ++r) {
      loop(read, phi, ranges(r).begin, ranges(r).end, out);
    }
  });
  add_split_blocks(exec, m_copy, partials, output, stride, 0, stride);
}

}  // namespace genten::detail
