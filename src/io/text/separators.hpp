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

/// Whether a field is a number with a comma before its decimals.
[[nodiscard]] inline bool has_decimal_comma(std::string_view field) {
  constexpr std::string_view digits = "0123456789";
  if (!field.empty() && (field.front() == '-' || field.front() == '+')) field.remove_prefix(1);
  const std::size_t comma = field.find_first_not_of(digits);
  if (comma == 0 || comma + 1 >= field.size() || field[comma] != ',') return false;
  return field.find_first_not_of(digits, comma + 1) == std::string_view::npos;
}

/// What tables are, and how a text is read as one.
[[nodiscard]] inline std::string in_tables() {
  return "in tables, which begin with a line that names the columns: put one before it or, if "
         "this is that line, name the column of the values by " +
         error_text::option("values");
}

/// What a message on fields that a comma or semicolon separates ends with, by the first of them
/// from `begin` on; "" where there is none.
[[nodiscard]] inline std::string separator_hint(std::string_view field, std::size_t begin = 0) {
  const std::size_t at = field.find_first_of(",;", begin);
  if (at == std::string_view::npos) return "";
  return std::string(": blanks separate fields, not ") +
         (field[at] == ',' ? "commas" : "semicolons") +
         (at + 1 == field.size() ? "" : ", except " + in_tables());
}

/// The same for a field of a line that has blanks, too: only its last character is looked at. 2,5
/// may be the number that it is elsewhere.
[[nodiscard]] inline std::string trailing_separator_hint(std::string_view field) {
  return field.size() < 2 ? "" : separator_hint(field, field.size() - 1);
}

/// What separates the fields of tables.
inline constexpr const char* table_separators =
    "fields are separated by commas, tabs, semicolons or bars (|), not by blanks";

/// Whether a line is of words between blanks, as the header of a table is.
[[nodiscard]] inline bool has_names_alone(std::string_view line) {
  constexpr std::string_view blanks = " \r\n";
  std::size_t words = 0, at = line.find_first_not_of(blanks);
  for (; at != std::string_view::npos; ++words) {
    const char first = line[at];
    if ((first < 'a' || first > 'z') && (first < 'A' || first > 'Z')) return false;
    at = line.find_first_not_of(blanks, std::min(line.find_first_of(blanks, at), line.size()));
  }
  return words > 1;
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
  if (has_tabs) return ": names are " + in_tables();
  return has_names_alone(line) ? ": names are in tables, whose " + std::string(table_separators)
                               : "";
}

}  // namespace genten::detail
