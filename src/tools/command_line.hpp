// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Command-line options generated from the fields table of an options aggregate.
///
/// On the command line modes count from 1, as subscripts do in text files; in the API they count
/// from 0. Lists of modes (`std::vector<int>`) are converted here.

#include "option_text.hpp"

#include <charconv>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

// The parser, CLI11, takes seconds to compile wherever it is included: only the sources that parse
// or describe whole command lines do. All others declare options by the functions below.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace genten::tools {

/// Throws the usage error of an option, or of whatever stands in its place: "name: message".
[[noreturn]] void usage_error(const std::string& name, const std::string& message);

/// Whether that is a usage error, or one of the parser's own.
[[nodiscard]] bool is_usage_error(const std::exception& error);

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
      std::isnan(number)) {
    reject(name, expected_number<T>(lowest, highest), text);
  }
  return value;
}

/// The usage error of option `--name` that expects one of some words, with the nearest of them.
[[noreturn]] void reject_word(std::string_view name, const std::vector<std::string>& words,
                              const std::string& got);

/// Modes of the command line, "1,3", as the API has them, {0, 2}; what stands for names in place
/// of these (mode_names.hpp).
std::vector<int> parse_modes(std::string_view name, std::string_view text);

/// Throws a usage error, in the numbers of the command line, for a mode that a tensor of that order
/// does not have, and for one that is named twice.
void require_modes(std::string_view name, const std::vector<int>& modes, std::size_t order);
/// The same, and for a mode that is not named where any is.
void require_every_mode(std::string_view name, const std::vector<int>& modes, std::size_t order);

/// The value that `text` means for an option; throws a usage error where it means none.
template <class T>
void parse_option(const OptionLine& line, const std::string& text, T& value) {
  if constexpr (WordedEnum<T>) {
    const auto meant = from_word<T>(text);
    if (!meant) {
      std::vector<std::string> words;
      for (const auto& each : enum_words(T{})) words.emplace_back(each.word);
      reject_word(line.name, words, text);
    }
    value = *meant;
  } else if constexpr (std::is_arithmetic_v<T>) {
    value = parse_number<T>(line.name, text, line.lowest, line.highest);
  } else {
    static_assert(std::is_same_v<T, std::string>, "no command-line form for this type of option");
    if (line.choices != nullptr) {
      const auto words = line.choices();
      if (std::find(words.begin(), words.end(), text) == words.end()) {
        reject_word(line.name, words, text);
      }
    }
    value = text;
  }
}
template <class T>
void parse_option(const OptionLine& line, const std::string& text, std::optional<T>& value) {
  parse_option(line, text, value.emplace());
}
template <class T>
void parse_option(const OptionLine& line, const std::string& text, std::vector<T>& values) {
  values.clear();
  for (const std::string& piece : split_list(text))
    parse_option(line, piece, values.emplace_back());
}
void parse_option(const OptionLine& line, const std::string& text, std::vector<int>& modes);
void parse_option(const OptionLine& line, const std::string& text, ModeSelection& selection);

/// An option that was declared.
class DeclaredOption {
 public:
  DeclaredOption() = default;
  DeclaredOption(CLI::Option* option) : m_option(option) {}  // NOLINT: stands for it

  /// It means nothing without the other one, or beside it: the help says so, and usage errors do.
  DeclaredOption needs(DeclaredOption other) const;
  DeclaredOption excludes(DeclaredOption other) const;
  /// The help says no more of it than its description.
  DeclaredOption described_alone() const;
  /// Whether it stands on the command line. False where none was declared.
  [[nodiscard]] bool is_given() const;

 private:
  CLI::Option* m_option = nullptr;
};

/// The option of that name, "--seed", which is declared.
[[nodiscard]] DeclaredOption option_of(CLI::App& app, const std::string& name);

/// What stands behind the options in the help.
void set_footer(CLI::App& app, const std::string& text);

/// Declares a subcommand, whose `callback` runs when it was chosen and all its options are read.
[[nodiscard]] CLI::App& add_subcommand(CLI::App& tool, const std::string& name,
                                       const std::string& description);
void set_callback(CLI::App& app, std::function<void()> callback);

/// Adds a flag, which sets `value`; of names "--it,!--no-it" the second one clears it.
DeclaredOption add_flag(CLI::App& app, const std::string& names, bool& value,
                        const std::string& description);

/// Adds an option (or, for a name without dashes, a required argument) whose text is handed to
/// `take`. `type` stands for the value in the help.
DeclaredOption add_text(CLI::App& app, const std::string& name, const std::string& type,
                        std::function<void(const std::string&)> take,
                        const std::string& description);

/// The same for an option whose text is kept in `value`.
DeclaredOption add_text(CLI::App& app, const std::string& name, const std::string& type,
                        std::string& value, const std::string& description);

/// The same for a place on the command line that takes one text or more.
void add_texts(CLI::App& app, const std::string& name, const std::string& type,
               std::vector<std::string>& values, const std::string& description);

/// The same for the name of a file that is written: "-" for every name of the standard output.
DeclaredOption add_output(CLI::App& app, const std::string& name, std::string& value,
                          const std::string& description);

/// Adds the option `--name` of any type, its default being what `value` is now. The help says
/// `default_text` instead where there is one.
template <class T>
DeclaredOption add_option(CLI::App& app, const OptionLine& line, T& value,
                          const std::string& default_text = "") {
  OptionText text = option_text(line, value);
  if (!default_text.empty()) text.default_value = default_text;
  if constexpr (std::is_same_v<T, bool>) {
    const std::string names = "--" + line.name + ",!--no-" + line.name;
    return add_flag(app, names, value, text.description());
  } else {
    const auto take = [line, &value](const std::string& given) {
      parse_option(line, given, value);
    };
    return add_text(app, "--" + line.name, text.values, take, text.description());
  }
}

/// How the fields of a table are called on a command line, where not by their names.
struct OptionNames {
  std::string prefix = "";                                ///< before every name
  std::map<std::string_view, std::string> renamed = {};   ///< by the name in the table
  std::set<std::string_view> left_out = {};               ///< no options of this command
  std::map<std::string_view, std::string> defaults = {};  ///< what the help says instead
};

/// Adds an option for every field of the table of `Options`; returns them by their names in the
/// table.
template <class Options>
std::map<std::string_view, DeclaredOption> add_fields(CLI::App& app, Options& options,
                                                      const OptionNames& names = {}) {
  std::map<std::string_view, DeclaredOption> added;
  for_each_field(options, [&](const auto& field, auto& value) {
    if (names.left_out.contains(field.name)) return;
    OptionLine line = line_of(field);
    const auto renamed = names.renamed.find(field.name);
    line.name = renamed != names.renamed.end() ? renamed->second : names.prefix + line.name;
    const auto text = names.defaults.find(field.name);
    added[field.name] =
        add_option(app, line, value, text != names.defaults.end() ? text->second : "");
  });
  return added;
}

/// Layout of --help of a program and its subcommands, for 80 columns.
void style_help(CLI::App& program);

}  // namespace genten::tools
