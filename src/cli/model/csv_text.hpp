// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The fields of tables that are written.

#include <array>
#include <charconv>
#include <string>

namespace genten::cli {

/// What stands in quotes in tables of any separator, by which the header tells which it is.
constexpr const char* table_signs = ",;|\t\"\r\n";

/// In quotes where separators, quotes, line ends or blanks around it would be taken for the
/// table's.
[[nodiscard]] inline std::string csv_field(const std::string& text, const char* signs = ",\"\r\n") {
  const bool has_blanks = text.starts_with(' ') || text.ends_with(' ');
  if (!has_blanks && text.find_first_of(signs) == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

/// Appends a separator and a number in the shortest digits that read back to it.
template <class Scalar>
void append_number(std::string& line, Scalar number, const char* separator = ",") {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  line.append(separator).append(digits.data(), end);
}

}  // namespace genten::cli
