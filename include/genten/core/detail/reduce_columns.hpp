// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Reductions over each column of a matrix whose result does not depend on the number of threads.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/chunked_reduce.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// How the rows of a matrix of so many columns are cut for a reduction of its columns. A device
/// gets some 2^17 (chunk, column) pairs, which keep it busy: an H200 sums up columns of 20 million
/// rows in all, 16 columns of them, in 2.5 ms, and took 36 ms with 256 chunks.
template <ExecutionSpace Exec>
[[nodiscard]] ReduceChunks<Exec> column_chunks(offset_t rows, offset_t columns) {
  if constexpr (is_host_space<Exec>) return {rows, 256, 256};
  return {rows, 32, std::max<offset_t>(256, 131072 / (columns + 1))};
}

/// Reduces the columns: chunk by chunk on a host, (chunk, column) pairs on a device.
template <class Terms, ExecutionSpace Exec>
struct ReduceChunksOfColumns {
  using Value = typename Terms::Value;
  /// Terms that a thread of a device fetches before it adds them, one after the other: it would
  /// otherwise wait for the memory at every term.
  static constexpr int batch = 16;

  ReduceChunks<Exec> chunks;
  offset_t columns;
  Terms terms;
  Value* results;  ///< chunk x column

  [[nodiscard]] offset_t indices() const {
    return is_host_space<Exec> ? chunks.count() : chunks.count() * columns;
  }
  KOKKOS_FUNCTION void operator()(const offset_t index) const {
    if constexpr (is_host_space<Exec>) {
      Value* const row = results + index * columns;
      for (offset_t j = 0; j < columns; ++j) row[j] = Value();
      for (offset_t i = chunks.begin(index); i < chunks.end(index); ++i) {
        for (offset_t j = 0; j < columns; ++j) terms.add(row[j], terms.fetch(i, j));
      }
    } else {
      results[index] = reduce_column(index / columns, index % columns);
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

/// Joins the results of neighbouring chunks, in order, so that few are left for the host.
template <class Terms>
struct JoinChunksOfColumns {
  using Value = typename Terms::Value;

  offset_t chunks, groups, columns;
  const Value* from;  ///< chunk x column
  Value* to;          ///< group x column

  KOKKOS_FUNCTION void operator()(const offset_t index) const {
    const offset_t group = index / columns, j = index % columns;
    Value value{};
    for (offset_t c = chunks * group / groups; c < chunks * (group + 1) / groups; ++c) {
      Terms::join(value, from[c * columns + j]);
    }
    to[index] = value;
  }
};

/// Reductions over the columns of several matrices of as many columns, queued one behind the other:
/// the host waits once for all of them. `Terms` says what a column amounts to: a Value that starts
/// as Value() and becomes something by add(value, fetch(i, j)) for every row i of a chunk of rows;
/// the static join(value, other) puts the values of chunks together, in order.
template <class Terms, ExecutionSpace Exec>
class ColumnReductions {
 public:
  using Value = typename Terms::Value;

  ColumnReductions(const Exec& exec, offset_t columns) : m_exec(exec), m_columns(columns) {}

  /// Adds a matrix of so many rows, of which `terms` fetches.
  void queue(offset_t rows, const Terms& terms) {
    if (rows == 0 || m_columns == 0) {
      m_results.emplace_back("genten::column_results", 0);
      return;
    }
    const auto chunks = column_chunks<Exec>(rows, m_columns);
    const bool few = is_host_space<Exec> || chunks.count() <= most_groups;
    const offset_t groups = few ? chunks.count() : most_groups;
    const Results results = uninitialized_view<Results>(
        "genten::column_results", static_cast<std::size_t>(groups * m_columns));
    if (!few) reserve(chunks.count() * m_columns);
    const ReduceChunksOfColumns<Terms, Exec> reduce{chunks, m_columns, terms,
                                                    few ? results.data() : m_partial.data()};
    Kokkos::parallel_for("genten::reduce_columns", Policy(m_exec, 0, reduce.indices()), reduce);
    if (!few) {
      const JoinChunksOfColumns<Terms> join{chunks.count(), groups, m_columns, m_partial.data(),
                                            results.data()};
      Kokkos::parallel_for("genten::join_chunks", Policy(m_exec, 0, groups * m_columns), join);
    }
    m_results.push_back(results);
  }

  /// By matrix and column; waits for all that was queued.
  [[nodiscard]] std::vector<std::vector<Value>> take() {
    fence(m_exec, "genten::column_reductions");
    const auto columns = static_cast<std::size_t>(m_columns);
    std::vector<std::vector<Value>> all;
    for (const Results& results : m_results) {
      auto& values = all.emplace_back(columns);
      for (std::size_t k = 0; k < results.extent(0); ++k) {
        Terms::join(values[k % columns], results(k));
      }
    }
    m_results.clear();
    return all;
  }

 private:
  /// The host joins so many values of a column.
  static constexpr offset_t most_groups = 64;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>;
  /// Kernels write them where the host reads them.
  using Results = Kokkos::View<Value*, typename Backend<Exec>::pinned_space>;

  /// Kernels that are queued one behind the other may share the memory.
  void reserve(offset_t values) {
    if (m_partial.extent(0) >= static_cast<std::size_t>(values)) return;
    fence(m_exec, "genten::column_reductions");
    m_partial = uninitialized_view<decltype(m_partial)>("genten::column_partial",
                                                        static_cast<std::size_t>(values));
  }

  Exec m_exec;
  offset_t m_columns;
  Kokkos::View<Value*, typename Exec::memory_space> m_partial;
  std::vector<Results> m_results;
};

}  // namespace genten::detail
