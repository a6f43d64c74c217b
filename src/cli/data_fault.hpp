// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Values that a loss does not take are the fault of their file, not of an option.

#include "tools/files.hpp"
#include "tools/program.hpp"

#include <string>

namespace genten::cli {

/// Calls body(); what it says of values concerns `file`, and all else `otherwise`.
template <class Body>
decltype(auto) with_values_of(const std::string& file, const std::string& otherwise,
                              const Body& body) {
  return tools::concerning(
      [&](const Error& error) {
        return error.code() == Error::Code::data ? tools::input_name(file) : otherwise;
      },
      body);
}

}  // namespace genten::cli
