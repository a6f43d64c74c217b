// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "margin_names.hpp"

#include "base/column_words.hpp"
#include "period_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
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

/// Whether a word of margins is that of averages, with which titles begin, too.
bool is_of_averages(std::string_view word) {
  constexpr std::array<std::string_view, 5> known{"average", "avg", "durchschnitt", "mean",
                                                  "mittelwert"};
  return std::find(known.begin(), known.end(), word) != known.end();
}

bool joins(char c) {
  return std::string_view(" _-.:").find(c) != std::string_view::npos;
}

/// Of what a name with these words is a margin if rows of it are numbered, as "c" of "C_mean" and
/// "average C" beside C1 and C2; "" of others, as of "Total War".
std::string numbered_group_of(std::string_view name, const std::vector<std::string>& words) {
  if (words.size() < 2) return "";
  std::string small = in_small_letters(name);
  for (const bool last : {true, false}) {
    const std::string& word = last ? words.back() : words.front();
    if (!is_of_averages(word) && !(last && (word == "sum" || word == "total"))) continue;
    const std::size_t left = small.size() - word.size();
    if (!(last ? small.ends_with(word) && joins(small[left - 1])
               : small.starts_with(word) && joins(small[word.size()]))) {
      continue;
    }
    small = last ? small.substr(0, left) : small.substr(word.size());
    while (!small.empty() && joins(small.back())) small.pop_back();
    return small.substr(std::min(small.find_first_not_of(" _-.:"), small.size()));
  }
  return "";
}

/// What stands before the number that a name ends with, in small letters; "" of others.
std::string before_number(std::string_view name) {
  const std::size_t end = name.find_last_not_of("0123456789") + 1;
  if (end == name.size() || end == 0) return "";
  name = name.substr(0, end);
  while (!name.empty() && joins(name.back())) name.remove_suffix(1);
  return in_small_letters(name);
}

/// Appends those to `found` whose groups are numbered rows of their mode, two or more.
void take_numbered(const std::vector<std::vector<std::string>>& names,
                   const std::vector<NameOfMargin>& candidates, std::vector<NameOfMargin>& found) {
  std::map<std::pair<std::size_t, std::string>, std::size_t> numbered;
  for (const NameOfMargin& each : candidates) numbered[{each.mode, each.group}] = 0;
  for (std::size_t n = 0; n < names.size() && !numbered.empty(); ++n) {
    for (const std::string& row : names[n]) {
      const auto group = numbered.find({n, before_number(row)});
      if (group != numbered.end()) ++group->second;
    }
  }
  for (const NameOfMargin& each : candidates) {
    if (numbered[{each.mode, each.group}] > 1) found.push_back(each);
  }
}

/// Leaves out averages of groups of which a mode has one alone: they may be titles.
void leave_out_titles(const std::vector<std::vector<std::string>>& names,
                      std::vector<NameOfMargin>& found) {
  std::vector<std::size_t> averages(names.size());
  const auto is_average = [&](const NameOfMargin& each) {
    return !each.group.empty() && is_of_averages(words_of(names[each.mode][each.row]).front());
  };
  for (const NameOfMargin& each : found) averages[each.mode] += is_average(each) ? 1 : 0;
  std::erase_if(found, [&](const NameOfMargin& each) {
    return averages[each.mode] == 1 && is_average(each);
  });
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

bool is_ordinary_word(std::string_view name) {
  constexpr std::array<std::string_view, 6> known{"all",  "any",  "average",
                                                  "both", "mean", "overall"};
  return std::find(known.begin(), known.end(), in_small_letters(name)) != known.end();
}

std::vector<std::vector<std::string>> margin_names(
    const std::vector<std::vector<std::string>>& names, const std::vector<std::string>& modes,
    bool ordinary) {
  constexpr std::size_t fewest = 3;  // so that there are others to sum
  constexpr std::size_t longest = 64;
  std::vector<NameOfMargin> found, of_groups, of_numbered;
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (names[n].size() < fewest) continue;
    for (const std::size_t i : summed_periods(names[n])) found.push_back({"", n, i});
    for (std::size_t i = 0; i < names[n].size(); ++i) {
      const std::string& name = names[n][i];
      if (name.size() > longest || (!ordinary && is_ordinary_word(name))) continue;
      const auto words = words_of(name);
      if (is_ordinary_word(name) || is_margin(name, words)) {
        found.push_back({"", n, i});
      } else if (std::string group = group_of(name, words); !group.empty()) {
        of_groups.push_back({std::move(group), n, i});
      }
      if (std::string group = numbered_group_of(name, words); !group.empty()) {
        of_numbered.push_back({std::move(group), n, i});
      }
    }
  }
  std::vector<NameOfMargin> numbered;
  take_numbered(names, of_numbered, numbered);
  const auto by_group = [](const NameOfMargin& a, const NameOfMargin& b) {
    return a.group < b.group;
  };
  std::sort(of_groups.begin(), of_groups.end(), by_group);
  const auto take_group = [&](const std::string& name) {
    const auto [begin, end] = std::equal_range(of_groups.begin(), of_groups.end(),
                                               NameOfMargin{in_small_letters(name)}, by_group);
    found.insert(found.end(), begin, end);
  };
  for (const auto& of_mode : names) {
    for (std::size_t i = 0; i < of_mode.size() && !of_groups.empty(); ++i) take_group(of_mode[i]);
  }
  leave_out_titles(names, found);
  for (const std::string& mode : modes) {
    take_group(mode);
    take_group(mode + 's');
  }
  found.insert(found.end(), numbered.begin(), numbered.end());
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
