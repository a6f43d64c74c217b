// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "new_names.hpp"

#include "alike_names.hpp"
#include "date_forms.hpp"
#include "margin_names.hpp"
#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <algorithm>

namespace genten::tools {
namespace {

/// A name with each digit as 0.
std::string form_of(std::string name) {
  std::replace_if(name.begin(), name.end(), is_digit, '0');
  return name;
}

/// Of a whole number with decimals, as 1040.0, what stands before these; "" of others.
std::string without_decimals(const std::string& name) {
  const std::size_t point = name.find('.');
  const bool is_whole =
      point != std::string::npos && point != 0 && point + 1 < name.size() &&
      std::all_of(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(point), is_digit) &&
      name.find_first_not_of('0', point + 1) == std::string::npos;
  return is_whole ? name.substr(0, point) : "";
}

std::string in_quotes(const std::string& name) {
  return '"' + printable(name) + '"';
}

std::string alike_note(const std::vector<std::string>& known,
                       const std::vector<std::string>& fresh) {
  const AlikeNames found = alike_names(fresh, known);
  if (found.count == 0) return "";
  return text_of(found, "new name", "a known one", '"') + ": each has a row of its own";
}

/// Those with digits that are in another form than all known names, which are dates.
std::vector<std::string> dates_in_another_form(const std::vector<std::string>& known,
                                               const std::vector<std::string>& fresh) {
  constexpr std::size_t fewest = 2;  // names that show that there is one form
  std::vector<std::string> others;
  if (known.size() < fewest) return others;
  const std::string form = form_of(known.front());
  const auto is_other = [&](const std::string& name) { return form_of(name) != form; };
  const auto is_date_of_form = [&](const std::string& name) {
    return !is_other(name) && is_date(name);
  };
  if (!std::all_of(known.begin(), known.end(), is_date_of_form)) return others;
  std::copy_if(fresh.begin(), fresh.end(), std::back_inserter(others), [&](const auto& name) {
    return is_other(name) && std::any_of(name.begin(), name.end(), is_digit);
  });
  return others;
}

/// Those that have day and month in another order than the known names.
std::vector<std::string> dates_in_another_order(const std::vector<std::string>& known,
                                                const std::vector<std::string>& fresh) {
  std::vector<std::string> others;
  const DateOrder order = date_order(known);
  if (order == DateOrder::unknown) return others;
  std::copy_if(fresh.begin(), fresh.end(), std::back_inserter(others), [&](const auto& name) {
    const DateOrder other = date_order({name});
    return other != DateOrder::unknown && other != order;
  });
  return others;
}

/// A known name from which the order of day and month is seen.
const std::string& name_with_order(const std::vector<std::string>& known) {
  return *std::find_if(known.begin(), known.end(), [](const std::string& name) {
    return date_order({name}) != DateOrder::unknown;
  });
}

std::string order_note(const std::vector<std::string>& known,
                       const std::vector<std::string>& fresh) {
  const std::vector<std::string> others = dates_in_another_order(known, fresh);
  if (others.empty()) return "";
  const bool is_day_first = date_order(known) == DateOrder::day_first;
  return count_of(others.size(), "new name") + " with the " + (is_day_first ? "month" : "day") +
         " first, as " + in_quotes(others.front()) + ", where known ones have the " +
         (is_day_first ? "day" : "month") + " first, as " + in_quotes(name_with_order(known)) +
         ": dates that may be either, as \"03/04/2024\", are then taken for another day; write "
         "dates as the known ones are";
}

std::string form_note(const std::vector<std::string>& known,
                      const std::vector<std::string>& fresh) {
  const std::vector<std::string> others = dates_in_another_form(known, fresh);
  if (others.empty()) return "";
  return count_of(others.size(), "new name") + " in another form than all known ones, as " +
         in_quotes(others.front()) + " beside " + in_quotes(known.front()) +
         ": a date in two forms has two rows, and counts twice; write dates as the known ones are";
}

}  // namespace

std::string new_margins_note(const std::vector<std::string>& known,
                             const std::vector<std::string>& fresh) {
  std::vector<std::string> all = fresh;  // few of them may sum the known ones
  all.insert(all.end(), known.begin(), known.end());
  std::vector<std::string> words;
  const auto margins = margin_names({all}, {}, true);
  for (const std::string& name : margins.front()) {
    const bool is_new = std::find(fresh.begin(), fresh.end(), name) != fresh.end();
    const bool is_known = std::find(known.begin(), known.end(), name) != known.end();
    if (is_new && !is_known) words.push_back(in_quotes(name));
  }
  if (words.empty()) return "";
  return std::string(words.size() == 1 ? "a row" : "rows") + " called " + join(words, ", ") + ": " +
         margins_remedy;
}

std::vector<std::string> new_name_notes(const std::vector<std::string>& known,
                                        const std::vector<std::string>& fresh) {
  std::vector<std::string> notes{alike_note(known, fresh), form_note(known, fresh),
                                 order_note(known, fresh), new_margins_note(known, fresh)};
  std::erase(notes, "");
  return notes;
}

std::string meant_names(const std::vector<std::string>& known,
                        const std::vector<std::string>& unknown) {
  std::vector<std::string> hints;
  if (const AlikeNames found = alike_names(unknown, known); found.count != 0) {
    hints.push_back("is " + in_quotes(found.first) + " meant by " + in_quotes(found.second) + "?");
  }
  const auto same = dates_written_as(known, unknown);
  const auto first =
      std::find_if(same.begin(), same.end(), [](const std::string& name) { return !name.empty(); });
  if (first != same.end()) {
    const std::string& name = unknown[static_cast<std::size_t>(first - same.begin())];
    hints.push_back("write dates as the known ones are, " + in_quotes(*first) + " for " +
                    in_quotes(name));
  } else if (!dates_in_another_form(known, unknown).empty()) {
    hints.push_back("write dates as the known ones are, as " + in_quotes(known.front()));
  }
  if (const auto others = dates_in_another_order(known, unknown); !others.empty()) {
    hints.push_back("known dates have the " +
                    std::string(date_order(known) == DateOrder::day_first ? "day" : "month") +
                    " first, as " + in_quotes(name_with_order(known)) + ", and " +
                    in_quotes(others.front()) + " does not");
  }
  constexpr std::size_t most = 6;  // each is compared with all known ones
  for (std::size_t i = 0; i < std::min(most, unknown.size()); ++i) {
    const std::string& name = unknown[i];
    const std::string whole = without_decimals(name);
    if (whole.empty() || std::find(known.begin(), known.end(), whole) == known.end()) continue;
    hints.push_back("write ids without decimals, " + in_quotes(whole) + " for " + in_quotes(name) +
                    ": in pandas, astype('Int64') makes them so, beside gaps, too");
    break;
  }
  return join(hints, "; ");
}

}  // namespace genten::tools
