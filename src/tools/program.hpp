// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a program ends.

#include <genten/base/error.hpp>

#include <concepts>
#include <exception>
#include <functional>
#include <string>
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

/// What is wrong, in the words of a command line.
[[nodiscard]] std::string sentence(const std::exception& error);
/// The same without the option or file that it is about.
[[nodiscard]] std::string complaint(const Error& error);

/// A note of the library likewise.
[[nodiscard]] std::string in_words(std::string_view note);

/// A word as a shell takes it, in quotes where it has blanks or other signs that mean something
/// there.
[[nodiscard]] std::string in_command(std::string_view text);

/// Throws an error of the library as one about `what`, unless that is empty. Values that a loss
/// does not take are the fault of their file, not that of an option.
[[noreturn]] void throw_about(const Error& error, const std::string& what);
/// Throws an error met in reading a file as one that names it: what is wrong with its content is
/// the file's fault, not that of an option.
[[noreturn]] void throw_in_file(const Error& error, const std::string& path);

/// What `body` makes of the library. Errors of arguments and files are about `subject(error)`,
/// unless that is empty. Which tensor does not fit is known elsewhere, and of what a run came to no
/// file is at fault.
template <class Subject, class Body>
requires std::invocable<Subject, const Error&>
decltype(auto) concerning(const Subject& subject, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    const bool at_fault =
        error.kind() == Error::Kind::argument || error.kind() == Error::Kind::file;
    throw_about(error, at_fault ? subject(error) : "");
  }
}
template <class Body>
decltype(auto) concerning(const std::string& what, const Body& body) {
  return concerning([&](const Error&) { return what; }, body);
}

/// What `body` reads from a file. Every error becomes one that names it.
template <class Body>
decltype(auto) reading(const std::string& path, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw_in_file(error, path);
  }
}

}  // namespace genten::tools
