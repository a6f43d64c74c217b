// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// MemoryRecorder: how many bytes of Kokkos allocations live at once, as Kokkos tells its tools.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string>

namespace genten_test {

/// Follows what is allocated and freed in one memory space while it lives, beside what was there
/// before. One at a time, and not together with a ToolRecorder.
class MemoryRecorder {
 public:
  /// Of the space of that name, e.g. Kokkos::HostSpace::name().
  explicit MemoryRecorder(std::string space) : m_space(std::move(space)) {
    active = this;
    Kokkos::Tools::Experimental::set_allocate_data_callback(&MemoryRecorder::on_allocation);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(&MemoryRecorder::on_deallocation);
  }
  ~MemoryRecorder() {
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
    Kokkos::Tools::Experimental::set_deallocate_data_callback(nullptr);
    active = nullptr;
  }
  MemoryRecorder(const MemoryRecorder&) = delete;
  MemoryRecorder& operator=(const MemoryRecorder&) = delete;

  /// Bytes that live now; below 0 where some of before are gone.
  [[nodiscard]] double live() const { return static_cast<double>(m_live); }
  /// The most bytes that lived at once.
  [[nodiscard]] double peak() const { return static_cast<double>(m_peak); }

 private:
  static void on_allocation(Kokkos::Tools::SpaceHandle space, const char* /*label*/,
                            const void* /*pointer*/, std::uint64_t bytes) {
    active->add(space, static_cast<std::int64_t>(bytes));
  }
  static void on_deallocation(Kokkos::Tools::SpaceHandle space, const char* /*label*/,
                              const void* /*pointer*/, std::uint64_t bytes) {
    active->add(space, -static_cast<std::int64_t>(bytes));
  }
  void add(const Kokkos::Tools::SpaceHandle& space, std::int64_t bytes) {
    const std::lock_guard lock(m_mutex);
    if (m_space != space.name) return;
    m_live += bytes;
    m_peak = std::max(m_peak, m_live);
  }

  static inline MemoryRecorder* active = nullptr;
  std::mutex m_mutex;
  std::string m_space;
  std::int64_t m_live = 0;
  std::int64_t m_peak = 0;
};

}  // namespace genten_test
