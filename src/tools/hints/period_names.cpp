// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "period_names.hpp"

#include "months.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

namespace genten::tools {
namespace {

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

constexpr std::size_t most_pieces = 3;

/// The pieces of a name; none where other signs than those of dates are between them, or more.
std::vector<Piece> pieces_of(std::string_view name) {
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

bool is_year(const Piece& piece) {
  constexpr int first = 1900, last = 2100;
  return piece.text.size() == 4 && piece.number >= first && piece.number <= last;
}

std::optional<Period> period_called(std::string_view name) {
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

}  // namespace

std::vector<std::size_t> summed_periods(const std::vector<std::string>& names) {
  constexpr std::size_t longest = 16;
  std::vector<Period> longer, all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > longest) continue;
    auto found = period_called(names[i]);
    if (!found) continue;
    found->row = i;
    all.push_back(*found);
    if (found->month == 0) longer.push_back(*found);
  }
  std::vector<std::size_t> rows;
  const auto key = [](const Period& p) { return (p.year * 8 + p.quarter) * 16 + p.month; };
  std::sort(all.begin(), all.end(),
            [&](const Period& a, const Period& b) { return key(a) < key(b); });
  for (const Period& each : longer) {
    const auto begin =
        std::lower_bound(all.begin(), all.end(), each.year,
                         [](const Period& p, int wanted) { return p.year < wanted; });
    int first = 0;
    for (auto at = begin; at != all.end() && at->year == each.year; ++at) {
      if (!at->is_in(each)) continue;
      const int shorter = key(*at);
      if (first == 0) first = shorter;
      if (shorter == first) continue;
      rows.push_back(each.row);
      break;
    }
  }
  return rows;
}

}  // namespace genten::tools
