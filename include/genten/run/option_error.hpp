// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// OptionError: an option that does not go with others.

#include <genten/base/error.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace genten {

/// Thrown where options do not go together, or with a tensor. It names them as the tables of
/// options do; those that `complaint` speaks of stand in braces, `{holdout}` or `{loss=poisson}`,
/// and so do words that are values, `{=huber}`: a command line and a function each write them in
/// their own way.
class OptionError : public Error {
 public:
  OptionError(std::string option, std::string complaint);

  /// As in the table: "mode-order".
  [[nodiscard]] const std::string& option() const noexcept { return m_option; }
  [[nodiscard]] const std::string& complaint() const noexcept { return m_complaint; }

  /// Writes an option with its value; one of them is empty where only the other is meant.
  using Writer = std::function<std::string(std::string_view name, std::string_view value)>;
  /// A complaint with all options that it speaks of as `write` has them.
  [[nodiscard]] static std::string written(std::string_view complaint, const Writer& write);

 private:
  std::string m_option;
  std::string m_complaint;
};

}  // namespace genten
