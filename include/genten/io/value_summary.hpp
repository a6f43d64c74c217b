// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What notes rest on of values, found in one pass.

#include <genten/base/detail/chunked_reduce.hpp>

#include <cmath>
#include <cstddef>
#include <limits>

namespace genten {

/// Counts and sums of some values.
struct ValueSummary {
  static constexpr int most_halves = 20;  ///< 1/2, 1, ..., 10
  static constexpr int placeholders = 16;

  /// What each of `sums` is.
  enum Sum : int {
    count,
    zeros,
    decimals,  ///< no whole numbers
    tenths,    ///< whole numbers of tenths
    sum,
    squares,
    negatives,
    negative_squares,
    halves,                               ///< from here on: how many are 1/2, how many are 1, ...
    placeholder = halves + most_halves,   ///< how many are each of the placeholders
    beyond = placeholder + placeholders,  ///< and half of it or more
    size = beyond + placeholders
  };
  Kokkos::Array<double, size> sums = {};
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  double lowest_positive = std::numeric_limits<double>::infinity();
  /// Of those that are no placeholders.
  double lowest_other = std::numeric_limits<double>::infinity();
  double highest_other = -std::numeric_limits<double>::infinity();

  /// A number, as -999, which often stands for what is not known.
  [[nodiscard]] KOKKOS_FUNCTION static double placeholder_value(int which) {
    constexpr double all[placeholders] = {-1.0,   -9.0,    -99.0,    -99.9,  -127.0, -999.0,
                                          -999.9, -9999.0, -99999.0, 999.0,  999.9,  9999.0,
                                          9999.9, 32767.0, 65535.0,  99999.0};
    return all[which];
  }

  KOKKOS_FUNCTION void add(double value) {
    constexpr double half = 0.5, largest_below = 499.0;
    constexpr double ten = 10.0, rounding = 1e-6;  // of numbers in single precision
    sums[count] += 1.0;
    sums[zeros] += value == 0.0 ? 1.0 : 0.0;
    sums[decimals] += std::floor(value) != value ? 1.0 : 0.0;
    sums[tenths] +=
        std::abs(ten * value - std::round(ten * value)) <= rounding * std::abs(ten * value) ? 1.0
                                                                                            : 0.0;
    sums[sum] += value;
    sums[squares] += value * value;
    sums[negatives] += value < 0.0 ? 1.0 : 0.0;
    sums[negative_squares] += value < 0.0 ? value * value : 0.0;
    lowest = value < lowest ? value : lowest;
    highest = value > highest ? value : highest;
    lowest_positive = value > 0.0 && value < lowest_positive ? value : lowest_positive;
    if (value >= half && value <= half * most_halves && std::floor(2.0 * value) == 2.0 * value) {
      sums[halves + static_cast<int>(2.0 * value) - 1] += 1.0;
    }
    bool is_other = true;
    // Between these none is a placeholder, nor half of one or more.
    for (int i = 0; i < placeholders && !(value > -half && value <= largest_below); ++i) {
      const double limit = placeholder_value(i) / 2.0;
      const bool is_it = value == placeholder_value(i);
      is_other = is_other && !is_it;
      sums[placeholder + i] += is_it ? 1.0 : 0.0;
      sums[beyond + i] += (limit < 0.0 ? value <= limit : value >= limit) ? 1.0 : 0.0;
    }
    if (!is_other) return;
    lowest_other = value < lowest_other ? value : lowest_other;
    highest_other = value > highest_other ? value : highest_other;
  }

  KOKKOS_FUNCTION void add(const ValueSummary& other) {
    for (int i = 0; i < size; ++i) sums[i] += other.sums[i];
    lowest = other.lowest < lowest ? other.lowest : lowest;
    highest = other.highest > highest ? other.highest : highest;
    lowest_positive =
        other.lowest_positive < lowest_positive ? other.lowest_positive : lowest_positive;
    lowest_other = other.lowest_other < lowest_other ? other.lowest_other : lowest_other;
    highest_other = other.highest_other > highest_other ? other.highest_other : highest_other;
  }
};

namespace detail {
struct AddToSummary {
  template <class Term>
  KOKKOS_FUNCTION void operator()(ValueSummary& summary, const Term& term) const {
    summary.add(term);
  }
};
}  // namespace detail

/// That of the first `number` elements of a View. Returns after a fence on `exec`.
template <ExecutionSpace Exec, class Values>
[[nodiscard]] ValueSummary summary_of(const Exec& exec, const Values& values, std::size_t number) {
  return detail::chunked_reduce<ValueSummary>(
      "genten::summary_of", exec, static_cast<offset_t>(number),
      KOKKOS_LAMBDA(const offset_t p) { return static_cast<double>(values(p)); }, ValueSummary(),
      detail::AddToSummary());
}

}  // namespace genten
