// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names that a message says as the value of an option.

#include <string>
#include <vector>

namespace genten {

/// Names as an option takes them, with commas between: one with a comma stands in double quotes.
[[nodiscard]] inline std::string names_in_option(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    if (!list.empty()) list += ',';
    if (name.find(',') == std::string::npos && !name.starts_with('"')) {
      list += name;
      continue;
    }
    list += '"';
    for (const char sign : name) list += sign == '"' ? "\"\"" : std::string(1, sign);
    list += '"';
  }
  return list;
}

}  // namespace genten
