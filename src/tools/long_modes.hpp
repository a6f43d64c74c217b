// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// When modes are suspiciously long, for the tool and the Python package.

#include <cstddef>
#include <string_view>

namespace genten::tools {

/// Length from which a mode is looked at: shorter ones cost little, whatever is in them.
constexpr std::size_t long_mode = 100'000;
/// How many times as many rows as those that hold nonzeros are too many.
constexpr std::size_t rows_for_one_used = 10;

/// Whether a text begins with a date and a time of day, as ISO 8601 has them: 2024-05-03T12:30.
[[nodiscard]] inline bool is_time_of_day(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-ddTdd:dd";
  if (text.size() < form.size()) return false;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const char c = text[i];
    const bool is_right = form[i] == 'd'   ? '0' <= c && c <= '9'
                          : form[i] == 'T' ? c == 'T' || c == ' '
                                           : c == form[i];
    if (!is_right) return false;
  }
  return true;
}

/// Whether the rows of a mode are times of day of which nearly every one has a nonzero to itself:
/// nothing recurs there that a model could find. A look at some of the `rows` names, of which
/// `name_of(row)` is one, says which they are.
template <class NameOf>
[[nodiscard]] bool are_single_times(std::size_t rows, std::size_t nonzeros, const NameOf& name_of) {
  constexpr std::size_t few = 50;  // of which a model is made quickly, whatever they are
  if (rows < few || 10 * rows < 9 * nonzeros) return false;
  return is_time_of_day(name_of(0)) && is_time_of_day(name_of(rows / 2)) &&
         is_time_of_day(name_of(rows - 1));
}

}  // namespace genten::tools
