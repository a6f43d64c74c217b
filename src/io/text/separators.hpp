// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Commas and semicolons where blanks are expected.

#include <genten/base/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace genten::detail {

/// What tables are, and how a text is read as one.
[[nodiscard]] inline std::string in_tables() {
  return "in tables, which begin with a line that names the columns: put one before it, or, if "
         "this is that line, say " +
         error_text::option("values");
}

/// What a message on fields that a comma or semicolon separates ends with, by the first of them
/// from `begin` on; "" where there is none.
[[nodiscard]] inline std::string separator_hint(std::string_view field, std::size_t begin = 0) {
  const std::size_t at = field.find_first_of(",;", begin);
  if (at == std::string_view::npos) return "";
  return std::string(": blanks are between fields, not ") +
         (field[at] == ',' ? "commas" : "semicolons") +
         (at + 1 == field.size() ? "" : ", but " + in_tables());
}

/// The same for a field of a line that has blanks, too: only its last character is looked at. 2,5
/// may be the number that it is elsewhere.
[[nodiscard]] inline std::string trailing_separator_hint(std::string_view field) {
  return field.size() < 2 ? "" : separator_hint(field, field.size() - 1);
}

/// The same for a line with something else in the place of numbers, which seems to be one of a
/// table: of two separators at least, since 2,5 may be a number.
[[nodiscard]] inline std::string table_hint(std::string_view line) {
  for (const char separator : {',', ';'}) {
    if (std::count(line.begin(), line.end(), separator) > 1) {
      return separator_hint(line, line.find(separator));
    }
  }
  const bool has_tabs = std::count(line.begin(), line.end(), '\t') > 1;
  return has_tabs ? ": names are " + in_tables() : "";
}

}  // namespace genten::detail
