// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Reductions over each column of a matrix whose result does not depend on the number of threads.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/chunked_reduce.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// The work of `reduce_columns`: chunk by chunk on a host, (chunk, column) pairs on a device.
template <class Value, ExecutionSpace Exec, class Terms>
struct ReduceColumns {
  /// Terms that a thread of a device fetches before it adds them, one after the other: few threads
  /// work on a column, and each would otherwise wait for the memory at every term.
  static constexpr int batch = 16;

  ReduceChunks<Exec> chunks;
  offset_t columns;
  Terms terms;
  Kokkos::View<Value**, Kokkos::LayoutRight, typename Exec::memory_space> partial;

  KOKKOS_FUNCTION void operator()(const offset_t index) const {
    if constexpr (is_host_space<Exec>) {
      Value* const row = &partial(index, 0);
      for (offset_t j = 0; j < columns; ++j) row[j] = Value();
      for (offset_t i = chunks.begin(index); i < chunks.end(index); ++i) {
        for (offset_t j = 0; j < columns; ++j) terms.add(row[j], terms.fetch(i, j));
      }
    } else {
      const offset_t chunk = index / columns, j = index % columns;
      partial(chunk, j) = reduce_column(chunk, j);
    }
  }

 private:
  KOKKOS_FUNCTION Value reduce_column(const offset_t chunk, const offset_t j) const {
    const offset_t end = chunks.end(chunk), step = chunks.step();
    Value value{};
    offset_t i = chunks.begin(chunk);
    for (; i + (batch - 1) * step < end; i += batch * step) {
      decltype(terms.fetch(i, j)) fetched[batch];
      GENTEN_DEVICE_UNROLL
      for (int k = 0; k < batch; ++k) fetched[k] = terms.fetch(i + k * step, j);
      GENTEN_DEVICE_UNROLL
      for (int k = 0; k < batch; ++k) terms.add(value, fetched[k]);
    }
    for (; i < end; i += step) terms.add(value, terms.fetch(i, j));
    return value;
  }
};

/// For each column j, what a Value that starts as Value() becomes by terms.add(value, fetched) for
/// fetched = terms.fetch(i, j), 0 <= i < rows, in at most `most` chunks of rows, whose values
/// terms.join(value, other) puts together in order. Device-callable, join on the host alone.
/// Returns host values, after a fence.
template <class Value, ExecutionSpace Exec, class Terms>
[[nodiscard]] std::vector<Value> reduce_columns(const std::string& label, const Exec& exec,
                                                offset_t rows, offset_t columns, const Terms& terms,
                                                offset_t most = 256) {
  std::vector<Value> result(static_cast<std::size_t>(columns));
  if (rows == 0 || columns == 0) return result;
  const ReduceChunks<Exec> chunks(rows, is_host_space<Exec> ? 256 : 32, most);
  using Matrix = Kokkos::View<Value**, Kokkos::LayoutRight, typename Exec::memory_space>;
  const Matrix partial(
      Kokkos::view_alloc(exec, "genten::reduce_columns", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(chunks.count()), static_cast<std::size_t>(columns));
  const offset_t indices = is_host_space<Exec> ? chunks.count() : chunks.count() * columns;
  Kokkos::parallel_for(label,
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, indices),
                       ReduceColumns<Value, Exec, Terms>{chunks, columns, terms, partial});
  const auto host = Kokkos::create_mirror_view(partial);
  Kokkos::deep_copy(exec, host, partial);
  exec.fence();
  for (offset_t chunk = 0; chunk < chunks.count(); ++chunk) {
    for (offset_t j = 0; j < columns; ++j) {
      terms.join(result[static_cast<std::size_t>(j)], host(chunk, j));
    }
  }
  return result;
}

}  // namespace genten::detail
