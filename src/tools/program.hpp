// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a program ends.

#include "files.hpp"

#include <genten/base/error.hpp>
#include <genten/dist/communicator.hpp>

#include <concepts>
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

/// An error whose message names the file that it is about, which may be another one than the tensor
/// at hand.
class NamedError : public Error {
 public:
  using Error::Error;
};

/// A message of the library without the function's name in front ("cp_als: "), which says nothing
/// to users of a program.
[[nodiscard]] std::string without_function(const std::string& message);

/// What `body` makes of the library. Errors lose the function's name; those of arguments and files
/// get `subject(message)` in its place, unless that is empty. Which tensor does not fit is known
/// elsewhere, and of what a run came to no file is at fault.
template <class Subject, class Body>
requires std::invocable<Subject, const std::string&>
decltype(auto) concerning(const Subject& subject, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    const std::string message = without_function(error.what());
    const bool at_fault =
        error.kind() == Error::Kind::argument || error.kind() == Error::Kind::file;
    const std::string what = at_fault ? subject(message) : "";
    const std::string text = (what.empty() ? "" : what + ": ") + message;
    if (dynamic_cast<const AgreedError*>(&error) != nullptr) throw AgreedError(error.kind(), text);
    throw Error(error.kind(), text);
  }
}
template <class Body>
decltype(auto) concerning(const std::string& what, const Body& body) {
  return concerning([&](const std::string&) { return what; }, body);
}

/// What `body` reads from a file. Every error becomes one that names it, and what is wrong with its
/// content is the file's fault, not that of an option.
template <class Body>
decltype(auto) reading(const std::string& path, const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    const std::string file = input_name(path), message = error.what();
    const bool named = message.starts_with(file + ":") || message.starts_with(path + ":");
    const auto kind = error.kind() == Error::Kind::argument ? Error::Kind::file : error.kind();
    const std::string text = named ? message : file + ": " + without_function(message);
    if (dynamic_cast<const AgreedError*>(&error) != nullptr) throw AgreedError(kind, text);
    throw NamedError(kind, text);
  }
}

}  // namespace genten::tools
