// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Words for enumerations. An enumeration has one table, found by its type, from which its text
/// form, the choices on a command line and the checks of its values come:
///
///     constexpr auto enum_words(Duplicates) {
///       return std::array{EnumWord("sum", Duplicates::sum, "keep one entry with their sum"),
///                         EnumWord("refuse", Duplicates::refuse, "an error")};
///     }

#include <array>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace genten {

/// One value of an enumeration, the word for it in files, on command lines and in messages, and
/// what it means ("" where the word says it).
template <class Enum>
struct EnumWord {
  std::string_view word;
  Enum value;
  std::string_view meaning;

  constexpr EnumWord(std::string_view word_of_value, Enum of_value,
                     std::string_view that_means = "")
      : word(word_of_value), value(of_value), meaning(that_means) {}
};

/// An enumeration for which there is `enum_words(Enum)`, in the namespace of the enumeration.
template <class T>
concept WordedEnum = std::is_enum_v<T> && requires(T value) {
  { enum_words(value)[0] } -> std::convertible_to<EnumWord<T>>;
};

/// The word for a value; "unknown" for one that is not in the table.
template <WordedEnum Enum>
[[nodiscard]] constexpr std::string_view to_string(Enum value) {
  for (const auto& entry : enum_words(value)) {
    if (entry.value == value) return entry.word;
  }
  return "unknown";
}

/// The value that the word means; none for a word that is not in the table.
template <WordedEnum Enum>
[[nodiscard]] constexpr std::optional<Enum> from_word(std::string_view word) {
  for (const auto& entry : enum_words(Enum{})) {
    if (entry.word == word) return entry.value;
  }
  return std::nullopt;
}

/// All words with `separator` between them, in the order of the table: "sum|refuse".
template <WordedEnum Enum>
[[nodiscard]] std::string all_words(std::string_view separator = "|") {
  std::string text;
  for (const auto& entry : enum_words(Enum{})) {
    if (!text.empty()) text += separator;
    text += entry.word;
  }
  return text;
}

}  // namespace genten
