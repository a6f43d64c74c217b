// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include "hints/nearest_file.hpp"
#include "printable.hpp"
#include "terminal/terminal.hpp"

#include <genten/base/error.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <new>
#include <regex>

namespace genten::tools {
namespace {

ExitCode exit_code_of(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::argument:
      return wrong_usage;
    case Error::Kind::file:
      return file_trouble;
    case Error::Kind::memory:
    case Error::Kind::runtime:
      return failure;
  }
  return failure;
}

/// Has whoever read the standard output gone?
bool nobody_reads() {
  pollfd output{STDOUT_FILENO, 0, 0};
  return poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

/// Does the message tell of one rank among several? What it met need not be so in the folder of the
/// rank that speaks.
bool names_rank(const Error& error) {
  static const std::regex name("(^|: )rank [0-9]+ of [0-9]+: ");
  return dynamic_cast<const AgreedError*>(&error) != nullptr &&
         std::regex_search(error.what(), name);
}

/// The message, with a hint at what may have been meant where this process knows.
std::string hinted(const Error& error) {
  return names_rank(error) ? error.what() : with_nearest_file(error.what());
}

}  // namespace

int complain(std::string_view program, std::string_view message, ExitCode code) {
  std::cout.flush();
  std::cerr << painted(std::cerr, Paint::error, std::string(program) + ":") << ' '
            << printable_lines(message) << '\n';
  return code;
}

std::string without_function(const std::string& message) {
  const std::size_t end = message.find(": ");
  const auto in_names = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == ':';
  };
  const bool named =
      end != std::string::npos &&
      std::all_of(message.begin(), message.begin() + static_cast<std::ptrdiff_t>(end), in_names);
  return named ? message.substr(end + 2) : message;
}

int guarded(std::string_view program, const std::function<int()>& body) {
  try {
    return body();
  } catch (const Error& error) {
    return complain(program, hinted(error), exit_code_of(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain(program, "out of memory", failure);
  } catch (const std::exception& error) {
    return complain(program, error.what(), failure);
  }
}

int run_program(std::string_view program, const std::function<int()>& body) {
  const int exit_code = guarded(program, body);
  std::cout.flush();
  if (std::cout || nobody_reads()) return exit_code;
  const int lost = complain(program, "cannot write to the standard output", file_trouble);
  return exit_code == success ? lost : exit_code;
}

}  // namespace genten::tools
