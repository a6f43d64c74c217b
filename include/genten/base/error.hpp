// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The one exception type that Genten throws.

#include <stdexcept>
#include <string>
#include <string_view>

namespace genten {

/// Thrown for wrong arguments, unreadable or malformed files and requests that cannot be met. The
/// message says what was expected, what came and where. Numerical outcomes are never thrown: they
/// are reported in results.
class Error : public std::runtime_error {
 public:
  /// What went wrong, so that programs can choose an exit code or a remedy.
  enum class Kind {
    argument,  ///< an argument is outside what the function accepts
    file,      ///< a file is absent, malformed, truncated or cannot be written
    memory,    ///< more memory is needed than there is
    runtime    ///< a dependency (LAPACK, a device library) reported a failure
  };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), m_kind(kind) {}
  explicit Error(const std::string& message) : Error(Kind::argument, message) {}

  /// A file error at a line: `file:line: message`. Line 0 means the file as a whole.
  static Error in_file(std::string_view file, std::size_t line, std::string_view message) {
    std::string text(file);
    if (line != 0) text.append(":").append(std::to_string(line));
    text += ": ";
    text += message;
    return Error(Kind::file, text);
  }

  /// A mode that a tensor does not have. `mode` is 0-based, as everywhere in the API; the message
  /// counts from 1, as wherever a person reads of modes.
  static Error no_such_mode(std::string_view where, long long mode, long long order) {
    return Error(std::string(where) + ": expected a mode from 1 to " + std::to_string(order) +
                 " (counted from 1), got " + std::to_string(mode + 1));
  }

  [[nodiscard]] Kind kind() const noexcept { return m_kind; }

 private:
  Kind m_kind;
};

}  // namespace genten
