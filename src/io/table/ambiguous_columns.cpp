// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "ambiguous_columns.hpp"

#include "../../base/column_words.hpp"
#include "../../base/names_in_option.hpp"
#include "../text/text_lines.hpp"
#include "wide_table.hpp"

#include <genten/base/error.hpp>

#include <algorithm>

namespace genten::detail {

std::vector<std::string> but_quantities(std::vector<std::string> columns,
                                        const std::vector<std::string>& numbers) {
  const auto is_quantity = [&](const std::string& name) {
    return is_called_quantity(name) &&
           std::find(numbers.begin(), numbers.end(), name) != numbers.end();
  };
  const auto found =
      static_cast<std::size_t>(std::count_if(columns.begin(), columns.end(), is_quantity));
  if (columns.size() >= found + 2) std::erase_if(columns, is_quantity);
  return columns;
}

std::string beside_values(const std::vector<std::string>& others,
                          const std::vector<std::string>& numbers) {
  const std::vector<std::string> modes = but_quantities(others, numbers);
  if (modes.size() == others.size()) return "";
  return " with " + error_text::option("modes", names_in_option(modes));
}

void refuse_whole_numbers(const std::string& path, const std::vector<std::string>& columns,
                          std::vector<std::string> whole) {
  if (const std::string wide = wide_table(columns, whole); !wide.empty()) {
    throw Error::in_file(path, 1, wide);
  }
  std::string named;
  for (const std::string& name : whole) named += (named.empty() ? "" : " and ") + in_quotes(name);
  const bool one = whole.size() == 1;
  // Of columns that are as likely the last one, as tables most often have it.
  std::stable_sort(whole.begin(), whole.end(), [](const std::string& a, const std::string& b) {
    return likeness_to_values(a) < likeness_to_values(b);
  });
  std::vector<std::string> others = columns, texts = columns;
  std::erase(others, whole.back());
  std::erase_if(texts, [&](const std::string& name) {
    return likeness_to_values(name) != 0 &&
           std::find(whole.begin(), whole.end(), name) != whole.end();
  });
  const std::string modes = beside_values(others, whole);
  // Ids beside names, as of patients, whose sums mean nothing: values most often stand last, or
  // before times.
  const int likeness = likeness_to_values(whole.back());
  const auto last = std::find_if(columns.rbegin(), columns.rend(), [](const std::string& name) {
    return likeness_to_values(name) != 0;
  });
  const bool stands_last = last != columns.rend() && *last == whole.back();
  const bool may_be_ids = likeness == 0 || (likeness == 1 && !stands_last);
  const std::string expected =
      may_be_ids && texts.size() >= 2
          ? ", or ids or subscripts of a mode: expected the names of the modes, as in " +
                error_text::option("modes", names_in_option(texts)) +
                ", to count rows, or that of the column of values, by " +
                error_text::option("values")
          : " or the subscripts of a mode: expected the name of the column of values, as in " +
                error_text::option("values", whole.back()) + modes +
                (one || !modes.empty() ? "" : ", beside which the others are modes") +
                ", or those of the modes, by " + error_text::option("modes") + ", to count rows";
  throw Error::in_file(path, 1,
                       (one ? "column " : "columns ") + named + (one ? " holds" : " hold") +
                           " whole numbers, which may be values" + expected +
                           (whole.size() >= fewest_of_one_quantity ? "; " + melt_hint() : ""));
}

}  // namespace genten::detail
