// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "work_watch.hpp"

#include "../text.hpp"
#include "terminal.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <system_error>
#include <utility>

namespace genten::tools {

std::string describe(const WorkMeter::Reading& reading, const std::string& subject) {
  std::string text = reading.step;
  if (!subject.empty()) text += " " + subject;
  const double share =
      reading.total == 0
          ? 0.0
          : std::min(1.0, static_cast<double>(reading.done) / static_cast<double>(reading.total));
  if (reading.total == 0) return text + ": " + format_duration(reading.seconds);
  text += format(": %.0f %%", std::floor(100.0 * share));
  // The first blocks say little.
  if (share < 0.05) return text;
  return text + ", about " + format_duration(reading.seconds * (1.0 - share) / share) + " left";
}

WorkWatch::WorkWatch(bool wanted, std::string subject) : m_subject(std::move(subject)) {
  if (!wanted || !can_write_over(std::cerr)) return;
  try {
    m_thread = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // no more threads: there is work to do all the same
  }
}

void WorkWatch::stop() {
  if (!m_thread.joinable()) return;
  {
    const std::lock_guard lock(m_mutex);
    m_stop = true;
  }
  m_stopped.notify_one();
  m_thread.join();
}

void WorkWatch::watch() {
  using namespace std::chrono_literals;
  std::unique_lock lock(m_mutex);
  const auto stopped_within = [&](auto time) {
    return m_stopped.wait_for(lock, time, [&] { return m_stop; });
  };
  if (stopped_within(1s)) return;
  do {
    const WorkMeter::Reading reading = m_meter.read();
    if (reading.step == nullptr) continue;
    const std::string line = shorten(describe(reading, m_subject), terminal_width(std::cerr) - 1);
    std::cerr << "\r" << line << "\033[K" << std::flush;
  } while (!stopped_within(200ms));
  std::cerr << "\r\033[K" << std::flush;
}

}  // namespace genten::tools
