// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of times, as of months, of columns and of rows.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// A year, a quarter of one, or a month or day; 0 stands for what a name does not say.
struct Period {
  int year = 0, quarter = 0, month = 0;
  std::size_t row = 0;

  /// Whether another one that is longer has it.
  [[nodiscard]] bool is_in(const Period& longer) const {
    if (year != longer.year || longer.month != 0) return false;
    return longer.quarter == 0 ? quarter != 0 : month != 0 && quarter == longer.quarter;
  }
};

/// A run of digits or of letters in a name.
struct Piece {
  std::string text;
  int number = -1;  ///< -1 of letters
};

inline constexpr std::size_t most_pieces = 3;

/// The pieces of a name; none where other signs than those of dates are between them, or more.
[[nodiscard]] inline std::vector<Piece> pieces_of(std::string_view name) {
  constexpr std::size_t longest = 9;  // september
  std::vector<Piece> pieces;
  bool goes_on = false;
  for (const char sign : name) {
    const auto c = static_cast<unsigned char>(sign);
    const bool digit = std::isdigit(c) != 0, letter = std::isalpha(c) != 0 && c < 128;
    if (!digit && !letter) {
      if (std::string_view(" -/._'").find(sign) == std::string_view::npos) return {};
      goes_on = false;
      continue;
    }
    if (!goes_on || digit != (pieces.back().number >= 0)) {
      if (pieces.size() == most_pieces) return {};
      pieces.push_back({"", digit ? 0 : -1});
    }
    goes_on = true;
    Piece& last = pieces.back();
    if (last.text.size() == longest) return {};
    last.text += static_cast<char>(std::tolower(c));
    if (digit) last.number = last.text.size() > 4 ? 10'000 : 10 * last.number + (sign - '0');
  }
  return pieces;
}

[[nodiscard]] inline bool is_year(const Piece& piece) {
  constexpr int first = 1900, last = 2100;
  return piece.text.size() == 4 && piece.number >= first && piece.number <= last;
}

/// From 1; 0 of other words.
[[nodiscard]] inline int month_called(std::string_view word) {
  constexpr std::array<std::string_view, 12> months{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  constexpr std::size_t shortest = 3;
  for (std::size_t i = 0; i < months.size(); ++i) {
    const bool is_short = word == months[i].substr(0, shortest) || word == "sept";
    if (word == months[i] || (is_short && months[i].starts_with(word))) {
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

/// The time that a name is, as "2024", "Q1 2024", "Jan", "2024-01" or "2024-01-31"; nothing of
/// others.
[[nodiscard]] inline std::optional<Period> period_called(std::string_view name) {
  constexpr int months = 12, in_quarter = 3;
  Period found;
  bool is_fiscal = false, begins = false;
  std::vector<Piece> pieces = pieces_of(name);
  const auto year = std::find_if(pieces.begin(), pieces.end(), is_year);
  if (year != pieces.end()) {
    found.year = year->number;
    begins = year == pieces.begin();
    pieces.erase(year);
  }
  std::erase_if(pieces, [&](const Piece& piece) {
    const bool is_it = piece.text == "fy" || piece.text == "cy";
    is_fiscal = is_fiscal || is_it;
    return is_it;
  });
  const auto take_month = [&](int month) {
    if (month < 1 || month > months) return false;
    found.month = month;
    found.quarter = (month - 1) / in_quarter + 1;
    return true;
  };
  if (pieces.empty()) return found.year != 0 ? std::optional(found) : std::nullopt;
  if (pieces.size() == 1) {
    const Piece& only = pieces.front();
    const bool is_month = only.number < 0
                              ? take_month(month_called(only.text))
                              : found.year != 0 && only.text.size() == 2 && take_month(only.number);
    return is_month && !is_fiscal ? std::optional(found) : std::nullopt;
  }
  // "q", 1 or 1, "q"; or a month and a day of a year.
  const auto quarter = std::find_if(pieces.begin(), pieces.end(),
                                    [](const Piece& each) { return each.text == "q"; });
  if (quarter != pieces.end()) {
    if (pieces.size() != 2) return std::nullopt;
    found.quarter = pieces[quarter == pieces.begin() ? 1 : 0].number;
    return found.quarter >= 1 && found.quarter <= 4 ? std::optional(found) : std::nullopt;
  }
  // Where the year comes last, nobody knows which number is the month.
  const bool is_day = begins && pieces[0].number > 0 && pieces[1].number > 0;
  return is_day && take_month(pieces[0].number) ? std::optional(found) : std::nullopt;
}

/// Those of the columns that are called as times are, where they are three or more and half of all:
/// of a wide table, whose columns are the rows of a mode.
[[nodiscard]] inline std::vector<std::string> columns_of_times(
    const std::vector<std::string>& columns) {
  constexpr std::size_t fewest = 3;
  std::vector<std::string> times;
  for (const std::string& name : columns) {
    if (period_called(name)) times.push_back(name);
  }
  const bool is_wide = times.size() >= fewest && 2 * times.size() >= columns.size();
  return is_wide ? times : std::vector<std::string>();
}

}  // namespace genten
