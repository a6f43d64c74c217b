// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Numbers of tables as people write them: with decimal commas, thousands marks and signs.

#include <genten/io/options.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace genten::detail {

/// Whether a field is a number with a decimal comma, as in 3,5, perhaps with an exponent.
[[nodiscard]] bool is_decimal_comma(std::string_view field);
/// The same number with a point.
[[nodiscard]] std::string with_decimal_point(std::string_view field);

/// Whether a mark may stand between the thousands of a field, as commas in 1,234 and 1,234,567.8,
/// where a point precedes decimals. Of 0.125 the point cannot.
[[nodiscard]] bool is_grouped(std::string_view field, char mark);
/// The same number without these marks, and with a decimal point.
[[nodiscard]] std::string without_marks(std::string_view field, char mark);

/// Whether a field is a number but for signs of currencies, percent signs, parentheses for a minus
/// and such beside it, as 12.50 in $12.50.
[[nodiscard]] bool is_signed_number(std::string_view field);

/// Numbers of a column that `--decimal` of one sign would refuse, each with its line, as "2.5 in
/// line 3"; "" of none.
struct RefusedNumbers {
  std::string by_comma = {};
  std::string by_point = {};
};
/// Whether that sign of decimals would refuse a number that the other one reads.
[[nodiscard]] bool is_refused_by(Decimal sign, std::string_view number);

/// What to say behind the message on a field that is no number by the options: how to have it read,
/// or to write it where its column has numbers that are `refused` then; "" where nobody knows.
[[nodiscard]] std::string number_hint(std::string_view field, const ReadOptions& options,
                                      const RefusedNumbers& refused = {});

/// The same of a number with another sign of decimals than the option says, which reads the others
/// of its column: how to write it.
[[nodiscard]] std::string other_decimal_hint(std::string_view field, Decimal decimal);

/// Points of values, which stand between thousands if somebody who writes 2.278 means 2278.
struct PointsSeen {
  bool decimals = false;    ///< a value has a point that does not
  bool hundreds = false;    ///< a whole number without a point is 100 or more
  std::size_t grouped = 0;  ///< values of which each point may
  std::size_t first = std::numeric_limits<std::size_t>::max();  ///< place of the first of these

  /// Takes into account a value that stands at a place of the text.
  void see(std::string_view number, std::size_t place);
  void add(const PointsSeen& other);
  /// Whether it takes somebody to say what the points are. One value is no sign but beside whole
  /// numbers that have nearly as many digits, and between semicolons, which programs write where
  /// decimals have commas.
  [[nodiscard]] bool are_ambiguous(char delimiter) const {
    return !decimals && (grouped > 1 || (grouped == 1 && (hundreds || delimiter == ';')));
  }
};

/// What to say of a number with such points.
[[nodiscard]] std::string ambiguous_points(std::string_view number);

}  // namespace genten::detail
