// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "program.hpp"

#include "printable.hpp"

#include <genten/base/error.hpp>

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

}  // namespace

int complain(std::string_view program, std::string_view message, ExitCode code) {
  std::cout.flush();
  std::cerr << program << ": " << printable_lines(message) << '\n';
  return code;
}

int run_program(std::string_view program, const std::function<int()>& body) {
  try {
    const int exit_code = body();
    std::cout.flush();
    if (!std::cout) throw Error(Error::Kind::file, "cannot write to the standard output");
    return exit_code;
  } catch (const Error& error) {
    return complain(program, error.what(), exit_code_of(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain(program, "out of memory", failure);
  } catch (const std::exception& error) {
    return complain(program, error.what(), failure);
  }
}

}  // namespace genten::tools
