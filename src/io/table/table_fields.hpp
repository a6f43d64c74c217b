// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The fields of a table's records, as RFC 4180 has them: between delimiters, perhaps in quotes,
/// in which a quote is written twice; and between delimiters with blanks behind them.

#include <array>
#include <cstring>
#include <string>
#include <string_view>

namespace genten::detail {

struct TableField {
  std::string_view text;  ///< without the quotes around it
  bool escaped = false;   ///< `text` holds quotes that are written twice
  bool quoted = false;    ///< it stands in quotes

  /// What the field stands for.
  [[nodiscard]] std::string value() const {
    std::string value(text);
    for (std::size_t at = 0; escaped && (at = value.find('"', at)) != std::string::npos; ++at) {
      value.erase(at, 1);
    }
    return value;
  }
};

enum class FieldEnd { delimiter, record, wrong };

/// Reads one field after the other.
class FieldReader {
 public:
  /// `skips_blanks` says that blanks around fields are none of theirs but in quotes.
  FieldReader(char delimiter, bool skips_blanks, const char* p, const char* end)
      : m_p(p), m_end(end), m_delimiter(delimiter), m_skips_blanks(skips_blanks) {
    for (const char c : {delimiter, '\n', '\r', '"'}) m_stops[static_cast<unsigned char>(c)] = true;
  }

  [[nodiscard]] const char* at() const { return m_p; }

  /// Moves behind an empty line, where one is.
  bool skip_empty_line() {
    const char* p = m_p;
    if (p != m_end && *p == '\r') ++p;
    if (p == m_end || *p != '\n') return false;
    m_p = p + 1;
    return true;
  }

  /// Reads a field and says what ended it. What is wrong is at `at()`; `wrong()` says why.
  FieldEnd next(TableField& field) {
    skip_blanks();
    if (m_p != m_end && *m_p == '"') return next_quoted(field);
    const char* const begin = m_p;
    while (m_p != m_end && !m_stops[static_cast<unsigned char>(*m_p)]) ++m_p;
    field = {{begin, static_cast<std::size_t>(m_p - begin)}};
    while (m_skips_blanks && field.text.ends_with(' ')) field.text.remove_suffix(1);
    return end_field("expected quotes around a field that holds a quote, which is written twice");
  }

  [[nodiscard]] const char* wrong() const { return m_wrong; }

 private:
  FieldEnd next_quoted(TableField& field) {
    const char* const begin = m_p + 1;
    bool escaped = false;
    for (const char* p = begin;; p += 2, escaped = true) {
      p = p == m_end
              ? nullptr
              : static_cast<const char*>(std::memchr(p, '"', static_cast<std::size_t>(m_end - p)));
      if (p == nullptr)
        return fail("expected a quote that ends the field, got the end of the file");
      if (p + 1 != m_end && p[1] == '"') continue;
      field = {{begin, static_cast<std::size_t>(p - begin)}, escaped, true};
      m_p = p + 1;
      skip_blanks();
      return end_field("expected the end of the field behind its closing quote");
    }
  }

  void skip_blanks() {
    while (m_skips_blanks && m_p != m_end && *m_p == ' ') ++m_p;
  }

  FieldEnd end_field(const char* otherwise) {
    if (m_p == m_end) return FieldEnd::record;
    if (*m_p == m_delimiter) return ++m_p, FieldEnd::delimiter;
    const char* const line_end = *m_p == '\r' ? m_p + 1 : m_p;
    if (line_end == m_end || *line_end == '\n') {
      m_p = line_end == m_end ? m_end : line_end + 1;
      return FieldEnd::record;
    }
    return fail(*m_p == '\r' ? "expected lines that end in LF or CR LF, got a CR alone, which tr "
                               "'\\r' '\\n' makes LF"
                             : otherwise);
  }

  FieldEnd fail(const char* why) {
    m_wrong = why;
    return FieldEnd::wrong;
  }

  const char* m_p;
  const char* m_end;
  const char* m_wrong = nullptr;
  char m_delimiter;
  bool m_skips_blanks;
  std::array<bool, 256> m_stops{};
};

}  // namespace genten::detail
