// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What signals do to the tool.

namespace genten::cli {

/// To be called when the program starts. From then on SIGINT, SIGTERM, SIGHUP and SIGPIPE end it as
/// they always do, but temporary files are removed before; those that it was started to ignore, as
/// by nohup, it goes on ignoring. The limit on the length of files (SIGXFSZ) is an error of writing
/// like any other.
void end_cleanly_on_signals();

/// From now on a pipe that nobody reads any more is an error of writing, not a signal.
void outlive_closed_pipes();

/// While one lives, the first SIGINT, SIGTERM or SIGHUP is only noted; the next one ends the
/// program. What was noted stays so.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  /// The signal that was noted, 0 if none.
  [[nodiscard]] static int signal();
};

/// "SIGINT"; of those that a guard notes.
[[nodiscard]] const char* signal_name(int signal);

}  // namespace genten::cli
