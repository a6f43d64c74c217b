// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Powers of two that are taken out of numbers before they are squared and multiplied, and put back
/// afterwards. Both are without error, but for results too large or too small for their type.

#include <genten/base/error.hpp>
#include <genten/base/types.hpp>

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// Scales are powers of 2 to multiples of this exponent, so that numbers of ordinary size have the
/// scale 1, and what is done with them is what it would be without scales.
///
/// The largest of scaled numbers is within 2^-24 and 2^24 in float: all whole numbers that float
/// has are of ordinary size. Sums over 2^40 nonzeros stay below 2^64, and their products with what
/// follows from them below 2^94, where float ends at 2^128; a column 2^-50 times as large as the
/// largest still has a square. In double it is within 2^-128 and 2^128: all that float has is
/// ordinary, and squares of columns 2^-400 times as large are still far from the end.
template <RealScalar Scalar>
inline constexpr int scale_quantum = sizeof(Scalar) == sizeof(float) ? 48 : 256;

/// The exponent of the scale of numbers of which `largest` is the largest magnitude, finite: the
/// multiple of `quantum` that is nearest to its own.
[[nodiscard]] inline int scale_exponent(double largest, int quantum) {
  if (largest == 0.0) return 0;
  const double multiple = (std::ilogb(largest) + quantum / 2) / static_cast<double>(quantum);
  return static_cast<int>(std::floor(multiple)) * quantum;
}

/// Multiplies by 2^exponent, in two steps, since the power itself may be out of range.
template <RealScalar Scalar>
class PowerOfTwo {
 public:
  explicit PowerOfTwo(int exponent)
      : m_first(std::ldexp(Scalar(1), exponent / 2)),
        m_second(std::ldexp(Scalar(1), exponent - exponent / 2)) {}

  KOKKOS_FUNCTION Scalar operator()(Scalar x) const { return x * m_first * m_second; }

 private:
  Scalar m_first;
  Scalar m_second;
};

/// fraction * 2^exponent, a number that a double may be too narrow for.
struct WideNumber {
  double fraction = 0.0;  ///< of magnitude 1/2 to 1, or 0, or not finite
  int exponent = 0;

  WideNumber() = default;
  explicit WideNumber(double value, int power = 0) : fraction(value), exponent(power) {
    if (value == 0.0 || !std::isfinite(value)) return;
    int own = 0;
    fraction = std::frexp(value, &own);
    exponent += own;
  }

  WideNumber& operator*=(double factor) {
    const WideNumber other(factor);
    return *this = WideNumber(fraction * other.fraction, exponent + other.exponent);
  }
  /// The number divided by 2^power, as a double.
  [[nodiscard]] double over_power(int power) const {
    return std::ldexp(fraction, exponent - power);
  }
  [[nodiscard]] double value() const { return over_power(0); }
};

/// The number to four digits: "3.142e+400".
[[nodiscard]] inline std::string to_text(const WideNumber& number) {
  if (number.fraction == 0.0 || !std::isfinite(number.fraction)) {
    return std::to_string(number.fraction);
  }
  const double decimals = std::log10(std::abs(number.fraction)) + number.exponent * std::log10(2.0);
  const double whole = std::floor(decimals);
  char text[64];
  std::snprintf(text, sizeof text, "%.3fe%+03.0f",
                std::copysign(std::pow(10.0, decimals - whole), number.fraction), whole);
  return text;
}

/// The number as it is when it has been stored.
template <RealScalar Scalar>
[[nodiscard]] double stored(double number) {
  return static_cast<double>(static_cast<Scalar>(number));
}

/// The largest exponent of some weights; 0 where all are zero.
[[nodiscard]] inline int largest_exponent(const std::vector<WideNumber>& weights) {
  std::optional<int> largest;
  for (const WideNumber& weight : weights) {
    if (weight.fraction == 0.0) continue;
    if (!largest || weight.exponent > *largest) largest = weight.exponent;
  }
  return largest.value_or(0);
}

/// The weights as they are when they have been stored. Throws Error for one that Scalar cannot
/// represent: that is beyond its range, or where that ends below loses more than a thousandth of
/// the largest weight.
template <RealScalar Scalar>
[[nodiscard]] std::vector<double> stored_weights(const std::vector<WideNumber>& weights) {
  const int common = largest_exponent(weights);
  std::vector<double> result;
  for (const WideNumber& weight : weights) {
    const double number = stored<Scalar>(weight.value());
    if (!std::isfinite(weight.fraction)) {  // as it came, and no loss
      result.push_back(number);
      continue;
    }
    // Of fractions the largest is at least 1/2.
    const double loss = std::abs(std::ldexp(number, -common) - weight.over_power(common));
    if (!std::isfinite(number) || loss > 0.5e-3) {
      throw Error(Error::Kind::runtime,
                  "the weight of component " +
                      error_text::number(static_cast<long long>(result.size())) + ", " +
                      to_text(weight) + ", is not representable in " +
                      (sizeof(Scalar) == sizeof(float) ? "float" : "double"));
    }
    result.push_back(number);
  }
  return result;
}

}  // namespace genten::detail
