// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "encoding.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace genten::detail {

namespace {

/// Windows-1252 from 0x80 to 0x9f.
constexpr std::array<std::uint16_t, 32> windows_1252 = {
    0x20ac, 0x0081, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008d, 0x017d, 0x008f, 0x0090, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x009d, 0x017e, 0x0178};

bool is_ascii(char c) {
  return (static_cast<unsigned char>(c) & 0x80U) == 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(text[i]) & 0xffU; };
  while (true) {
    const auto* const other = std::find_if_not(text.data(), text.data() + text.size(),
                                               [](char c) { return is_ascii(c); });
    text.remove_prefix(static_cast<std::size_t>(other - text.data()));
    if (text.empty()) return true;
    const std::uint32_t lead = byte(0);
    const std::size_t bytes = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (bytes == 0 || lead > 0xf4 || bytes > text.size()) return false;
    // Not longer than needed, no surrogates, nothing beyond U+10FFFF.
    const std::uint32_t least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
    const std::uint32_t most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
    if (byte(1) < least || byte(1) > most) return false;
    for (std::size_t i = 2; i < bytes; ++i) {
      if ((byte(i) & 0xc0U) != 0x80U) return false;
    }
    text.remove_prefix(bytes);
  }
}

std::string utf8_of_latin1(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : text) {
    if (is_ascii(c)) {
      result += c;
      continue;
    }
    std::uint32_t code = static_cast<unsigned char>(c);
    if (code < 0xa0) code = windows_1252[code - 0x80];
    if (code >= 0x800) {
      result += static_cast<char>(0xe0U | code >> 12);
      result += static_cast<char>(0x80U | (code >> 6 & 0x3fU));
    } else {
      result += static_cast<char>(0xc0U | code >> 6);
    }
    result += static_cast<char>(0x80U | (code & 0x3fU));
  }
  return result;
}

}  // namespace genten::detail
