// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Text forms of options, generated from their lines in the tables: what help says of them, and
/// their values.

#include "text.hpp"

#include <genten/base/option_field.hpp>
#include <genten/core/mode_selection.hpp>

#include <optional>

namespace genten::tools {

/// What a line of a table says of an option, whatever its type.
struct OptionLine {
  std::string name;
  std::string meaning;
  double lowest = std::numeric_limits<double>::lowest();
  double highest = std::numeric_limits<double>::max();
  OptionChoices choices = nullptr;
};

inline OptionLine line_of(const OptionFacts& field) {
  return {std::string(field.name), std::string(field.meaning), field.lowest, field.highest,
          field.choices};
}

/// What a value is on a command line.
std::string value_text(bool value);
std::string value_text(double value);
std::string value_text(const std::string& value);
std::string value_text(const std::vector<int>& modes);
std::string value_text(const ModeSelection& selection);
template <std::integral T>
std::string value_text(T value) {
  return std::to_string(value);
}
template <WordedEnum T>
std::string value_text(T value) {
  return std::string(to_string(value));
}
template <class T>
std::string value_text(const std::vector<T>& values) {
  std::vector<std::string> parts;
  for (const auto& value : values) parts.push_back(value_text(value));
  return join(parts, ",");
}
template <class T>
std::string value_text(const std::optional<T>& value) {
  return value ? value_text(*value) : "";
}

/// The words of an enumeration that need explaining: "sum: keep one; refuse: an error".
template <WordedEnum T>
std::string explain_words() {
  std::vector<std::string> parts;
  for (const auto& entry : enum_words(T{})) {
    if (!entry.meaning.empty()) {
      parts.push_back(std::string(entry.word) + ": " + std::string(entry.meaning));
    }
  }
  return join(parts, "; ");
}

/// An option as people read of it.
struct OptionText {
  std::string name;
  std::string values;         ///< what stands for the value: "N", "sum|refuse", "MODE,..."
  std::string range;          ///< "1 to 9", "" where anything goes
  std::string default_value;  ///< "" for none
  std::string meaning;

  /// "meaning (1 to 9; default 2)"
  [[nodiscard]] std::string description() const;
};

namespace detail {
/// What stands for a value of the type.
template <class T>
struct ValueName {
  static std::string of(const OptionLine& line) {
    if constexpr (WordedEnum<T>) return all_words<T>();
    if constexpr (std::is_same_v<T, std::string>) {
      return line.choices == nullptr ? "TEXT" : join(line.choices(), "|");
    }
    return std::is_integral_v<T> ? "N" : "NUMBER";
  }
};
template <>
struct ValueName<bool> {
  static std::string of(const OptionLine&) { return "on|off"; }
};
template <>
struct ValueName<std::vector<int>> {
  static std::string of(const OptionLine&) { return "MODE,..."; }
};
template <>
struct ValueName<ModeSelection> {
  static std::string of(const OptionLine&) { return "all|MODE,..."; }
};
template <class T>
struct ValueName<std::vector<T>> {
  static std::string of(const OptionLine& line) { return ValueName<T>::of(line) + ",..."; }
};
template <class T>
struct ValueName<std::optional<T>> : ValueName<T> {};
}  // namespace detail

/// The option whose value is now its default.
template <class T>
OptionText option_text(const OptionLine& line, const T& value) {
  OptionText text{line.name, detail::ValueName<T>::of(line), "", value_text(value), line.meaning};
  if constexpr (WordedEnum<T>) {
    if (const auto words = explain_words<T>(); !words.empty()) text.meaning += "; " + words;
  } else if constexpr (std::is_same_v<T, std::vector<int>> || std::is_same_v<T, ModeSelection>) {
    text.range = "modes count from 1, or are named";
  } else if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::string>) {
    text.range = describe_range(line.lowest, line.highest);
  }
  return text;
}

/// What stands for a value where text is of limited width: "NAME" for more words than a line takes.
std::string short_values(const std::string& values);

}  // namespace genten::tools
