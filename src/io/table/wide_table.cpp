// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "wide_table.hpp"

#include "../../base/column_words.hpp"
#include "../../base/period_words.hpp"
#include "../../base/python_text.hpp"
#include "../text/text_lines.hpp"

#include <genten/base/error.hpp>

#include <algorithm>

namespace genten::detail {

namespace {

bool has(const std::vector<std::string>& columns, const std::string& name) {
  return std::find(columns.begin(), columns.end(), name) != columns.end();
}

}  // namespace

std::string melt_hint() {
  return "if columns hold one quantity, as those of months, make one column of them (in pandas, "
         "df.melt)";
}

std::string LongTable::call() const {
  return (left_out.empty() ? "df" : "df.drop(columns=" + in_python(left_out) + ")") +
         ".melt(id_vars=" + in_python(ids) +
         (mode == "variable" ? "" : ", var_name=" + in_python(mode)) +
         (values == "value" ? "" : ", value_name=" + in_python(values)) + ")";
}

std::string LongTable::cells_hold() const {
  constexpr std::size_t most_named = 3;
  if (cells.size() == 1) return "column " + in_quotes(cells.front()) + " holds";
  std::string named;
  for (std::size_t i = 0; i < std::min(cells.size(), most_named); ++i) {
    named += (i == 0 ? "" : ", ") + in_quotes(cells[i]);
  }
  return "columns " + named + (cells.size() > most_named ? " and so on hold" : " hold");
}

std::optional<LongTable> long_table_of_times(const std::vector<std::string>& columns,
                                             const std::vector<std::string>& numbers,
                                             const std::vector<std::string>& no_modes) {
  LongTable made{.cells = columns_of_times(numbers)};
  if (made.cells.empty()) return std::nullopt;
  for (const std::string& name : columns) {
    if (has(made.cells, name)) continue;
    const bool is_none = has(no_modes, name) || (has(numbers, name) && is_called_quantity(name));
    (is_none ? made.left_out : made.ids).push_back(name);
  }
  while (has(made.ids, made.mode)) made.mode += '_';
  while (has(made.ids, made.values)) made.values += '_';
  return made;
}

std::string wide_table(const std::vector<std::string>& columns,
                       const std::vector<std::string>& numbers,
                       const std::vector<std::string>& no_modes) {
  const auto made = long_table_of_times(columns, numbers, no_modes);
  if (!made) return "";
  return "the table is wide: " + made->cells_hold() +
         " one quantity at several times, by their names: expected a long table, with a column "
         "for the times and one for the values; in pandas, " +
         made->call() + " makes one, to read by " + error_text::option("values", made->values) +
         "; " + error_text::option("modes") + " names columns that are modes";
}

}  // namespace genten::detail
