// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the readers and writers of the Tensor Toolbox's text forms of models share.

#include "../file/ktensor_file.hpp"
#include "../text/numbers.hpp"
#include "../text/text_lines.hpp"

#include <genten/base/error.hpp>

#include <charconv>
#include <string>

namespace genten::detail {

/// Reads a model line by line.
template <class Scalar>
class BlockReader {
 public:
  explicit BlockReader(const FileContent& file) : m_file(file), m_reader(file.bytes()) {}

  [[noreturn]] void fail(const std::string& message) const {
    throw Error::in_file(m_file.path(), m_line.number, message);
  }
  [[noreturn]] void refuse(std::string_view expected, std::string_view found,
                           const std::string& rest) const {
    throw Error::of_content(m_file.path(), m_line.number, expected, found, rest);
  }

  void advance(const std::string& expected) {
    if (m_reader.next(m_line)) return;
    throw Error::in_file(m_file.path(), m_reader.lines(),
                         "truncated: the file ends where " + expected + " should follow");
  }

  void require_fields(std::size_t count, std::string_view noun) const {
    if (m_line.fields.size() == count) return;
    fail("expected " + counted(count, noun) + " in this line, got " +
         counted(m_line.fields.size(), "field"));
  }

  std::size_t count_field(std::size_t i, const std::string& what) const {
    if (const auto count = to_count(m_line.fields[i])) return *count;
    fail("expected " + what + " as a whole number, got " + in_quotes(m_line.fields[i]));
  }

  std::size_t read_count(const std::string& what) {
    advance(what);
    require_fields(1, "field");
    return count_field(0, what);
  }

  std::size_t read_order() {
    const std::size_t order = read_count("the order");
    if (order < 1 || order > static_cast<std::size_t>(max_order)) {
      fail("expected an order from 1 to " + std::to_string(max_order) + ", got " +
           std::to_string(order));
    }
    return order;
  }

  void expect_word(std::string_view word) {
    advance("the word " + std::string(word));
    require_word(word);
  }

  void require_word(std::string_view word) const {
    if (m_line.fields.size() != 1 || m_line.fields[0] != word) {
      fail("expected the word " + std::string(word) + " alone in this line, got " +
           in_quotes(m_line.fields[0]));
    }
  }

  void read_numbers(Scalar* to, std::size_t count, std::string_view noun,
                    VanishedColumns& vanished) const {
    require_fields(count, noun);
    for (std::size_t j = 0; j < count; ++j) {
      const std::string_view field = m_line.fields[j];
      const ValueStatus status = to_value(field, to[j]);
      vanished.see(j, status == ValueStatus::too_small, to[j] != Scalar(0));
      switch (status) {
        case ValueStatus::good:
        case ValueStatus::too_small:
          break;
        case ValueStatus::not_a_number:
          fail("expected a number, got " + in_quotes(field));
        case ValueStatus::not_finite:
          fail("the number " + in_quotes(field) + " is not finite in " +
               std::string(precision_name<Scalar>) + " precision");
      }
    }
  }

 protected:
  const FileContent& m_file;
  LineReader m_reader;
  Line m_line;
};

/// Adds numbers in the shortest digits that read back to the same, and a line end.
template <class Scalar>
void append_numbers(std::string& text, const Scalar* numbers, std::size_t count) {
  char digits[64];
  for (std::size_t j = 0; j < count; ++j) {
    const auto end = std::to_chars(digits, digits + sizeof digits, numbers[j]).ptr;
    if (j != 0) text += ' ';
    text.append(digits, end);
  }
  text += '\n';
}

/// Adds the lines before the rows of a matrix.
inline void append_matrix_head(std::string& text, std::size_t rows, std::size_t columns) {
  text += "matrix\n2\n" + std::to_string(rows) + " " + std::to_string(columns) + "\n";
}

}  // namespace genten::detail
