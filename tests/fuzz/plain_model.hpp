// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A model in the Tensor Toolbox's text form, read line by line.

#include "plain_text.hpp"

#include <set>

namespace genten::fuzz {

template <class Scalar>
struct PlainModel {
  std::vector<std::uint64_t> dimensions;
  std::uint64_t rank = 0;
  std::vector<std::vector<Scalar>> numbers;  // weights, then the factors by rows
};

template <class Scalar>
class PlainModelReader {
 public:
  explicit PlainModelReader(const std::string& text)
      : m_bytes(text.size()), m_text(plain_lines(text)) {}

  PlainModel<Scalar> read() {
    word("ktensor");
    const auto order = counts(1)[0];
    if (order < 1 || order > 16) refuse("order");
    m_model.dimensions = counts(order);
    m_model.rank = counts(1)[0];
    if (m_model.rank == 0) refuse("no components");
    check_size();
    matrix(1);
    for (const std::uint64_t rows : m_model.dimensions) {
      word("matrix");
      if (counts(1)[0] != 2) refuse("order of a matrix");
      if (counts(2) != std::vector<std::uint64_t>{rows, m_model.rank}) refuse("size of a factor");
      matrix(rows);
    }
    if (m_next < m_text.filled.size()) {
      ++m_next;
      refuse("more than a model");
    }
    return m_model;
  }

 private:
  [[noreturn]] void refuse(const char* why) const {
    throw Refusal{m_text.filled[m_next - 1].number, why};
  }

  const std::vector<std::string>& next() {
    if (m_next == m_text.filled.size()) throw Refusal{m_text.lines, "truncated"};
    return m_text.filled[m_next++].fields;
  }

  void word(const std::string& expected) {
    if (next() != std::vector<std::string>{expected}) refuse("another word");
  }

  std::vector<std::uint64_t> counts(std::uint64_t expected) {
    std::vector<std::uint64_t> result;
    const auto& fields = next();
    if (fields.size() != expected) refuse("number of fields");
    for (const auto& field : fields) {
      const auto count = plain_count(field);
      if (!count) refuse("no whole number");
      result.push_back(*count);
    }
    return result;
  }

  /// A number takes two bytes at least: no file may announce more than it can hold.
  void check_size() const {
    long double rows = 1;
    for (const std::uint64_t length : m_model.dimensions) {
      rows += static_cast<long double>(length);
    }
    const auto most = static_cast<long double>(m_bytes / 2);
    if (rows * static_cast<long double>(m_model.rank) > most) refuse("too short");
  }

  /// No column may lose all that it holds because its numbers are too small.
  void matrix(std::uint64_t rows) {
    std::set<std::size_t> shrunk;
    std::set<std::size_t> kept;
    m_model.numbers.emplace_back();
    for (std::uint64_t i = 0; i < rows; ++i) {
      const auto& fields = next();
      if (fields.size() != m_model.rank) refuse("number of fields");
      for (std::size_t r = 0; r < fields.size(); ++r) {
        const auto value = plain_value<Scalar>(fields[r]);
        if (!value) refuse("no finite number");
        m_model.numbers.back().push_back(*value);
        if (*value != Scalar(0)) kept.insert(r);
        if (became_zero(fields[r], *value)) shrunk.insert(r);
      }
    }
    for (const std::size_t r : shrunk) {
      if (kept.count(r) == 0) throw Refusal{0, "a column vanishes"};
    }
  }

  std::size_t m_bytes;
  PlainText m_text;
  std::size_t m_next = 0;
  PlainModel<Scalar> m_model;
};

}  // namespace genten::fuzz
