// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Chunks of a range, shared out to the threads of a host, and arrays there.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/base/types.hpp>

#include <algorithm>
#include <string>

namespace genten::detail {

template <class T>
using HostArray = Kokkos::View<T*, Kokkos::HostSpace>;

/// An uninitialized array on the host.
template <class T>
[[nodiscard]] HostArray<T> uninitialized_array(const char* label, std::size_t count) {
  return HostArray<T>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), count);
}

/// A range cut into chunks whose number depends on its length alone.
class EvenChunks {
 public:
  explicit EvenChunks(std::size_t elements)
      : m_elements(elements), m_count(std::clamp<std::size_t>(elements / 16384, 1, 256)) {}

  [[nodiscard]] std::size_t count() const { return m_count; }
  [[nodiscard]] std::size_t begin(std::size_t chunk) const {
    return m_elements / m_count * chunk + std::min(chunk, m_elements % m_count);
  }
  [[nodiscard]] std::size_t end(std::size_t chunk) const { return begin(chunk + 1); }

 private:
  std::size_t m_elements;
  std::size_t m_count;
};

/// Runs body(i) for 0 <= i < count in parallel, handing out indices as threads come free; waits.
template <ExecutionSpace Exec, class Body>
requires is_host_space<Exec>
void for_each_index(const char* label, const Exec& exec, std::size_t count, const Body& body) {
  using Policy =
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
  Kokkos::parallel_for(label, Policy(exec, std::size_t{0}, count), body);
  fence(exec, label);
}

}  // namespace genten::detail
