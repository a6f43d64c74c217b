// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the names of a table's columns say of them.

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// The words of a name, in small letters; they begin behind other signs and at a change of case.
[[nodiscard]] inline std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  bool was_small = false;
  for (const char sign : name) {
    const auto c = static_cast<unsigned char>(sign);
    const bool begins = was_small && std::isupper(c) != 0;
    was_small = std::islower(c) != 0;
    if ((begins || std::isalpha(c) == 0) && !words.back().empty()) words.emplace_back();
    if (std::isalpha(c) != 0) words.back() += static_cast<char>(std::tolower(c));
  }
  if (words.size() > 1 && words.back().empty()) words.pop_back();
  return words;
}

/// Whether a word is that of quantities.
[[nodiscard]] inline bool is_quantity(const std::string& word) {
  constexpr std::array<std::string_view, 42> known{
      "amount",   "amounts", "budget", "clicks",     "cost",    "costs",  "count",
      "counts",   "dollars", "euros",  "hits",       "income",  "length", "likes",
      "orders",   "pieces",  "points", "population", "price",   "prices", "profit",
      "quantity", "qty",     "rating", "ratings",    "revenue", "sales",  "salary",
      "score",    "scores",  "size",   "stock",      "sum",     "total",  "totals",
      "units",    "usd",     "value",  "values",     "views",   "visits", "weight"};
  return std::find(known.begin(), known.end(), word) != known.end();
}

/// Whether a word is that of ids, times and places, whose numbers may have gaps.
[[nodiscard]] inline bool is_place(const std::string& word) {
  constexpr std::array<std::string_view, 38> known{
      "id",     "ids",    "key",   "code",  "no",      "nr",   "num",     "number",
      "index",  "idx",    "zip",   "plz",   "postal",  "year", "quarter", "month",
      "week",   "day",    "date",  "hour",  "minute",  "time", "second",  "timestamp",
      "season", "period", "round", "wave",  "session", "step", "frame",   "position",
      "pos",    "row",    "col",   "level", "class",   "group"};
  return std::find(known.begin(), known.end(), word) != known.end();
}

/// Whether a column is called as quantities are: a num_orders, and no order_id.
[[nodiscard]] inline bool is_called_quantity(const std::string& name) {
  const auto words = words_of(name);
  return !is_place(words.back()) && std::any_of(words.begin(), words.end(), is_quantity);
}

/// How well a column goes by its name for that of the values: 2 of a quantity, 0 of ids, times and
/// places, 1 of others.
[[nodiscard]] inline int likeness_to_values(const std::string& name) {
  if (is_called_quantity(name)) return 2;
  return is_place(words_of(name).back()) ? 0 : 1;
}

}  // namespace genten
