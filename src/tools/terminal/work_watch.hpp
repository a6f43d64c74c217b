// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// WorkWatch: a line on the terminal that says how far long work has come.

#include <genten/base/work_meter.hpp>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace genten::tools {

/// "reading x.tns: 43 %, about 5 s left", "preparing: 12 s".
std::string describe(const WorkMeter::Reading& reading, const std::string& subject);

/// From the second second of its life on, writes how far work has come to standard error, in a line
/// that is written over and erased in the end. Does nothing where standard error is no terminal on
/// which lines can be written over.
/// Nothing else may be written to the terminal before `stop`.
class WorkWatch {
 public:
  /// `subject` stands behind the step's name: a file, or nothing.
  WorkWatch(bool wanted, std::string subject);
  ~WorkWatch() { stop(); }
  WorkWatch(const WorkWatch&) = delete;
  WorkWatch& operator=(const WorkWatch&) = delete;

  /// Where the work tells how far it has come.
  [[nodiscard]] WorkMeter& meter() { return m_meter; }
  void stop();

 private:
  void watch();

  std::string m_subject;
  WorkMeter m_meter;
  std::mutex m_mutex;
  std::condition_variable m_stopped;
  bool m_stop = false;
  std::thread m_thread;
};

}  // namespace genten::tools
