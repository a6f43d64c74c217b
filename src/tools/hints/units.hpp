// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Columns of texts that are numbers, with a unit or without, or beside words for missing ones:
/// where nobody names the column of values they are modes, which is seldom meant.

#include "base/column_words.hpp"
#include "tools/text.hpp"

#include <genten/io/table.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten::tools {

namespace detail {

/// What stands behind the number that a text begins with, with the blanks before it, where it can
/// be a unit: " kg", "%"; "" of others, such as 1st.
[[nodiscard]] inline std::string_view unit_behind(std::string_view text) {
  constexpr std::size_t longest = 10;
  constexpr std::array<std::string_view, 4> ordinals{"st", "nd", "rd", "th"};
  const std::size_t sign = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  if (text.size() <= sign || !is_digit(text[sign])) return {};
  const std::string_view unit =
      text.substr(std::min(text.find_first_not_of("0123456789.", sign), text.size()));
  const std::string_view word = unit.substr(std::min(unit.find_first_not_of(' '), unit.size()));
  // Letters beyond ASCII are of several bytes, of which all but the first begin with 10.
  const auto signs = std::count_if(
      word.begin(), word.end(), [](char c) { return (static_cast<unsigned>(c) & 0xC0U) != 0x80U; });
  const bool is_word = std::all_of(word.begin(), word.end(), [](char c) {
    return c == '%' || c == '$' || ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
           (static_cast<unsigned>(c) & 0x80U) != 0;
  });
  const bool is_ordinal = std::find(ordinals.begin(), ordinals.end(), unit) != ordinals.end();
  const bool is_unit = is_word && !is_ordinal && 0 < signs && signs <= std::ptrdiff_t(longest);
  return is_unit ? unit : std::string_view();
}

[[nodiscard]] inline bool is_number(std::string_view text) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0.0;
  const char* const end = text.data() + text.size();
  const auto found = std::from_chars(text.data(), end, value);
  return found.ec == std::errc() && found.ptr == end && std::isfinite(value);
}

/// Whether a text stands for a value that nobody knows or tells, as "Refused" and "<5" do.
[[nodiscard]] inline bool stands_for_value(std::string_view text) {
  constexpr std::array<std::string_view, 24> known{
      "*",          "**",        "..",           "...",           "confidential",  "dk",
      "don't know", "dont know", "error",        "invalid",       "missing",       "no answer",
      "no data",    "none",      "not answered", "not available", "not disclosed", "pending",
      "redacted",   "refused",   "suppressed",   "tbd",           "unknown",       "withheld"};
  if (text == "x" || may_be_missing(text)) return true;  // of X, as of chromosomes, it is a name
  if (!text.empty() && (text[0] == '<' || text[0] == '>')) {
    text.remove_prefix(std::min(text.find_first_not_of("<>= "), text.size()));
    return is_number(text);
  }
  std::string word(text);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) {
    return static_cast<char>('A' <= c && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return std::find(known.begin(), known.end(), word) != known.end();
}

}  // namespace detail

/// Where all `count` texts, of which `name_of(i)` is one, are numbers: the unit that stands behind
/// each, with the blanks before it; "" behind none.
template <class NameOf>
[[nodiscard]] std::optional<std::string> unit_of(std::size_t count, const NameOf& name_of) {
  if (count == 0) return std::nullopt;
  std::string unit;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& given = name_of(i);
    const std::string_view text = given;
    if (i == 0) unit = detail::unit_behind(text);
    if (!text.ends_with(unit) || !detail::is_number(text.substr(0, text.size() - unit.size()))) {
      return std::nullopt;
    }
  }
  return unit;
}

/// Where most of `count` texts of a column, of which `name_of(i)` is one, are numbers and the
/// others stand for values that nobody knows: these; none elsewhere, and of a column that is called
/// as ids, times and places are.
template <class NameOf>
[[nodiscard]] std::vector<std::string> words_among_numbers(const std::string& column,
                                                           std::size_t count,
                                                           const NameOf& name_of) {
  constexpr std::size_t most = 5, fewest_numbers = 8;
  if (is_place(words_of(column).back())) return {};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& given = name_of(i);
    const std::string_view text = given;
    const bool is_code = text.size() > 1 && text[0] == '0' && is_digit(text[1]);
    if (is_code) return {};  // as 01234
    if (detail::is_number(text)) continue;
    if (words.size() == most || !detail::stands_for_value(text)) return {};
    words.emplace_back(text);
  }
  return count - words.size() < fewest_numbers ? std::vector<std::string>() : words;
}

}  // namespace genten::tools
