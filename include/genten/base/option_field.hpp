// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// OptionField: one line of an options table. Every options aggregate has one `fields()` table, a
/// `member_table`, from which the command line, its help, the JSON form, the documentation and the
/// range checks are generated: adding an option is one member and one line here. The types of
/// options:
///
/// | member | what the line may say besides name and meaning |
/// | --- | --- |
/// | `bool` | |
/// | a number | lowest and highest value |
/// | an enumeration with `enum_words` | |
/// | `std::string` | a function that lists the choices |
/// | `std::vector<int>`: modes, 0-based here and from 1 wherever a person reads them | |
/// | `std::vector` of another number | lowest and highest value of each element |
/// | an aggregate with a table of its own: `option_group` | |

#include <genten/base/enum_words.hpp>
#include <genten/base/error.hpp>
#include <genten/base/member_table.hpp>

#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten {

/// Lists the texts that an option may be, where these are known only when the program runs.
using OptionChoices = std::vector<std::string> (*)();

/// What a line says of an option, whatever aggregate and type it has. `name` is written with
/// dashes, as on a command line. `lowest` and `highest` bound numbers (inclusive) and are not used
/// for other types; `choices` is null for all but texts.
struct OptionFacts {
  std::string_view name;
  double lowest;
  double highest;
  std::string_view meaning;
  OptionChoices choices;
};

/// Describes the member `member` of `Options`.
template <class Options, class T>
struct OptionField {
  OptionFacts facts;
  T Options::*member;
};

/// A line of a table: the option's name, its member, what it means, and the range of a number.
template <class Options, class T>
[[nodiscard]] constexpr auto option_field(std::string_view name, T Options::*member,
                                          std::string_view meaning,
                                          double lowest = std::numeric_limits<double>::lowest(),
                                          double highest = std::numeric_limits<double>::max()) {
  return OptionField<Options, T>{{name, lowest, highest, meaning, nullptr}, member};
}

/// A text that is one of `choices()`. These are what is offered; whoever uses the option checks the
/// text, since what it takes may depend on more (a kernel, on the execution space of a call).
template <class Options>
[[nodiscard]] constexpr auto option_field(std::string_view name, std::string Options::*member,
                                          std::string_view meaning, OptionChoices choices) {
  return OptionField<Options, std::string>{{name, 0.0, 0.0, meaning, choices}, member};
}

/// The fields of a member that is an options aggregate itself: they count as fields of `Options`.
template <class Options, class T>
struct OptionGroup {
  T Options::*member;
};

/// A line of a table that stands for all lines of the table of that member.
template <class Options, class T>
[[nodiscard]] constexpr auto option_group(T Options::*member) {
  return OptionGroup<Options, T>{member};
}

namespace detail {

template <class Options, class T, class Owner, class Visitor>
constexpr void visit_line(const OptionField<Options, T>& field, Owner& options, Visitor& visit) {
  visit(field.facts, options.*(field.member));
}

template <class Options, class T, class Owner, class Visitor>
constexpr void visit_line(const OptionGroup<Options, T>& group, Owner& options, Visitor& visit) {
  visit_line(T::fields(), options.*(group.member), visit);
}
template <std::size_t... Numbers, class... Lines, class Owner, class Visitor>
constexpr void visit_line(const TableLines<std::index_sequence<Numbers...>, Lines...>& table,
                          Owner& options, Visitor& visit) {
  (visit_line(line_of<Numbers, Lines>(table), options, visit), ...);
}

}  // namespace detail

/// Calls `visit(facts, value)` for each field of the table of `Options`, in order, those of groups
/// in the group's place; `value` is the member of `options`, const if `options` is. A generic
/// visitor is compiled once for each type of option, not for each option: OptionFacts is the same
/// for all.
template <class Options, class Visitor>
constexpr void for_each_field(Options& options, Visitor&& visit) {
  detail::visit_line(Options::fields(), options, visit);
}

/// A number as a person would write it.
[[nodiscard]] inline std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

/// "1 to 1000000", "at least 0", "at most 7", or "" where there are no bounds.
[[nodiscard]] inline std::string describe_range(double lowest, double highest) {
  const bool below = lowest > std::numeric_limits<double>::lowest();
  const bool above = highest < 1e15;  // What is beyond is the type's limit, of no interest.
  if (below && above) return number_text(lowest) + " to " + number_text(highest);
  if (below) return "at least " + number_text(lowest);
  if (above) return "at most " + number_text(highest);
  return "";
}

/// "a whole number from 1 to 9", "a number of at least 0": what is expected of a number.
template <class T>
requires std::is_arithmetic_v<T>
[[nodiscard]] std::string expected_number(double lowest, double highest) {
  std::string text = std::is_integral_v<T> ? "a whole number" : "a number";
  const std::string range = describe_range(lowest, highest);
  if (!range.empty()) text += (range.starts_with("at") ? " of " : " from ") + range;
  return text;
}

namespace detail {

[[noreturn]] inline void reject_option(std::string_view name, const std::string& expected,
                                       const std::string& got) {
  throw Error(Error::Fields{.code = Error::Code::option_value,
                            .option = std::string(name),
                            .expected = expected,
                            .found = got});
}

template <class T>
requires std::is_arithmetic_v<T>
void check_number(const OptionFacts& field, T value) {
  const auto number = static_cast<double>(value);
  if (number >= field.lowest && number <= field.highest) return;
  reject_option(field.name, expected_number<T>(field.lowest, field.highest), number_text(number));
}

/// Modes and texts are checked where it is known what they mean.
struct CheckField {
  template <class T>
  void operator()(const OptionFacts& field, const T& value) const {
    if constexpr (WordedEnum<T>) {
      if (from_word<T>(to_string(value)) == value) return;
      reject_option(field.name, all_words<T>(), std::to_string(static_cast<long long>(value)));
    } else if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
      check_number(field, value);
    }
  }
  template <class T>
  requires std::is_arithmetic_v<T> &&(!std::is_same_v<T, int>)void operator()(
      const OptionFacts& field, const std::vector<T>& values) const {
    for (const T value : values) check_number(field, value);
  }
};

}  // namespace detail

/// Throws Error naming the first number that is outside its range, or the first enumeration that is
/// none of its values.
template <class Options>
void check_ranges(const Options& options) {
  for_each_field(options, detail::CheckField{});
}

}  // namespace genten
