// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// WorkMeter: how far a long piece of work has come, for who waits.

#include <atomic>
#include <chrono>
#include <cstddef>

namespace genten {

/// Set by the threads that work, read by any other at any time. Work is a row of steps; a step
/// counts what it has done, in units of its own.
class WorkMeter {
 public:
  /// Where the work stands.
  struct Reading {
    const char* step = nullptr;  ///< what is being done; null before the first step
    std::size_t done = 0;
    std::size_t total = 0;  ///< of this step; 0: not known
    double seconds = 0.0;   ///< since it began
  };

  /// Begins a step. `step` must outlive the meter, as literals do.
  void begin(const char* step, std::size_t total) {
    m_total.store(0);  // a reader between two of these stores sees a step of unknown length
    m_done.store(0);
    m_begun.store(Clock::now().time_since_epoch());
    m_step.store(step);
    m_total.store(total);
  }
  void add(std::size_t more) { m_done.fetch_add(more, std::memory_order_relaxed); }

  [[nodiscard]] Reading read() const {
    const std::chrono::duration<double> since = Clock::now().time_since_epoch() - m_begun.load();
    return {m_step.load(), m_done.load(), m_total.load(), since.count()};
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::atomic<const char*> m_step{nullptr};
  std::atomic<std::size_t> m_done{0};
  std::atomic<std::size_t> m_total{0};
  std::atomic<Clock::duration> m_begun{};
};

}  // namespace genten
