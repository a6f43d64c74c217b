// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a program ends.

#include <functional>
#include <string_view>

namespace genten::tools {

/// Exit codes of the tool and of the benchmarks.
enum ExitCode : int {
  success = 0,       ///< done; also when a run ended at a limit that was set for it
  failure = 1,       ///< a numerical or runtime failure: non-finite values, memory, a library
  wrong_usage = 2,   ///< an option or its value
  file_trouble = 3,  ///< a file is absent, malformed or cannot be written
  interrupted = 4,   ///< a signal ended the run early, and what it had reached is written
};

/// Says `message` on standard error, behind what was printed and the program's name.
int complain(std::string_view program, std::string_view message, ExitCode code);

/// The exit code that `body` returns, or a message and an exit code for what it throws: an Error's
/// by its kind.
int guarded(std::string_view program, const std::function<int()>& body);

/// The same for the whole of a program. What was printed but could not be written is file trouble,
/// unless it went to a pipe that nobody reads any more.
int run_program(std::string_view program, const std::function<int()>& body);

}  // namespace genten::tools
