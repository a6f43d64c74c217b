// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tables for people, on a terminal or in Markdown.

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace genten::tools {

/// A table whose columns are as wide as the widest of their fields and their title.
class Table {
 public:
  enum class Align { left, right };
  enum class Style {
    aligned,  ///< columns two spaces apart, and nothing else
    markdown  ///< bars between them and a line below the titles: reads well, and pastes as Markdown
  };
  struct Column {
    std::string title;
    Align align = Align::right;
  };

  explicit Table(std::vector<Column> columns, Style style = Style::aligned)
      : m_columns(std::move(columns)), m_style(style) {}

  /// A Markdown table of which the first column is aligned left and the others right.
  [[nodiscard]] static Table markdown(const std::vector<std::string>& titles);

  /// Fields from the left; those that are missing are empty.
  void add(std::vector<std::string> fields);
  /// Each line begins with `indent`; no line ends with blanks.
  void print(std::ostream& out, std::string_view indent = "") const;

 private:
  std::vector<Column> m_columns;
  Style m_style;
  std::vector<std::vector<std::string>> m_rows;
};

}  // namespace genten::tools
