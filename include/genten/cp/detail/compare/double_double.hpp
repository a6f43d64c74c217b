// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Double-double arithmetic: a number as the unevaluated sum of two doubles (Dekker 1971).

#include <cmath>

namespace genten::detail {

struct DoubleDouble {
  /// More than the rounding of a sum or a product (Joldes, Muller and Popescu 2017).
  static constexpr double epsilon = 0x1p-100;

  double high = 0.0;
  double low = 0.0;

  DoubleDouble() = default;
  DoubleDouble(double value) : high(value) {}  // NOLINT: implicit, as for any number
  DoubleDouble(double h, double l) : high(h), low(l) {}

  /// The sum of two doubles without error, |a| >= |b|.
  static DoubleDouble quick_sum(double a, double b) {
    const double sum = a + b;
    return {sum, b - (sum - a)};
  }
  /// The sum of two doubles without error (Knuth).
  static DoubleDouble exact_sum(double a, double b) {
    const double sum = a + b;
    const double part = sum - a;
    return {sum, (a - (sum - part)) + (b - part)};
  }
  /// The product of two doubles without error.
  static DoubleDouble exact_product(double a, double b) {
    const double product = a * b;
    return {product, std::fma(a, b, -product)};
  }

  friend DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble highs = exact_sum(a.high, b.high);
    const DoubleDouble lows = exact_sum(a.low, b.low);
    const DoubleDouble sum = quick_sum(highs.high, highs.low + lows.high);
    return quick_sum(sum.high, sum.low + lows.low);
  }
  friend DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const DoubleDouble highs = exact_product(a.high, b.high);
    return quick_sum(highs.high, highs.low + (a.high * b.low + a.low * b.high));
  }
  friend DoubleDouble operator-(DoubleDouble a, DoubleDouble b) {
    return a + DoubleDouble(-b.high, -b.low);
  }
  DoubleDouble& operator+=(DoubleDouble other) { return *this = *this + other; }
  DoubleDouble& operator*=(DoubleDouble other) { return *this = *this * other; }
};

}  // namespace genten::detail
