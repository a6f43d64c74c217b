// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Values that a loss does not take are the fault of their file, not of an option.

#include "tools/files.hpp"
#include "tools/program.hpp"

#include <genten/cp/data_error.hpp>

#include <string>

namespace genten::cli {

/// Calls body(); what it says of values is an error of kind `file`, and all that it says concerns
/// `file` or, of other errors, `otherwise`.
template <class Body>
decltype(auto) with_values_of(const std::string& file, const std::string& otherwise,
                              const Body& body) {
  bool is_of_data = false;
  const auto about = [&](const std::string&) {
    return is_of_data ? tools::input_name(file) : otherwise;
  };
  return tools::concerning(about, [&]() -> decltype(auto) {
    try {
      return body();
    } catch (const DataError& error) {
      is_of_data = true;
      throw Error(Error::Kind::file, error.what());
    }
  });
}

}  // namespace genten::cli
