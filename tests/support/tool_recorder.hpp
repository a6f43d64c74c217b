// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ToolRecorder: what Kokkos tells its tools (launches, allocations), kept for a test to look at.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace genten_test {

/// Records every launch and allocation while it lives. One at a time.
class ToolRecorder {
 public:
  struct Launch {
    std::string label;
    std::uint32_t device;  ///< backend and instance, as Kokkos numbers them
  };

  ToolRecorder() {
    active = this;
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(&ToolRecorder::on_launch);
    tools::set_begin_parallel_reduce_callback(&ToolRecorder::on_launch);
    tools::set_begin_parallel_scan_callback(&ToolRecorder::on_launch);
    tools::set_allocate_data_callback(&ToolRecorder::on_allocation);
  }
  ~ToolRecorder() {
    namespace tools = Kokkos::Tools::Experimental;
    tools::set_begin_parallel_for_callback(nullptr);
    tools::set_begin_parallel_reduce_callback(nullptr);
    tools::set_begin_parallel_scan_callback(nullptr);
    tools::set_allocate_data_callback(nullptr);
    active = nullptr;
  }
  ToolRecorder(const ToolRecorder&) = delete;
  ToolRecorder& operator=(const ToolRecorder&) = delete;

  [[nodiscard]] const std::vector<Launch>& launches() const { return m_launches; }
  [[nodiscard]] const std::vector<std::string>& allocations() const { return m_allocations; }

 private:
  static void on_launch(const char* label, std::uint32_t device, std::uint64_t* id) {
    *id = 0;
    const std::lock_guard lock(active->m_mutex);
    active->m_launches.push_back({label, device});
  }
  static void on_allocation(Kokkos::Tools::SpaceHandle /*space*/, const char* label,
                            const void* /*pointer*/, std::uint64_t bytes) {
    if (bytes == 0) return;  // CUDA's team launches tell of these
    const std::lock_guard lock(active->m_mutex);
    active->m_allocations.emplace_back(label);
  }

  static inline ToolRecorder* active = nullptr;
  std::mutex m_mutex;  ///< threads of OpenMP allocate their own scratch memory for teams
  std::vector<Launch> m_launches;
  std::vector<std::string> m_allocations;
};

}  // namespace genten_test
