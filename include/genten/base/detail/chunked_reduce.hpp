// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Reductions whose result does not depend on the number of threads: the range is cut into chunks
/// that depend on its length alone, each chunk is reduced in order, and the chunks' results are
/// combined in order.

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/base/detail/even_chunks.hpp>
#include <genten/base/detail/staged_copy.hpp>
#include <genten/base/types.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// How a range is cut: on a host into runs of neighbours, on a device into interleaved elements,
/// so that neighbouring threads read neighbouring memory.
template <ExecutionSpace Exec>
class ReduceChunks {
 public:
  /// At least `shortest` elements a chunk and at most `most` chunks.
  ReduceChunks(offset_t range, offset_t shortest, offset_t most)
      : m_elements(range),
        m_chunks(static_cast<std::size_t>(range), static_cast<std::size_t>(shortest),
                 static_cast<std::size_t>(most)) {}

  KOKKOS_FUNCTION offset_t count() const { return static_cast<offset_t>(m_chunks.count()); }
  KOKKOS_FUNCTION offset_t begin(offset_t chunk) const {
    if constexpr (!is_host_space<Exec>) return chunk;
    return static_cast<offset_t>(m_chunks.begin(static_cast<std::size_t>(chunk)));
  }
  KOKKOS_FUNCTION offset_t end(offset_t chunk) const {
    if constexpr (!is_host_space<Exec>) return m_elements;
    return begin(chunk + 1);
  }
  KOKKOS_FUNCTION offset_t step() const { return is_host_space<Exec> ? 1 : count(); }

 private:
  offset_t m_elements;
  EvenChunks m_chunks;
};

/// Adds a term to a running value.
struct SumJoin {
  template <class Value>
  KOKKOS_FUNCTION void operator()(Value& value, const Value& term) const {
    value += term;
  }
};

/// Keeps the larger; NaN where there is one.
struct MaxJoin {
  template <class Value>
  KOKKOS_FUNCTION void operator()(Value& value, const Value& term) const {
    if (below(value, term)) value = term;
  }
};

/// join over 0 <= i < count of term(i), started from `identity`. `term` is callable on the device
/// and returns a Value. Returns after a fence on `exec`.
template <class Value, ExecutionSpace Exec, class Term, class Join = SumJoin>
[[nodiscard]] Value chunked_reduce(const std::string& label, const Exec& exec, offset_t count,
                                   const Term& term, const Value identity = Value(),
                                   const Join join = Join()) {
  if (count == 0) return identity;
  const ReduceChunks<Exec> chunks(count, is_host_space<Exec> ? 2048 : 32,
                                  is_host_space<Exec> ? 4096 : 65536);
  using Array = Kokkos::View<Value*, typename Exec::memory_space>;
  const auto partial = new_view<Array>(
      Kokkos::view_alloc(exec, "genten::chunked_reduce", Kokkos::WithoutInitializing),
      static_cast<std::size_t>(chunks.count()));
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, chunks.count()),
      KOKKOS_LAMBDA(const offset_t chunk) {
        Value value = identity;
        const offset_t end = chunks.end(chunk), step = chunks.step();
        for (offset_t i = chunks.begin(chunk); i < end; i += step) join(value, term(i));
        partial(chunk) = value;
      });
  const auto host = Kokkos::create_mirror_view(partial);
  copy_view(exec, host, partial);
  exec.fence();
  Value result = identity;
  for (offset_t chunk = 0; chunk < chunks.count(); ++chunk) join(result, host(chunk));
  return result;
}

}  // namespace genten::detail
