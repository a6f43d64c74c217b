// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Text for people: numbers, sizes, times and lists.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace genten::tools {

/// snprintf into a string.
[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...);

/// "5 x 201 x 61"
std::string format_dimensions(const std::vector<std::size_t>& dimensions);

/// Seconds with three significant digits, and the unit: "1.25 s", "20 ms", "3.5 us".
std::string format_seconds(double seconds);

/// As clocks say it: "12 s", "3 min 20 s", "2 h 5 min"; "0 s" below half a second.
std::string format_duration(double seconds);

/// "1 nonzero", "2 nonzeros", "2 entries"
std::string count_of(std::size_t count, std::string_view noun);

/// Of ASCII.
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// The columns of `text` on a terminal: code points of UTF-8, not bytes.
std::size_t display_width(std::string_view text);

/// `text` cut to `width` columns, the last of them "~" where something was cut.
std::string shorten(std::string_view text, std::size_t width);

/// A note as a sentence: with a capital letter and a full stop.
std::string sentence(std::string note);

/// `text` with line breaks in place of blanks, so that lines have at most `width` columns where
/// words are not longer.
std::string wrap(std::string_view text, std::size_t width);

/// `parts` with `separator` between them.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// The pieces of `text` between commas, empty ones included; none for an empty text. A piece in
/// double quotes may have commas, and a quote where it stands twice.
std::vector<std::string> split_list(std::string_view text);

}  // namespace genten::tools
