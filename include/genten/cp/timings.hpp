// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Seconds by phase, with a Kokkos profiling region for each.

#include <genten/base/detail/kokkos_compat.hpp>

#include <chrono>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten {

/// Seconds since it was made.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
  }

 private:
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Seconds spent in one phase.
struct PhaseTiming {
  std::string name;
  double seconds = 0.0;
};

/// A Kokkos profiling region as long as it lives.
class ProfilingRegion {
 public:
  explicit ProfilingRegion(const std::string& name) { Kokkos::Profiling::pushRegion(name); }
  ~ProfilingRegion() { Kokkos::Profiling::popRegion(); }
  ProfilingRegion(const ProfilingRegion&) = delete;
  ProfilingRegion& operator=(const ProfilingRegion&) = delete;
};

/// Seconds by phases of any name. No second counts twice: what a phase spends in others that begin
/// and end within it counts for those alone, so that the phases add up to the time that they took.
class PhaseTimings {
 public:
  /// Phases that are listed whether they happen or not, in this order; others follow as they come.
  PhaseTimings(std::initializer_list<std::string_view> names = {}) {
    for (const std::string_view name : names) add(name, 0.0);
  }

  /// Adds seconds that were measured otherwise, e.g. by events in a device's queue.
  void add(std::string_view name, double seconds) {
    m_sum += seconds;
    for (PhaseTiming& phase : m_phases) {
      if (phase.name != name) continue;
      phase.seconds += seconds;
      return;
    }
    m_phases.push_back({std::string(name), seconds});
  }

  /// Runs `body`, whose result is returned, and adds the time that it takes to the phase `name`.
  template <class Body>
  auto time(const char* name, Body&& body) {
    const ProfilingRegion region(std::string("genten::") + name);
    const Phase phase(*this, name);
    return body();
  }

  /// The same with the time until the kernels that `body` has queued on `exec` are done.
  template <ExecutionSpace Exec, class Body>
  auto time(const Exec& exec, const char* name, Body&& body) {
    const ProfilingRegion region(std::string("genten::") + name);
    const Phase phase(*this, name);
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      detail::fence(exec, name);
    } else {
      auto result = body();
      detail::fence(exec, name);
      return result;
    }
  }

  /// In the order in which they were first named.
  [[nodiscard]] const std::vector<PhaseTiming>& phases() const { return m_phases; }
  /// Of one phase; 0 where there is none of that name.
  [[nodiscard]] double seconds(std::string_view name) const {
    for (const PhaseTiming& phase : m_phases) {
      if (phase.name == name) return phase.seconds;
    }
    return 0.0;
  }
  /// Of all phases.
  [[nodiscard]] double sum() const { return m_sum; }

 private:
  /// From construction to destruction, without what is added meanwhile.
  class Phase {
   public:
    Phase(PhaseTimings& timings, const char* name) : m_timings(timings), m_name(name) {
      timings.add(name, 0.0);  // the destructor must not allocate
      m_before = timings.sum();
    }
    ~Phase() {
      const double inside = m_timings.sum() - m_before, all = m_watch.seconds();
      m_timings.add(m_name, all > inside ? all - inside : 0.0);
    }
    Phase(const Phase&) = delete;
    Phase& operator=(const Phase&) = delete;

   private:
    PhaseTimings& m_timings;
    const char* m_name;
    double m_before = 0.0;
    Stopwatch m_watch;
  };

  std::vector<PhaseTiming> m_phases;
  double m_sum = 0.0;
};

}  // namespace genten
