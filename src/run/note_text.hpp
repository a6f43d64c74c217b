// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Words of notes.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace genten {

inline constexpr std::size_t most_named = 6;  ///< of what a note lists

[[nodiscard]] inline std::string number(double value, const char* format = "%.3g") {
  char text[40];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

[[nodiscard]] inline std::string count_of(std::size_t count, const std::string& noun) {
  const std::string text = std::to_string(count) + " " + noun;
  if (count == 1) return text;
  return noun.back() == 'y' ? text.substr(0, text.size() - 1) + "ies" : text + "s";
}

/// "a, b and c", or with another word before the last, of many the first ones and "5 more": of
/// `count`, where not all are in `words`.
[[nodiscard]] inline std::string listed(std::vector<std::string> words, std::size_t count = 0,
                                        const std::string& last = "and") {
  count = std::max(count, words.size());
  if (count > most_named) {
    words.resize(most_named);
    words.push_back(std::to_string(count - most_named) + " more");
  }
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " " + last + " " : ", ") + words[i];
  }
  return text;
}

}  // namespace genten
