// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Texts as code of Python has them, for messages whose code is to be pasted.

#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// A text in UTF-8 in quotes: in double ones where it has single ones alone.
[[nodiscard]] inline std::string in_python(std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  const auto has = [&](char sign) { return text.find(sign) != std::string_view::npos; };
  const char quote = has('\'') && !has('"') ? '"' : '\'';
  std::string code(1, quote);
  for (const char sign : text) {
    const auto byte = static_cast<unsigned char>(sign);
    if (byte < 0x20 || byte == 0x7f) {
      code += {'\\', 'x', hex[byte >> 4], hex[byte & 15U]};
      continue;
    }
    if (sign == quote || sign == '\\') code += '\\';
    code += sign;
  }
  return code + quote;
}

/// A list of such texts.
[[nodiscard]] inline std::string in_python(const std::vector<std::string>& texts) {
  std::string code;
  for (const std::string& text : texts) code += (code.empty() ? "" : ", ") + in_python(text);
  return '[' + code + ']';
}

}  // namespace genten
