// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table.hpp"

#include "text.hpp"

#include <algorithm>
#include <ostream>

namespace genten::tools {

Table Table::markdown(const std::vector<std::string>& titles) {
  std::vector<Column> columns;
  for (const std::string& title : titles) {
    columns.push_back({title, columns.empty() ? Align::left : Align::right});
  }
  return Table(std::move(columns), Style::markdown);
}

void Table::add(std::vector<std::string> fields) {
  fields.resize(m_columns.size());
  m_rows.push_back(std::move(fields));
}

void Table::print(std::ostream& out, std::string_view indent) const {
  const bool markdown = m_style == Style::markdown;
  std::vector<std::string> titles;
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < m_columns.size(); ++c) {
    titles.push_back(m_columns[c].title);
    // Markdown's line below a title has three signs at least.
    widths.push_back(std::max<std::size_t>(display_width(titles[c]), markdown ? 3 : 0));
    for (const auto& row : m_rows) widths[c] = std::max(widths[c], display_width(row[c]));
  }
  const auto print_row = [&](const std::vector<std::string>& fields) {
    std::string line(indent);
    for (std::size_t c = 0; c < fields.size(); ++c) {
      const std::string blanks(widths[c] - display_width(fields[c]), ' ');
      if (markdown) line += c == 0 ? "| " : " | ";
      if (!markdown && c != 0) line += "  ";
      line += m_columns[c].align == Align::right ? blanks + fields[c] : fields[c] + blanks;
    }
    if (markdown) line += " |";
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  };
  print_row(titles);
  if (markdown) {
    std::vector<std::string> signs;
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
      const std::string dashes(widths[c] - 1, '-');
      signs.push_back(m_columns[c].align == Align::right ? dashes + ":" : ":" + dashes);
    }
    print_row(signs);
  }
  for (const auto& row : m_rows) print_row(row);
  out.flush();
}

}  // namespace genten::tools
