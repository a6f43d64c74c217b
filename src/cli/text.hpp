// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Text for people: numbers, sizes and aligned tables.

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace genten::cli {

/// snprintf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

/// "5 x 201 x 61"
std::string format_dimensions(const std::vector<std::size_t>& dimensions);

/// "1.25 MiB"
std::string format_bytes(double bytes);

/// "1 nonzero", "2 nonzeros", "2 entries"
std::string count_of(std::size_t count, std::string_view noun);

/// The columns of `text` on a terminal: code points of UTF-8, not bytes.
std::size_t display_width(std::string_view text);

/// `text` cut to `width` columns, the last of them "~" where something was cut.
std::string shorten(std::string_view text, std::size_t width);

/// `text` with line breaks in place of blanks, so that lines have at most `width` columns where
/// words are not longer.
std::string wrap(std::string_view text, std::size_t width);

/// `parts` with `separator` between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// The pieces of `text` between commas, empty ones included; none for an empty text.
std::vector<std::string> split_list(std::string_view text);

/// An aligned table: columns two spaces apart, the header's columns as wide as what is below them.
class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns) : m_columns(std::move(columns)) {}
  /// One cell a column.
  void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
  /// Each line begins with `indent`; no line ends with blanks.
  void print(std::ostream& out, std::string_view indent = "") const;

 private:
  std::vector<Column> m_columns;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace genten::cli
