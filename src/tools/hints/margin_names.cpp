// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "margin_names.hpp"

#include "base/column_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>
#include <utility>

namespace genten::tools {
namespace {

/// A name that is that of a margin, or is one if its group is a row or a column, as "north" is of
/// "Total North".
struct NameOfMargin {
  std::string group;
  std::size_t mode = 0, row = 0;
};

std::string in_small_letters(std::string_view text) {
  std::string small;
  for (const char c : text) {
    small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return small;
}

bool is_of_margins(std::string_view word) {
  constexpr std::array<std::string_view, 16> known{
      "all",        "average",   "durchschnitt", "gesamt",     "gesamtergebnis", "gesamtsumme",
      "grandtotal", "insgesamt", "mean",         "mittelwert", "overall",        "subtotal",
      "sum",        "summe",     "total",        "totals"};
  return std::find(known.begin(), known.end(), word) != known.end();
}

/// Whether a name with these words is that of a margin: whatever stands between its letters, as
/// in the "(All)" of pivot tables; or it ends in "total", as "North Total" does among subtotals; or
/// it says of what it is one, as "Sum of qty".
bool is_margin(std::string_view name, const std::vector<std::string>& words) {
  const auto is_other = [](char sign) {
    const auto c = static_cast<unsigned char>(sign);
    return std::isdigit(c) != 0 || c > 127;
  };
  if (in_small_letters(name).ends_with(" total")) return true;
  std::string letters;
  for (const std::string& word : words) letters += word;
  if (is_of_margins(letters)) return std::none_of(name.begin(), name.end(), is_other);
  const bool is_of = words.size() > 1 && (words[1] == "of" || words[1] == "von");
  return is_of && words[0] != "all" && is_of_margins(words[0]);
}

/// Of what a name with these words is one if its first word is that of margins; "" of others.
std::string group_of(std::string_view name, const std::vector<std::string>& words) {
  if (!is_of_margins(words.front())) return "";
  const std::string small = in_small_letters(name);
  const std::size_t end = small.find(words.front()) + words.front().size();
  const std::size_t begin = small.find_first_not_of(" :-", end);
  return begin == std::string::npos || begin == end ? "" : small.substr(begin);
}

}  // namespace

std::vector<std::vector<std::string>> margin_names(
    const std::vector<std::vector<std::string>>& names, const std::vector<std::string>& modes) {
  constexpr std::size_t fewest = 3;  // so that there are others to sum
  constexpr std::size_t longest = 64;
  std::vector<NameOfMargin> found, of_groups;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (names[n].size() < fewest) continue;
    for (std::size_t i = 0; i < names[n].size(); ++i) {
      const std::string& name = names[n][i];
      if (name.size() > longest) continue;
      const auto words = words_of(name);
      if (is_margin(name, words)) {
        found.push_back({"", n, i});
      } else if (std::string group = group_of(name, words); !group.empty()) {
        of_groups.push_back({std::move(group), n, i});
      }
    }
  }
  const auto by_group = [](const NameOfMargin& a, const NameOfMargin& b) {
    return a.group < b.group;
  };
  std::sort(of_groups.begin(), of_groups.end(), by_group);
  const auto take_group = [&](const std::string& name) {
    const auto [begin, end] = std::equal_range(of_groups.begin(), of_groups.end(),
                                               NameOfMargin{in_small_letters(name)}, by_group);
    found.insert(found.end(), begin, end);
  };
  for (const std::string& mode : modes) {
    take_group(mode);
    take_group(mode + 's');
  }
  for (const auto& of_mode : names) {
    for (std::size_t i = 0; i < of_mode.size() && !of_groups.empty(); ++i) take_group(of_mode[i]);
  }
  const auto place = [](const NameOfMargin& each) { return std::pair(each.mode, each.row); };
  std::sort(found.begin(), found.end(),
            [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::vector<std::vector<std::string>> told(names.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k > 0 && place(found[k]) == place(found[k - 1])) continue;
    told[found[k].mode].push_back(names[found[k].mode][found[k].row]);
  }
  return told;
}

}  // namespace genten::tools
