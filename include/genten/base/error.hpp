// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The one exception type that Genten throws.

#include <concepts>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace genten {

/// Thrown for wrong arguments, unreadable or malformed files and requests that cannot be met. What
/// was expected, what came and where are fields, from which programs make sentences of their own
/// (`ErrorWords`); `what()` is the sentence for a C++ programmer, and is for people alone.
/// Numerical outcomes are never thrown: they are reported in results.
class Error : public std::runtime_error {
 public:
  /// What went wrong, so that programs can choose an exit code.
  enum class Kind {
    argument,  ///< an argument is outside what the function accepts
    file,      ///< a file is absent, malformed, truncated or cannot be written
    memory,    ///< more memory is needed than there is
    runtime    ///< a dependency (LAPACK, a device library) reported a failure
  };

  /// What exactly went wrong, where programs have more use for it than to say so.
  enum class Code {
    other,              ///< the complaint says all
    no_such_mode,       ///< a mode that a tensor does not have
    option_value,       ///< an option's value
    option_conflict,    ///< an option that means nothing beside others, or to a tensor
    system,             ///< the operating system refused a file: `number`
    other_content,      ///< a file has something else in it: `expected` and `found`
    other_order,        ///< a file is not of the order that options give: `expected` and `found`
    guess,              ///< an initial guess
    checkpoint,         ///< the checkpoint of a run
    data,               ///< values that a loss does not take
    missing_entries,    ///< a list of missing entries
    sum_not_finite,     ///< duplicates that add up to what is not finite
    too_few_components  ///< a model of fewer components than another one
  };
  /// What an error says, by parts.
  struct Fields {
    Kind kind = Kind::argument;
    Code code = Code::other;
    std::string about = {};     ///< what is at fault, as the program calls it
    std::string path = {};      ///< the file, as it was asked for
    std::size_t line = 0;       ///< in that file, from 1; 0: the file as a whole
    int number = 0;             ///< an errno
    std::string function = {};  ///< which function or type complains
    std::string option = {};    ///< as in tables of options: "mode-order"
    std::string expected = {};  ///< in words, or a choice of them: "cpu|gpu"
    std::string found = {};     ///< in words, too
    std::size_t process = 0;    ///< the process that complains, ...
    std::size_t processes = 0;  ///< ... of so many; 0: it was this one, or all complain alike
    /// The sentence without all that is above, in which options, and numbers that a program counts
    /// in its own way, are references (`error_text`). Empty: "expected EXPECTED, got FOUND".
    std::string complaint = {};
  };

  explicit Error(Fields fields);
  Error(Kind kind, const std::string& message);
  explicit Error(const std::string& message);

  /// What a function or type complains of: "cp_als: expected a tensor of order 1 or more, ...".
  static Error in(std::string_view function, std::string_view complaint);
  static Error in(std::string_view function, Kind kind, std::string_view complaint);

  /// A file error at a line: `file:line: message`. Line 0 means the file as a whole.
  static Error in_file(std::string_view file, std::size_t line, std::string_view message);
  /// What the operating system refuses, by its number: "file: cannot be opened: No such file ...".
  static Error of_system(std::string_view file, std::string_view what, int number);
  /// A file that is not what was expected. `rest` follows in the message.
  static Error of_content(std::string_view file, std::size_t line, std::string_view expected,
                          std::string_view found, std::string_view rest = {});

  /// A file whose tensor is not of the order that options give it.
  static Error of_order(std::string_view file, std::size_t given, std::size_t order);

  /// An option's value. Options that `complaint` speaks of stand in braces, `{holdout}` or
  /// `{loss=poisson}`, and so do words that are values, `{=huber}`.
  static Error of_option(std::string_view option, std::string_view complaint);
  /// An option that goes with no other value either, as the complaint says.
  static Error of_conflict(std::string_view option, std::string_view complaint);

  /// A mode that a tensor does not have. `mode` is 0-based, as everywhere in the API; the message
  /// counts from 1, as wherever a person reads of modes.
  static Error no_such_mode(std::string_view function, long long mode, long long order);

  /// The same of a mode that an option names.
  static Error no_such_mode_of(std::string_view option, long long mode, long long order);

  /// The same with a code.
  [[nodiscard]] Error as(Code code) const;

  [[nodiscard]] const Fields& fields() const noexcept { return *m_fields; }
  [[nodiscard]] Kind kind() const noexcept { return m_fields->kind; }
  [[nodiscard]] Code code() const noexcept { return m_fields->code; }
  /// Whether it says which file, or what else, is at fault.
  [[nodiscard]] bool is_named() const noexcept {
    return !m_fields->path.empty() || !m_fields->about.empty();
  }

  /// All fields, to be sent to processes of the same build.
  [[nodiscard]] std::string to_bytes() const;
  [[nodiscard]] static Error from_bytes(std::string_view bytes);

 private:
  std::shared_ptr<const Fields> m_fields;  ///< shared: copies of exceptions must not throw
};

/// References in complaints, between control characters that no other text has.
namespace error_text {

/// An option, with a value or without; a value alone where there is no name.
[[nodiscard]] std::string option(std::string_view name, std::string_view value = {});
[[nodiscard]] std::string number_of(long long index);  ///< what `number` returns
/// The number of a mode, component or the like, which is 0-based here.
[[nodiscard]] std::string number(std::integral auto index) {
  return number_of(static_cast<long long>(index));
}
/// " (counted from 1)", where numbers are.
[[nodiscard]] std::string counted();
/// What a program does that the library's function of this name does: "compact".
[[nodiscard]] std::string remedy(std::string_view function);
/// A text with options in braces, with references in their place.
[[nodiscard]] std::string with_options(std::string_view text);

}  // namespace error_text

/// How an error is put in words: here for programmers in C++, where options are members and numbers
/// of modes count from 1. Other faces override what they say otherwise.
class ErrorWords {
 public:
  ErrorWords() = default;
  ErrorWords(const ErrorWords&) = default;
  ErrorWords& operator=(const ErrorWords&) = default;
  virtual ~ErrorWords() = default;

  /// The whole sentence.
  [[nodiscard]] std::string sentence(const Error::Fields& fields) const;
  /// The sentence without what it is about: file, function, option, process.
  [[nodiscard]] std::string complaint(const Error::Fields& fields) const;
  /// A text with all references written.
  [[nodiscard]] std::string text(std::string_view complaint) const;

  /// The function that complains; "" leaves it out.
  [[nodiscard]] virtual std::string function(std::string_view name) const;
  /// The option that the sentence is about.
  [[nodiscard]] virtual std::string subject(std::string_view option) const;
  /// The list of missing entries that the sentence is about.
  [[nodiscard]] virtual std::string missing_entries() const;
  /// An option with its value; one of them is empty where only the other is meant.
  [[nodiscard]] virtual std::string option(std::string_view name, std::string_view value) const;
  /// What is expected, which may be a choice of words with | between them.
  [[nodiscard]] virtual std::string expected(std::string_view words) const;
  /// What mode, component or the like of 0 is called.
  [[nodiscard]] virtual long long first_number() const { return 1; }
  [[nodiscard]] virtual std::string remedy(std::string_view function) const;
};

}  // namespace genten
