// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "printable.hpp"

#include <algorithm>
#include <cstdint>

namespace genten::tools {
namespace {

constexpr std::uint32_t not_a_character = 0xffffffffU;

/// The character at the beginning of `text`, and the number of bytes that it takes.
std::uint32_t first_character(std::string_view text, std::size_t& bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]) & 0xffU; };
  const std::uint32_t lead = byte(0);
  bytes = lead < 0x80   ? 1
          : lead < 0xc2 ? 0
          : lead < 0xe0 ? 2
          : lead < 0xf0 ? 3
          : lead < 0xf5 ? 4
                        : 0;
  std::uint32_t character = bytes == 1 ? lead : lead & (0x7fU >> bytes);
  bool good = bytes != 0 && bytes <= text.size();
  for (std::size_t i = 1; good && i < bytes; ++i) {
    good = (byte(i) & 0xc0U) == 0x80U;
    character = character << 6 | (byte(i) & 0x3fU);
  }
  const std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (!good || character < least[bytes] || character > 0x10ffffU) {
    bytes = 1;
    return not_a_character;
  }
  return character;
}

bool is_harmless(std::uint32_t c) {
  const auto within = [c](std::uint32_t first, std::uint32_t last) {
    return first <= c && c <= last;
  };
  return c >= 0x20 && !within(0x7f, 0x9f) && !within(0x200e, 0x200f) && !within(0x2028, 0x202e) &&
         !within(0x2066, 0x2069) && !within(0xd800, 0xdfff) && c != 0x61c && c != not_a_character;
}

}  // namespace

std::u32string code_points(std::string_view text) {
  constexpr std::uint32_t replacement = 0xfffdU, surrogates = 0xd800U, behind_them = 0xe000U;
  std::u32string result;
  std::size_t bytes = 0;
  for (; !text.empty(); text.remove_prefix(bytes)) {
    const std::uint32_t c = first_character(text, bytes);
    const bool good = c != not_a_character && (c < surrogates || c >= behind_them);
    result += static_cast<char32_t>(good ? c : replacement);
  }
  return result;
}

std::string printable(std::string_view text) {
  constexpr char hex[] = "0123456789abcdef";
  std::string result;
  std::size_t bytes = 0;
  for (; !text.empty(); text.remove_prefix(bytes)) {
    if (is_harmless(first_character(text, bytes))) {
      result += text.substr(0, bytes);
      continue;
    }
    for (const char c : text.substr(0, bytes)) {
      const auto byte = static_cast<unsigned char>(c);
      result += {'\\', 'x', hex[byte >> 4], hex[byte & 15U]};
    }
  }
  return result;
}

std::string with_ends(const std::string& text) {
  const bool has_blanks = text.starts_with(' ') || text.ends_with(' ');
  return has_blanks ? '"' + text + '"' : text;
}

std::string in_list(const std::string& text) {
  return text.find(',') == std::string::npos ? with_ends(text) : '"' + text + '"';
}

std::string printable_lines(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += printable(text.substr(0, end));
    if (end != text.size()) result += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace genten::tools
