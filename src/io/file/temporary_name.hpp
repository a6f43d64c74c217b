// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// TemporaryName: a file that is to go when the process ends before its time.

#include <atomic>
#include <string>

namespace genten::detail {

/// The name of a file that `remove_temporary_files` removes as long as this object lives. Names are
/// kept in a list that a signal handler of any thread may go through at any moment: every step of
/// changing it leaves a whole list behind, and a name stays until nobody goes through it.
class TemporaryName {
 public:
  /// To be made before the file, so that there is no moment in which the file alone exists.
  explicit TemporaryName(std::string name);
  ~TemporaryName();
  TemporaryName(const TemporaryName&) = delete;
  TemporaryName& operator=(const TemporaryName&) = delete;

  [[nodiscard]] const char* c_str() const { return m_name.c_str(); }

  /// Removes the files of all names. Async-signal-safe.
  static void remove_all() noexcept;

 private:
  const std::string m_name;
  std::atomic<TemporaryName*> m_next{nullptr};
};

}  // namespace genten::detail
