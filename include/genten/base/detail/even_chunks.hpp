// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Chunks of a range, shared out to the threads of a host, and arrays there.

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/types.hpp>

#include <string>

namespace genten::detail {

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

/// An uninitialized array on the host.
template <class T>
[[nodiscard]] HostArray<T> uninitialized_array(const char* label, std::size_t count) {
  return new_view<HostArray<T>>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing),
                                count);
}

/// The one way to cut a range into pieces of nearly equal length: the first few are longer by one.
/// The number of pieces depends on the length of the range alone, unless `most` is made to depend
/// on something else.
class EvenChunks {
 public:
  /// Pieces of at least `shortest` elements, if there are that many, and at most `most` pieces.
  KOKKOS_FUNCTION explicit EvenChunks(std::size_t elements, std::size_t shortest = 16384,
                                      std::size_t most = 256)
      : m_elements(elements), m_count(elements / shortest) {
    if (m_count > most) m_count = most;
    if (m_count == 0) m_count = 1;
  }

  [[nodiscard]] KOKKOS_FUNCTION std::size_t count() const { return m_count; }
  [[nodiscard]] KOKKOS_FUNCTION std::size_t begin(std::size_t chunk) const {
    const std::size_t longer = m_elements % m_count;
    return m_elements / m_count * chunk + (chunk < longer ? chunk : longer);
  }
  [[nodiscard]] KOKKOS_FUNCTION std::size_t end(std::size_t chunk) const {
    return begin(chunk + 1);
  }

 private:
  std::size_t m_elements;
  std::size_t m_count;
};

/// Runs body(i) for 0 <= i < count in parallel, handing out indices, one or a few at a time, as
/// threads come free; waits.
template <ExecutionSpace Exec, class Body>
requires is_host_space<Exec>
void for_each_index(const char* label, const Exec& exec, std::size_t count, const Body& body) {
  using Policy =
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  const Kokkos::ChunkSize at_a_time(static_cast<int>(count / 4096) + 1);
  Kokkos::parallel_for(label, Policy(exec, std::size_t{0}, count, at_a_time), body);
  fence(exec, label);
}

}  // namespace genten::detail
