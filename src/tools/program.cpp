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
    return complain(program, with_nearest_file(error.what()), exit_code_of(error.kind()));
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
