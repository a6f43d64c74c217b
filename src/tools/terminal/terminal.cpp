// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "terminal.hpp"

#include "tools/launch/processes.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace genten::tools {
namespace {

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

const char* code_of(Paint paint) {
  switch (paint) {
    case Paint::name:
      return "\033[1m";  // bold
    case Paint::note:
      return "\033[33m";  // yellow
    case Paint::error:
      return "\033[1;31m";  // bold red
  }
  return "";
}

}  // namespace

bool is_terminal(const std::ostream& out) {
  // Some launchers give what they start a terminal and pass on, as lines, what comes from there.
  if (!find_launch().launcher.empty()) return false;
  // The streams may be bound to another buffer, but by their names.
  if (&out == &std::cout) return isatty(STDOUT_FILENO) != 0;
  return &out == &std::cerr && isatty(STDERR_FILENO) != 0;
}

bool can_write_over(const std::ostream& out) {
  const std::string_view terminal = variable("TERM");
  return is_terminal(out) && !terminal.empty() && terminal != "dumb";
}

bool has_colors(const std::ostream& out) {
  return can_write_over(out) && variable("NO_COLOR").empty();
}

std::size_t terminal_width(const std::ostream& out) {
  winsize size{};
  const int descriptor = &out == &std::cerr ? STDERR_FILENO : STDOUT_FILENO;
  const bool known = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0;
  return known ? size.ws_col : 80;
}

std::string painted(const std::ostream& out, Paint paint, std::string_view text) {
  if (!has_colors(out)) return std::string(text);
  return std::string(code_of(paint)).append(text).append("\033[0m");
}

}  // namespace genten::tools
