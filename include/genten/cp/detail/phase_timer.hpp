// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Seconds by phase, with a Kokkos profiling region for each.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/cp/result.hpp>

#include <chrono>

namespace genten::detail {

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// The phases of a CP-ALS run.
class PhaseTimings {
 public:
  PhaseTimings() {
    for (const char* name : {"prepare", "mttkrp", "gram", "inner_product", "solve", "norm", "scale",
                             "arrange", "total"}) {
      m_phases.push_back({name, 0.0});
    }
  }

  /// Runs `body`, waits for its kernels and adds the time until they are done to the phase `name`.
  template <class Exec, class Body>
  void time(const Exec& exec, const char* name, Body&& body) {
    Kokkos::Profiling::pushRegion(std::string("genten::") + name);
    const Stopwatch watch;
    body();
    fence(exec, name);
    add(name, watch.seconds());
    Kokkos::Profiling::popRegion();
  }

  void add(std::string_view name, double seconds) {
    for (PhaseTiming& phase : m_phases) {
      if (phase.name == name) phase.seconds += seconds;
    }
  }
  [[nodiscard]] const std::vector<PhaseTiming>& phases() const { return m_phases; }

 private:
  std::vector<PhaseTiming> m_phases;
};

}  // namespace genten::detail
