// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of months.

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <string_view>

namespace genten {

/// The number of the month that a word names, in full or as in Sep and Sept; 0 of other words.
[[nodiscard]] inline int month_called(std::string_view word) {
  constexpr std::array<std::string_view, 12> months{
      "january", "february", "march",     "april",   "may",      "june",
      "july",    "august",   "september", "october", "november", "december"};
  constexpr std::size_t shortest = 3;
  const auto is_same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == b;
  };
  for (std::size_t i = 0; i < months.size(); ++i) {
    const std::string_view month = months[i];
    const bool is_whole = word.size() == month.size() || (word.size() == 4 && i == 8);
    if ((is_whole || word.size() == shortest) && word.size() <= month.size() &&
        std::equal(word.begin(), word.end(), month.begin(), is_same)) {
      return static_cast<int>(i) + 1;
    }
  }
  return 0;
}

}  // namespace genten
