// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Command-line options generated from the fields table of an options aggregate.
///
/// On the command line modes count from 1, as subscripts do in text files; in the API they count
/// from 0. Lists of modes (`std::vector<int>`) are converted here and nowhere else.

#include "text.hpp"

#include <genten/core/option_field.hpp>

#include <CLI/CLI.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>

namespace genten::cli {

/// "1 to 1000000", "at least 0", or "" where there are no bounds.
std::string describe_range(double lowest, double highest);

/// The usage error of option `--name`.
[[noreturn]] void reject(std::string_view name, const std::string& expected, std::string_view got);

/// The number that the whole of `text` is. Throws a usage error for anything else, and for numbers
/// out of range.
template <class T>
T parse_number(std::string_view name, std::string_view text, double lowest, double highest) {
  T value{};
  const auto end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const auto number = static_cast<double>(value);
  if (error != std::errc() || stop != end || !(number >= lowest && number <= highest) ||
      !std::isfinite(number)) {
    std::string expected = std::is_integral_v<T> ? "a whole number" : "a number";
    const std::string range = describe_range(lowest, highest);
    if (!range.empty()) expected += (range.starts_with("at") ? " of " : " from ") + range;
    reject(name, expected, text);
  }
  return value;
}

/// Modes of the command line, "1,3", as the API has them, {0, 2}.
std::vector<int> parse_modes(std::string_view name, std::string_view text);

/// Throws a usage error, in the numbers of the command line, for a mode that a tensor of that order
/// does not have.
void require_modes(std::string_view name, const std::vector<int>& modes, std::size_t order);

/// Whole numbers, "5,201,61", each at least `lowest`.
std::vector<std::size_t> parse_counts(std::string_view name, std::string_view text, double lowest);

/// Numbers, "0.9,1", each at least `lowest`.
std::vector<double> parse_numbers(std::string_view name, std::string_view text, double lowest);

/// What `value` is on a command line.
std::string write_value(bool value);
std::string write_value(double value);
std::string write_value(const std::string& value);
std::string write_value(const std::vector<int>& modes);
template <std::integral T>
std::string write_value(T value) {
  return std::to_string(value);
}

/// "meaning (1 to 9; default 2)"
std::string describe_option(std::string_view meaning, const std::string& range,
                            const std::string& default_value);

/// Adds an option (or, for a name without dashes, a required argument) whose text is handed to
/// `take`. `type` stands for the value in the help.
CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& type,
                      std::function<void(const std::string&)> take, const std::string& description);

/// The same for an option whose text is kept in `value`.
CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& type,
                      std::string& value, const std::string& description);

/// Adds the option `--name` for a number in a range, its default being what `value` is now.
template <class T>
CLI::Option* add_number(CLI::App& app, std::string name, T& value, std::string_view meaning,
                        double lowest = std::numeric_limits<double>::lowest(),
                        double highest = std::numeric_limits<double>::max()) {
  const auto description =
      describe_option(meaning, describe_range(lowest, highest), write_value(value));
  const auto take = [name, lowest, highest, &value](const std::string& text) {
    value = parse_number<T>(name, text, lowest, highest);
  };
  return add_text(app, "--" + name, std::is_integral_v<T> ? "N" : "NUMBER", take, description);
}

/// Adds the option of one field of a table for the member `value`.
template <class Field, class T>
CLI::Option* add_field(CLI::App& app, const Field& field, T& value) {
  const std::string name(field.name);
  if constexpr (std::is_same_v<T, bool>) {
    return app.add_flag("--" + name + ",!--no-" + name, value,
                        describe_option(field.meaning, "", value ? "on" : "off"));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return add_number(app, name, value, field.meaning, field.lowest, field.highest);
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    return add_text(
        app, "--" + name, "MODE,...",
        [name, &value](const std::string& text) { value = parse_modes(name, text); },
        describe_option(field.meaning, "", ""));
  } else {
    static_assert(std::is_same_v<T, std::string>, "no command-line form for this type of option");
    return add_text(app, "--" + name, "TEXT", value,
                    describe_option(field.meaning, "", write_value(value)));
  }
}

/// Adds an option for every field of the table of `Options`, but for those named in `except`.
template <class Options>
void add_fields(CLI::App& app, Options& options,
                std::initializer_list<std::string_view> except = {}) {
  for_each_field<Options>([&](const auto& field) {
    using T = std::remove_cvref_t<decltype(options.*(field.member))>;
    for (const auto name : except) {
      if (name == field.name) return;
    }
    if constexpr (!std::is_enum_v<T>) {
      add_field(app, field, options.*(field.member));
    } else {
      // Words for an enumeration are the caller's business: it has to be in `except`.
      throw std::logic_error("option " + std::string(field.name) + " is an enumeration");
    }
  });
}

/// Adds the option `--name` whose value is one of `words`; `value` is set to what goes with it.
template <class T>
CLI::Option* add_choice(CLI::App& app, const std::string& name, T& value,
                        std::vector<std::pair<std::string, T>> words, std::string_view meaning) {
  std::vector<std::string> names;
  std::string default_word;
  for (const auto& [word, meant] : words) {
    names.push_back(word);
    if (meant == value && default_word.empty()) default_word = word;
  }
  const std::string all = join(names, "|");
  const auto take = [name, words, all, &value](const std::string& text) {
    for (const auto& [word, meant] : words) {
      if (word == text) {
        value = meant;
        return;
      }
    }
    reject(name, all, text);
  };
  return add_text(app, "--" + name, all, take, describe_option(meaning, "", default_word));
}

}  // namespace genten::cli
