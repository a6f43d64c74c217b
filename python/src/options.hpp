// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Options as Python dictionaries, by the library's tables.

#include "runtime.hpp"

#include <genten/base/option_field.hpp>
#include <genten/core/mode_selection.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <vector>

namespace genten::python {

/// The keyword of an option: underscores for dashes.
[[nodiscard]] inline std::string keyword_of(std::string_view name) {
  std::string keyword(name);
  std::replace(keyword.begin(), keyword.end(), '-', '_');
  return keyword;
}

/// The value of an option as Python has it; enumerations are their words, and all modes are True.
template <class T>
[[nodiscard]] nb::object option_value(const T& value) {
  if constexpr (WordedEnum<T>) {
    return nb::cast(std::string(to_string(value)));
  } else if constexpr (std::is_same_v<T, ModeSelection>) {
    return value.all ? nb::cast(true) : nb::cast(value.modes);
  } else {
    return nb::cast(value);
  }
}

/// What Python calls the type of an option.
template <class T>
[[nodiscard]] constexpr const char* type_word() {
  if constexpr (std::is_same_v<T, bool>) return "bool";
  if constexpr (WordedEnum<T>) return "choice";
  if constexpr (std::is_same_v<T, std::string>) return "choice";
  if constexpr (std::is_same_v<T, std::vector<std::string>>) return "texts";
  if constexpr (std::is_same_v<T, std::vector<int>>) return "modes";
  if constexpr (std::is_same_v<T, ModeSelection>) return "selection";
  if constexpr (std::is_same_v<T, std::vector<double>>) return "floats";
  if constexpr (std::is_integral_v<T>) return "int";
  if constexpr (std::is_floating_point_v<T>) return "float";
  return "ints";
}

/// Words with what they mean, where the table says that.
template <class T>
[[nodiscard]] nb::dict option_choices(const OptionFacts& field) {
  nb::dict choices;
  if constexpr (WordedEnum<T>) {
    for (const auto& entry : enum_words(T{})) {
      choices[std::string(entry.word).c_str()] = nb::cast(std::string(entry.meaning));
    }
  } else if (field.choices != nullptr) {
    for (const std::string& word : field.choices()) choices[word.c_str()] = "";
  }
  return choices;
}

/// A dictionary of an option, whose value is now its default: name, kind, default, lowest, highest,
/// choices, meaning. Bounds that are none are None.
template <class T>
[[nodiscard]] nb::dict option_line(const OptionFacts& field, const T& value) {
  nb::dict line;
  line["name"] = keyword_of(field.name);
  const bool is_free_text = std::is_same_v<T, std::string> && field.choices == nullptr;
  line["kind"] = is_free_text ? "text" : type_word<T>();
  line["default"] = option_value(value);
  line["lowest"] = nb::none();
  line["highest"] = nb::none();
  constexpr bool bounded = !WordedEnum<T> && !std::is_same_v<T, std::string>;
  if (bounded && field.lowest > std::numeric_limits<double>::lowest()) {
    line["lowest"] = field.lowest;
  }
  // What is beyond is the type's limit, of no interest.
  if (bounded && field.highest < 1e15) line["highest"] = field.highest;
  line["choices"] = option_choices<T>(field);
  line["meaning"] = std::string(field.meaning);
  return line;
}

/// `option_line` of each option of the table.
template <class Options>
[[nodiscard]] nb::list option_table() {
  nb::list table;
  const Options defaults;
  for_each_field(defaults, [&](const auto& field, const auto& value) {
    table.append(option_line(field, value));
  });
  return table;
}

/// Sets an option to what Python has for it, whose type is the caller's affair.
template <class T>
void set_option(const OptionFacts& field, T& value, const nb::object& item) {
  if constexpr (WordedEnum<T>) {
    const auto word = nb::cast<std::string>(item);
    const auto found = from_word<T>(word);
    if (!found) detail::reject_option(keyword_of(field.name), all_words<T>(), "'" + word + "'");
    value = *found;
  } else if constexpr (std::is_same_v<T, ModeSelection>) {
    value = {};
    if (nb::isinstance<nb::bool_>(item)) {
      value.all = nb::cast<bool>(item);
    } else {
      value.modes = nb::cast<std::vector<int>>(item);
    }
  } else {
    value = nb::cast<T>(item);
  }
}

/// Sets the options that `given` names; the others stay. Names are the caller's affair, ranges are
/// not looked at.
template <class Options>
void set_options(Options& options, const nb::dict& given) {
  for_each_field(options, [&](const auto& field, auto& value) {
    const std::string keyword = keyword_of(field.name);
    if (given.contains(keyword.c_str())) set_option(field, value, given[keyword.c_str()]);
  });
}

/// All options of an aggregate.
template <class Options>
[[nodiscard]] nb::dict options_dict(const Options& options) {
  nb::dict result;
  for_each_field(options, [&](const auto& field, const auto& value) {
    result[keyword_of(field.name).c_str()] = option_value(value);
  });
  return result;
}

void bind_options(nb::module_& module);

}  // namespace genten::python
