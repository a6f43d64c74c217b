// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// When modes are suspiciously long, for the tool and the Python package.

#include "tools/text.hpp"

#include <cstddef>
#include <string_view>

namespace genten::tools {

/// Modes are looked at from this length: shorter ones cost little, whatever is in them.
constexpr std::size_t long_mode = 1'000;

/// Numbers of rows, from 0 or 1, that have three digits or more begin here: what counts begins
/// lower.
constexpr std::size_t three_digits = 99;

/// How many rows with nonzeros a mode of a length has at most whose subscripts, from `least` on,
/// look like ids: a tenth of a long one; of numbers with three or four digits alone, as 101 to 999,
/// a third of those between the least and the largest; and all of those with three digits or more
/// that begin so late, as 2000 to 2999 do, that most rows lie before them.
[[nodiscard]] constexpr std::size_t most_rows_of_ids(std::size_t length, std::size_t least) {
  constexpr std::size_t rows_for_one = 10, numbers_for_one = 3, most = 10'000;
  const std::size_t tenth = length >= long_mode ? length / rows_for_one : 0;
  if (least < three_digits || length < least) return tenth;
  if (length <= 2 * least) return length - least;
  if (length > most) return tenth;
  const std::size_t third = (length - least) / numbers_for_one;
  return third > tenth ? third : tenth;
}

/// Whether the numbers of a mode look like ids, of which `used` rows have nonzeros. A few of a
/// short mode say nothing.
[[nodiscard]] constexpr bool are_ids(std::size_t length, std::size_t least, std::size_t used) {
  constexpr std::size_t fewest = 3;
  return used <= most_rows_of_ids(length, least) && (length >= long_mode || used >= fewest);
}

/// Whether slices that a file numbers look like ids: the first one has no entries, or as many have
/// none as have some.
[[nodiscard]] constexpr bool slices_are_ids(std::size_t first, std::size_t empty, std::size_t all) {
  return empty < all && (first != 0 || 2 * empty >= all);
}

/// Whether a text is a time of day, with a date or without: 2024-05-03T12:30, 3/5/24 2:30 PM,
/// 12:30:05.
[[nodiscard]] inline bool is_time_of_day(std::string_view text) {
  if (text.find_first_not_of("0123456789-/.:+, TZAPMapm") != std::string_view::npos) return false;
  const std::size_t colon = text.find(':');
  return colon != std::string_view::npos && colon > 0 && colon + 2 < text.size() &&
         is_digit(text[colon - 1]) && is_digit(text[colon + 1]) && is_digit(text[colon + 2]);
}

/// What the rows of a mode are that have so few nonzeros each that a model finds little that recurs
/// there.
enum class SingleRows {
  none,   ///< rows have more nonzeros
  times,  ///< times of day, of which each has three nonzeros at most on average
  any     ///< whatever they are, nearly each nonzero has one to itself
};

/// `rows` have nonzeros. They have names, of which `name_of(row)` is one, or are numbers: then that
/// is "". A look at some names says whether they are times.
template <class NameOf>
[[nodiscard]] SingleRows single_rows(std::size_t rows, std::size_t nonzeros,
                                     const NameOf& name_of) {
  constexpr std::size_t few = 50;  // of which a model is made quickly, whatever they are
  if (rows < few || 3 * rows < nonzeros) return SingleRows::none;
  if (is_time_of_day(name_of(0)) && is_time_of_day(name_of(rows / 2)) &&
      is_time_of_day(name_of(rows - 1))) {
    return SingleRows::times;
  }
  return 10 * rows < 9 * nonzeros ? SingleRows::none : SingleRows::any;
}

}  // namespace genten::tools
