// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Ctrl-C as a request.

#include <csignal>

namespace genten::cli {

/// While one lives, the first SIGINT or SIGTERM only sets a flag; the next one ends the process as
/// usual. The flag stays set afterwards.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The signal that came, 0 if none.
  [[nodiscard]] static int signal();

 private:
  struct sigaction m_old_int {};
  struct sigaction m_old_term {};
};

}  // namespace genten::cli
