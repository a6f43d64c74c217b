// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "date_forms.hpp"

#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

namespace genten::tools {
namespace {

constexpr std::size_t most_parts = 3;  ///< of a date

/// A date as it is written.
struct WrittenDate {
  std::string form;
  /// It has a year of four digits with a month and a day, or behind a month: versions and seasons
  /// look like other dates, as 2024.1.2 and 2011-12.
  bool is_sure = false;
  /// By part whether it has one digit, or a zero before its digit.
  std::array<bool, most_parts> is_short{}, is_padded{};
};

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// The number of the month that a word is, in full or its first three letters; 0 of others.
int month_of(std::string_view word) {
  constexpr std::array<std::string_view, 12> months{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  constexpr std::size_t shortest = 3;
  std::string letters;
  for (const char c : word) {
    letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  const auto* const found = std::find_if(months.begin(), months.end(), [&](std::string_view month) {
    return letters == month || letters == month.substr(0, shortest);
  });
  return found == months.end() ? 0 : static_cast<int>(found - months.begin()) + 1;
}

/// Whether a text begins with a week or a quarter, as W09 and Q1.
bool is_week(std::string_view text) {
  return text.size() > 1 && (text.front() == 'W' || text.front() == 'Q') && is_digit(text[1]);
}

/// The digits, the letters or the week that a text begins with.
std::string_view first_part(std::string_view text) {
  const bool digits = is_week(text) || (!text.empty() && is_digit(text.front()));
  const auto* const begin = text.data() + (is_week(text) ? 1 : 0);
  const auto* const end = text.data() + text.size();
  return {text.data(),
          static_cast<std::size_t>(std::find_if_not(begin, end, digits ? is_digit : is_letter) -
                                   text.data())};
}

/// Whether a text is a time of day, perhaps with a zone, as 9:05 and 12:30:05.5+01:00.
bool is_time(std::string_view text) {
  const std::size_t hour = first_part(text).size();
  return hour >= 1 && hour <= 2 && is_digit(text.front()) && text.size() > hour + 2 &&
         text[hour] == ':' && is_digit(text[hour + 1]) && is_digit(text[hour + 2]) &&
         text.find_first_not_of("0123456789:.+- ZAPMapm") == std::string_view::npos;
}

/// How many parts of a date may be its month and its day, and how many are its year.
struct PartsSeen {
  int months = 0, days = 0, years = 0;
};

/// The sign that forms have for a part: y of a year, m of the name of a month, d of another number,
/// w of a week or a quarter; '\0' of what is no part of a date.
char sign_of(std::string_view part, bool is_third, PartsSeen& seen) {
  constexpr int first_year = 1000, last_year = 2999, months = 12, days = 31;
  constexpr std::size_t year = 4;
  if (!is_digit(part.front())) {
    ++seen.months;
    if (is_week(part)) return 'w';
    return month_of(part) != 0 ? 'm' : '\0';
  }
  int number = 0;
  std::from_chars(part.data(), part.data() + part.size(), number);
  if (part.size() == year) {
    ++seen.years;
    return number >= first_year && number <= last_year ? 'y' : '\0';
  }
  const bool may_be_year = is_third && seen.years == 0 && part.size() == 2;  // 01/03/99
  if (part.size() > 2 || ((number == 0 || number > days) && !may_be_year)) return '\0';
  seen.months += !may_be_year && number <= months ? 1 : 0;
  seen.days += may_be_year ? 0 : 1;
  return 'd';
}

std::optional<WrittenDate> written_date(std::string_view name) {
  constexpr std::size_t longest = 40, compact = 8, year = 4;
  std::string dashes;
  const bool is_compact = name.size() == compact && std::all_of(name.begin(), name.end(), is_digit);
  if (is_compact) {  // 20240301
    dashes = name;
    dashes.insert(year + 2, "-").insert(year, "-");
    name = dashes;
  }
  if (name.empty() || name.size() > longest) return std::nullopt;
  WrittenDate date;
  PartsSeen seen;
  std::size_t parts = 0;
  for (; parts < most_parts && !name.empty(); ++parts) {
    if (parts != 0 && !is_week(name)) {  // 2024Q1
      if (std::string_view("-/., ").find(name.front()) == std::string_view::npos) break;
      if (name.front() == ' ' && is_time(name.substr(1))) break;
      date.form += name.front();
      // "1. March 2024" and "March 1, 2024" have a blank behind the sign.
      name.remove_prefix(name.front() != ' ' && name.substr(1).starts_with(' ') ? 2 : 1);
    }
    const std::string_view part = first_part(name);
    const char sign = part.empty() ? '\0' : sign_of(part, parts == 2, seen);
    if (sign == '\0') return std::nullopt;
    date.form += sign;
    date.is_short[parts] = part.size() == 1;
    date.is_padded[parts] = part.size() == 2 && part.front() == '0';
    name.remove_prefix(part.size());
  }
  const bool has_word = date.form.find('m') != std::string::npos, is_whole = parts == most_parts;
  const bool has_month = seen.months > 0 || parts == 1, has_day = seen.days > (has_word ? 0 : 1);
  if (seen.years > 1 || !has_month || (is_whole && !has_day)) return std::nullopt;
  // Of numbers with points or dashes and a year of two digits versions look the same, as 1.2.24.
  const bool is_short =
      std::find(date.is_short.begin(), date.is_short.end(), true) != date.is_short.end();
  const bool is_plain = has_word || !is_short || date.form == "d/d/d";
  if (seen.years == 0 && !(is_whole && is_plain)) return std::nullopt;
  if (!name.empty()) {
    if ((name.front() != ' ' && name.front() != 'T') || !is_time(name.substr(1))) {
      return std::nullopt;
    }
    date.form.append({name.front(), 't'});
  }
  const bool has_points = date.form.starts_with("y.");
  date.is_sure = !is_compact && seen.years == 1 &&
                 (has_word || (is_whole && !has_points) || date.form.starts_with("d/y"));
  if (is_compact) date.form = "ydd";
  return date;
}

/// The dates of one form among names.
struct DatesOfForm {
  WrittenDate date;  ///< whose parts are short or padded where those of any are
  bool is_short = false;
  std::size_t count = 0;
  const std::string* example = nullptr;
};

/// The dates of a form, which are added where there are none.
DatesOfForm& of_form(std::vector<DatesOfForm>& all, const WrittenDate& date, bool is_short) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const DatesOfForm& each) {
    return each.date.form == date.form && each.is_short == is_short;
  });
  return found == all.end() ? all.emplace_back(DatesOfForm{date, is_short}) : *found;
}

/// That of a name, unless it is a year alone, which is also a number.
std::optional<WrittenDate> date_in_year(std::string_view name) {
  auto date = written_date(name);
  if (date && date->form == "y") date.reset();
  return date;
}

/// A date as a number, whose day is 0 for a month alone; nothing where it is none.
std::optional<int> date_number(int year, int month, int day) {
  constexpr int months = 12, days = 31, of_month = 100, of_year = 10'000;
  if (month < 1 || month > months || day < 0 || day > days) return std::nullopt;
  return year * of_year + month * of_month + day;
}

/// The dates with a year of four digits, or months of one, that a name can be: two of 03/04/2024,
/// unless the order is known.
std::vector<int> dates_called(std::string_view name, DateOrder order) {
  constexpr std::size_t compact = 8, year_digits = 4;
  const auto date = date_in_year(name);
  const bool is_compact = name.size() == compact && date && date->form == "ydd";
  if (!date || date->form.find_first_of("wt") != std::string::npos) return {};
  int year = 0, month = 0;
  std::vector<int> numbers;
  const auto take = [&](std::string_view part) {
    int number = 0;
    std::from_chars(part.data(), part.data() + part.size(), number);
    if (!is_digit(part.front())) {
      month = month_of(part);
    } else if (part.size() == year_digits) {
      year = number;
    } else {
      numbers.push_back(number);
    }
  };
  const bool begins_with_year = is_compact || date->form.front() == 'y';
  if (date->form.starts_with("d.")) order = DateOrder::day_first;
  if (is_compact) {
    for (const auto& part : {name.substr(0, 4), name.substr(4, 2), name.substr(6)}) take(part);
  }
  while (!is_compact && !name.empty()) {
    const std::string_view part = first_part(name);
    if (!part.empty()) take(part);
    name.remove_prefix(std::max<std::size_t>(part.size(), 1));
  }
  std::vector<int> dates;
  const auto add = [&](int of_month, int day) {
    const auto found = date_number(year, of_month, day);
    if (found && std::find(dates.begin(), dates.end(), *found) == dates.end())
      dates.push_back(*found);
  };
  if (year == 0 || numbers.size() > (month == 0 ? 2 : 1)) return {};
  if (month != 0 || numbers.size() == 1) {
    add(month != 0 ? month : numbers[0], month != 0 && !numbers.empty() ? numbers[0] : 0);
  } else if (numbers.size() == 2) {
    if (begins_with_year || order != DateOrder::day_first) add(numbers[0], numbers[1]);
    if (!begins_with_year && order != DateOrder::month_first) add(numbers[1], numbers[0]);
  }
  return dates;
}

}  // namespace

std::vector<std::string> dates_written_as(const std::vector<std::string>& known,
                                          const std::vector<std::string>& unknown) {
  std::vector<std::string> found(unknown.size());
  const DateOrder order = date_order(known), other = date_order(unknown);
  std::unordered_map<int, const std::string*> names;
  for (const std::string& name : known) {
    const auto dates = dates_called(name, order);
    if (dates.size() == 1) names.emplace(dates.front(), &name);
  }
  for (std::size_t i = 0; i < unknown.size() && !names.empty(); ++i) {
    const auto dates = dates_called(unknown[i], other);
    const auto place = dates.size() == 1 ? names.find(dates.front()) : names.end();
    if (place != names.end()) found[i] = *place->second;
  }
  return found;
}

bool is_date(std::string_view name) {
  return date_in_year(name).has_value();
}

DateOrder date_order(const std::vector<std::string>& names) {
  constexpr int months = 12;
  bool day_first = false, month_first = false;
  for (const std::string& name : names) {
    const auto date = written_date(name);
    if (!date || date->form.size() < 5 || date->form[0] != 'd' || date->form[2] != 'd' ||
        date->form[4] != 'y') {
      continue;
    }
    const std::string_view text = name, first = first_part(text);
    const std::string_view second = first_part(text.substr(first.size() + 1));
    int of_first = 0, of_second = 0;
    std::from_chars(first.data(), first.data() + first.size(), of_first);
    std::from_chars(second.data(), second.data() + second.size(), of_second);
    day_first = day_first || of_first > months;
    month_first = month_first || of_second > months;
  }
  if (day_first == month_first) return DateOrder::unknown;
  return day_first ? DateOrder::day_first : DateOrder::month_first;
}

std::string several_date_forms(const std::vector<std::string>& names, char quote) {
  std::vector<DatesOfForm> forms, found;
  std::size_t dates = 0;
  bool is_sure = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (2 * (i - dates) > names.size()) return "";
    const auto date = date_in_year(names[i]);
    if (!date) continue;
    ++dates;
    is_sure = is_sure || date->is_sure;
    WrittenDate& all = of_form(forms, *date, false).date;
    for (std::size_t part = 0; part < most_parts; ++part) {
      all.is_short[part] = all.is_short[part] || date->is_short[part];
      all.is_padded[part] = all.is_padded[part] || date->is_padded[part];
    }
  }
  if (!is_sure || 2 * dates <= names.size()) return "";
  for (const std::string& name : names) {
    const auto date = date_in_year(name);
    if (!date) continue;
    // 1/3/2024 and 01/3/2024 are two forms; 12/3/2024 is of either.
    const WrittenDate& all = of_form(forms, *date, false).date;
    bool is_short = false, is_padded = false;
    for (std::size_t part = 0; part < most_parts; ++part) {
      is_short = is_short || (all.is_padded[part] && date->is_short[part]);
      is_padded = is_padded || (all.is_short[part] && date->is_padded[part]);
    }
    DatesOfForm& same = of_form(found, *date, is_short);
    if (same.count++ == 0 || is_padded) same.example = &name;
  }
  if (found.size() < 2) return "";
  std::stable_sort(found.begin(), found.end(),
                   [](const DatesOfForm& a, const DatesOfForm& b) { return a.count > b.count; });
  std::string told = "dates in " + std::to_string(found.size()) + " forms, ";
  for (std::size_t i = 0; i < found.size(); ++i) {
    told += i == 0 ? count_of(found[i].count, "row")
                   : (i + 1 == found.size() ? " and " : ", ") + std::to_string(found[i].count);
    told += std::string(" as ") + quote + printable(*found[i].example) + quote;
  }
  return told;
}

}  // namespace genten::tools
