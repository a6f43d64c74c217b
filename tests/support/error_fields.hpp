// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What an Error says, without the sentence that a face makes of it.

#include <genten/base/error.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace genten_test {

/// The Error that `body` throws; nullopt where it throws none.
template <class Body>
std::optional<genten::Error> thrown_by(const Body& body) {
  try {
    body();
  } catch (const genten::Error& error) {
    return error;
  }
  return std::nullopt;
}

/// Options in braces, as sources have them.
class InBraces : public genten::ErrorWords {
 public:
  [[nodiscard]] std::string option(std::string_view name, std::string_view value) const override {
    return "{" + std::string(name) + (value.empty() ? "" : "=") + std::string(value) + "}";
  }
};

/// The complaint, with options in braces.
inline std::string complaint_of(const genten::Error& error) {
  return InBraces().complaint(error.fields());
}

}  // namespace genten_test
