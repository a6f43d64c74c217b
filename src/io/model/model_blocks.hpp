// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the readers and writers of the Tensor Toolbox's text forms of models share.

#include "../file/ktensor_file.hpp"
#include "../text/numbers.hpp"
#include "../text/text_lines.hpp"

#include <genten/base/error.hpp>
#include <genten/io/atomic_file.hpp>

#include <charconv>
#include <string>
#include <utility>

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

  /// Reads the lines before the rows of a matrix: how many rows and columns it has.
  std::pair<std::size_t, std::size_t> read_matrix_head(const std::string& name) {
    expect_word("matrix");
    if (const std::size_t order = read_count("the order of a matrix, 2"); order != 2) {
      fail("expected 2, the order of a matrix, got " + std::to_string(order));
    }
    advance("the size of " + name);
    require_fields(2, "dimension");
    const std::size_t rows = count_field(0, "the number of rows");
    return {rows, count_field(1, "the number of columns")};
  }

  void read_rows(const FacMatrix<Scalar, HostExec>& to, const std::string& name) {
    VanishedColumns vanished(to.columns());
    for (std::size_t i = 0; i < to.rows(); ++i) {
      advance("row " + std::to_string(i + 1) + " of " + name);
      read_numbers(to.row(i), to.columns(), "number", vanished);
    }
    vanished.check(m_file.path(), name, sizeof(Scalar));
  }

  void require_end() {
    if (!m_reader.next(m_line)) return;
    fail("expected the end of the file after the last factor, got " + in_quotes(m_line.fields[0]));
  }

 protected:
  const FileContent& m_file;
  LineReader m_reader;
  Line m_line;
};

/// Writes text by blocks.
class TextFile {
 public:
  TextFile(const std::string& path, Compression compression)
      : m_file(path), m_compression(compression) {}

  std::string text;

  void write_block() {
    constexpr std::size_t block_bytes = std::size_t{1} << 20;
    if (text.size() >= block_bytes) flush();
  }
  void commit() {
    flush();
    m_file.commit();
  }

 private:
  void flush() {
    if (!text.empty()) m_file.write(compress(text, m_compression));
    text.clear();
  }

  AtomicFile m_file;
  Compression m_compression;
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
