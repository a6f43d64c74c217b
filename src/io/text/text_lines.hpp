// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Lines of a text file and their fields: the careful way, for headers, messages and models. (The
/// entries of tensors go the fast way, tns_parse.hpp.)

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten::detail {

/// Blanks separate fields. Carriage returns count only before a line feed, see `LineReader`.
[[nodiscard]] constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
/// Whether a comment starts at p, where a percent sign must stand alone, at the start of a line or
/// behind a blank: 50% is not 50. p[1] must be readable.
[[nodiscard]] constexpr bool starts_comment(const char* p) {
  return *p == '#' || *p == '%' || (*p == '/' && p[1] == '/');
}

/// The line without comment and carriage return.
[[nodiscard]] std::string_view without_comment(std::string_view line);
/// What lies between blanks.
[[nodiscard]] std::vector<std::string_view> split_fields(std::string_view line);
/// A field as it stands in messages: shortened, odd bytes as \xNN. Calls with a std::string would
/// find std::quoted, too, if its name were that.
[[nodiscard]] std::string in_quotes(std::string_view field);
/// Nonnegative whole number of digits alone; nothing when it is not one or passes 64 bits.
[[nodiscard]] std::optional<std::uint64_t> to_count(std::string_view field);
/// Bytes of a byte order mark that an editor may have left at the start.
[[nodiscard]] std::size_t byte_order_mark(std::string_view text);
/// `n` and the noun, in the plural where that is right.
[[nodiscard]] std::string counted(std::size_t n, std::string_view noun);

/// A line that holds more than blanks and comment.
struct Line {
  std::size_t number = 0;  ///< from 1, in the file
  std::size_t offset = 0;  ///< of its first byte
  std::vector<std::string_view> fields;
};

/// Goes through the lines of a text.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : m_text(text), m_offset(byte_order_mark(text)) {}

  /// The next line with fields; false at the end of the text.
  bool next(Line& line);
  /// Lines passed so far, empty ones and comments included.
  [[nodiscard]] std::size_t lines() const { return m_lines; }

 private:
  std::string_view m_text;
  std::size_t m_offset;
  std::size_t m_lines = 0;
};

/// How often a character is in a text.
[[nodiscard]] std::size_t count_of(char wanted, std::string_view text);

/// Whether the first bytes of a text tell its layout whatever follows them: a header of three lines
/// behind a word, the first entry, and some more lines with fields are among them.
[[nodiscard]] bool tells_layout(std::string_view head);

}  // namespace genten::detail
