// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// OptionField: one line of an options table. Every options aggregate has one `fields()` table,
/// from which the command line, its help, the JSON form and the range checks are generated.

#include <genten/base/error.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace genten {

/// Describes the member `member` of `Options`. `name` is written with dashes, as on a command line.
/// `lowest` and `highest` bound numbers (inclusive) and are not used for other types.
template <class Options, class T>
struct OptionField {
  std::string_view name;
  T Options::*member;
  double lowest;
  double highest;
  std::string_view meaning;
};

template <class Options, class T>
[[nodiscard]] constexpr auto option_field(std::string_view name, T Options::*member,
                                          std::string_view meaning,
                                          double lowest = std::numeric_limits<double>::lowest(),
                                          double highest = std::numeric_limits<double>::max()) {
  return OptionField<Options, T>{name, member, lowest, highest, meaning};
}

/// Calls `visit(field)` for each field of the table of `Options`, in order.
template <class Options, class Visitor>
void for_each_field(Visitor&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, Options::fields());
}

/// Throws Error naming the first number that is outside its range.
template <class Options>
void check_ranges(const Options& options) {
  for_each_field<Options>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(options.*(field.member))>;
    if constexpr (std::is_arithmetic_v<T>) {
      const auto value = static_cast<double>(options.*(field.member));
      if (!(value >= field.lowest && value <= field.highest)) {
        throw Error("option " + std::string(field.name) + ": expected a number from " +
                    std::to_string(field.lowest) + " to " + std::to_string(field.highest) +
                    ", got " + std::to_string(value));
      }
    }
  });
}

}  // namespace genten
