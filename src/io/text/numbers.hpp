// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Numbers in text, the fast way. The functions may look at 8 bytes beyond a number.

#include "text_lines.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>

namespace genten::detail {

/// Most digits of a subscript; all such numbers fit 64 bits.
inline constexpr int most_digits = 19;

/// What messages call the precision of a type.
template <class Scalar>
inline constexpr std::string_view precision_name = sizeof(Scalar) == 4 ? "single" : "double";

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

/// What became of a value: besides `good`, text that is no number, one that is infinite, NaN or too
/// large, and one that is not 0 and would become 0. What the last is worth depends on where it
/// stands.
enum class ValueStatus { good, not_a_number, not_finite, too_small };

/// Whether the number in the text from p to `end` has another digit than 0 before its exponent.
inline bool has_nonzero_digit(const char* p, const char* end) {
  for (; p != end && (*p | 0x20) != 'e'; ++p) {
    if (is_digit(*p) && *p != '0') return true;
  }
  return false;
}

/// Reads a number of few digits without exponent; advances p to its end. False when it has to be
/// read with more care. Whole number and power of ten are exact in Scalar, so that their quotient
/// is correctly rounded (Clinger 1990).
template <class Scalar>
bool read_short_value(const char*& p, Scalar& value) {
  constexpr std::uint64_t largest_exact = std::uint64_t{1} << std::numeric_limits<Scalar>::digits;
  // clang-format off
  constexpr Scalar powers[] = {Scalar(1e0), Scalar(1e1), Scalar(1e2), Scalar(1e3), Scalar(1e4),
                               Scalar(1e5), Scalar(1e6), Scalar(1e7), Scalar(1e8), Scalar(1e9),
                               Scalar(1e10)};
  constexpr std::uint64_t factors[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000,
                                       100000000, 1000000000, 10000000000};
  // clang-format on
  const bool negative = *p == '-';
  const char* const begin = p + negative;
  std::uint64_t number = 0;
  const char* after = read_digits(begin, number);
  if (after == begin || after - begin > 8) return false;
  std::ptrdiff_t decimals = 0;
  if (*after == '.') {
    std::uint64_t fraction = 0;
    const char* const point = after + 1;
    after = read_digits(point, fraction);
    decimals = after - point;
    if (decimals > 10) return false;
    number = number * factors[decimals] + fraction;
  }
  if (number > largest_exact || (*after | 0x20) == 'e') return false;
  // Of a number with a sign, which older processors convert faster.
  const auto whole = static_cast<Scalar>(static_cast<std::int64_t>(number));
  const Scalar quotient = decimals == 0 ? whole : whole / powers[decimals];
  value = negative ? -quotient : quotient;
  p = after;
  return true;
}

/// Reads a decimal number, correctly rounded to Scalar; advances p to its end. `end` is where the
/// text ends.
template <class Scalar>
ValueStatus read_value(const char*& p, const char* end, Scalar& value) {
  if (read_short_value(p, value)) return ValueStatus::good;
  // Unlike fast_float, C and MATLAB read a leading plus.
  const char* begin = *p == '+' && (is_digit(p[1]) || p[1] == '.') ? p + 1 : p;
  const auto result = fast_float::from_chars(begin, end, value);
  if (result.ec == std::errc::invalid_argument) return ValueStatus::not_a_number;
  p = result.ptr;
  if (value == Scalar(0) && has_nonzero_digit(begin, p)) return ValueStatus::too_small;
  return std::isfinite(value) ? ValueStatus::good : ValueStatus::not_finite;
}

/// From where whole numbers may have been rounded to double.
inline constexpr double first_inexact = 9007199254740992.0;

/// How many values are not the whole numbers that their texts are, and where the first of these is.
template <class Place>
struct RoundedValues {
  std::size_t count = 0;
  Place first{};

  /// Looks at a value that was read from this text, which is at `place`.
  template <class Scalar>
  void see(std::string_view text, Scalar value, Place place) {
    if constexpr (sizeof(Scalar) == sizeof(double)) {
      if (std::abs(value) < first_inexact) return;
      if (is_rounded(text, value) && count++ == 0) first = place;
    }
  }

 private:
  static bool is_rounded(std::string_view text, double value) {
    text.remove_prefix(std::min(text.find_first_of("123456789"), text.size()));
    if (text.find_first_not_of("0123456789") != std::string_view::npos) return false;
    char exact[400];  // 309 digits are the most
    return text.size() >= sizeof exact ||
           text != std::string_view(exact, static_cast<std::size_t>(std::snprintf(
                                               exact, sizeof exact, "%.0f", std::abs(value))));
  }
};

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
