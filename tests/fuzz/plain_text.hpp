// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Lines, fields and numbers, taken apart one character at a time with the C library. What is a
/// comment, a blank, a subscript or a value is said here and nowhere else in the plain readers.

#include "fuzz_target.hpp"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

namespace genten::fuzz {

struct PlainLine {
  std::size_t number = 0;  // from 1
  std::vector<std::string> fields;
};

/// All lines of a text, and those of them that hold fields.
struct PlainText {
  std::size_t lines = 0;
  std::vector<PlainLine> filled;
};

/// `#` and `//` end a line wherever they stand, `%` where a field would start.
inline std::vector<std::string> plain_fields(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  for (const char* mark : {"#", "//"}) line = line.substr(0, line.find(mark));
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
      if (!fields.back().empty()) fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  if (fields.back().empty()) fields.pop_back();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i][0] == '%') fields.resize(i);
  }
  return fields;
}

inline PlainText plain_lines(std::string text) {
  if (text.compare(0, 3, "\xef\xbb\xbf") == 0) text.erase(0, 3);
  PlainText result;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    auto fields = plain_fields(text.substr(0, end));
    ++result.lines;
    if (!fields.empty()) result.filled.push_back({result.lines, std::move(fields)});
    text = end == std::string::npos ? "" : text.substr(end + 1);
  }
  return result;
}

/// Plain digits of at most 64 bits.
inline std::optional<std::uint64_t> plain_count(const std::string& field) {
  std::uint64_t value = 0;
  for (const char c : field) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (value > (UINT64_MAX - digit) / 10) return std::nullopt;
    value = value * 10 + digit;
  }
  return field.empty() ? std::nullopt : std::optional(value);
}

/// A finite decimal number: sign, digits with at most one point, exponent.
template <class Scalar>
std::optional<Scalar> plain_value(const std::string& field) {
  const char* p = field.c_str();
  const auto digits = [&p] {
    int count = 0;
    for (; *p >= '0' && *p <= '9'; ++p) ++count;
    return count;
  };
  if (*p == '+' || *p == '-') ++p;
  int count = digits();
  if (*p == '.') {
    ++p;
    count += digits();
  }
  if (count == 0) return std::nullopt;
  if (*p == 'e' || *p == 'E') {
    ++p;
    if (*p == '+' || *p == '-') ++p;
    if (digits() == 0) return std::nullopt;
  }
  if (p != field.c_str() + field.size()) return std::nullopt;
  const Scalar value = sizeof(Scalar) == sizeof(float)
                           ? static_cast<Scalar>(std::strtof(field.c_str(), nullptr))
                           : static_cast<Scalar>(std::strtod(field.c_str(), nullptr));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Whether a number of that text is 0 although no digit says so.
template <class Scalar>
bool became_zero(const std::string& field, Scalar value) {
  return value == Scalar(0) && field.find_first_of("123456789") < field.find_first_of("eE");
}

/// Whether two numbers are the same, the sign of zero included.
template <class Scalar>
bool same_number(Scalar a, Scalar b) {
  return a == b && std::signbit(a) == std::signbit(b);
}

}  // namespace genten::fuzz
