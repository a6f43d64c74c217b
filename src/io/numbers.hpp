// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Numbers in text, the fast way. The functions may look at 8 bytes beyond a number.

#include "text_lines.hpp"

#include <fast_float/fast_float.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace genten::detail {

/// Most digits of a subscript; all such numbers fit 64 bits.
inline constexpr int most_digits = 19;

/// Reads digits one at a time after those that made `value`, of which there were `count`.
inline const char* read_more_digits(const char* p, std::uint64_t& value, int count) {
  for (; is_digit(*p); ++p, ++count) value = value * 10 + static_cast<std::uint64_t>(*p - '0');
  if (count > most_digits) value = std::numeric_limits<std::uint64_t>::max();
  return p;
}

/// Reads a run of digits as a number, the largest number when it is longer than `most_digits`.
/// Returns its end, which is p where there is no digit.
inline const char* read_digits(const char* p, std::uint64_t& value) {
  value = 0;
  if constexpr (std::endian::native != std::endian::little) {
    return read_more_digits(p, value, 0);
  } else {
    // Eight digits at a time, in one register: no branch whose way depends on how many there are.
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    word ^= 0x3030303030303030U;  // digits become 0 to 9, everything else 10 or more
    const std::uint64_t others = ((word + 0x7676767676767676U) | word) & 0x8080808080808080U;
    const int digits = others == 0 ? 8 : std::countr_zero(others) / 8;
    if (digits == 0) return p;
    word <<= 64 - 8 * digits;        // zeros in front
    word = word * 10 + (word >> 8);  // pairs
    word = ((word & 0x000000ff000000ffU) * 0x000f424000000064U +
            ((word >> 16) & 0x000000ff000000ffU) * 0x0000271000000001U) >>
           32;
    value = word;
    return digits == 8 ? read_more_digits(p + 8, value, 8) : p + digits;
  }
}

/// What became of a value.
enum class ValueStatus { good, not_a_number, not_finite };

/// Reads a decimal number, correctly rounded to Scalar; advances p to its end. `end` is where the
/// text ends.
template <class Scalar>
ValueStatus read_value(const char*& p, const char* end, Scalar& value) {
  std::uint64_t whole = 0;
  const char* after = read_digits(p, whole);
  if (after != p && after - p < most_digits && *after != '.' && (*after | 0x20) != 'e') {
    value = static_cast<Scalar>(whole);  // rounded correctly by the conversion
    p = after;
    return ValueStatus::good;
  }
  // Unlike fast_float, C and MATLAB read a leading plus.
  const char* begin = *p == '+' && (is_digit(p[1]) || p[1] == '.') ? p + 1 : p;
  const auto result = fast_float::from_chars(begin, end, value);
  if (result.ec == std::errc::invalid_argument) return ValueStatus::not_a_number;
  p = result.ptr;
  return std::isfinite(value) ? ValueStatus::good : ValueStatus::not_finite;
}

/// The same for a whole field, from memory that ends with it.
template <class Scalar>
ValueStatus to_value(std::string_view field, Scalar& value) {
  const std::string padded = std::string(field) + std::string(16, '\n');
  const char* p = padded.data();
  const ValueStatus status = read_value(p, padded.data() + field.size(), value);
  const bool whole = p == padded.data() + field.size();
  return whole ? status : ValueStatus::not_a_number;
}

}  // namespace genten::detail
