// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CountStep: a step for one row of a factor of counts that never raises the objective.

#include <genten/base/detail/simd_set.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace genten::detail {

/// A model's value at a nonzero is taken for no less than this: no model of full precision is
/// below.
inline constexpr double least_count_model = 1e-150;
[[nodiscard, gnu::always_inline]] inline double above_zero(double m) {
  return m > least_count_model ? m : least_count_model;
}

/// What steps of rows are taken.
enum class CountStepKind {
  newton,         ///< CountStep::run: Newton's or the multiplicative one
  multiplicative  ///< CountStep::multiply, which needs no Hessian
};

inline namespace GENTEN_SIMD_SET {

/// The objective of a row b >= 0 is f(b) = sum b - sum over its nonzeros of x log(k . b), each
/// column of the others' factors adding up to one. Two steps lower it for certain, by different
/// amounts that are known beforehand; the one that promises more is taken.
///
/// Where nonzeros only say that a count is not 0, f(b) = sum b - sum of log(exp(k . b) - 1). With
/// m = k . b that is -log m and the negative logarithm of (exp(m) - 1) / m, which is concave: the
/// same f with x = 1, but for a term that is linear, lies above it and touches it here. So both
/// steps do, with the slope of f itself and the Hessian of -log m.
///
/// Newton's: d minimizes the quadratic model of f where b + d >= 0, by coordinate descent. Since
/// f / omega is self-concordant, omega being the least x, with G = -f'(b) . d, l^2 = d^T H d and
/// t = l / sqrt(omega) the step a d lowers f by at least a G - omega (-log(1 - a t) - a t), which
/// is most at a = G / (t (G + omega t)) (after Tran-Dinh, Kyrillidis and Cevher, JMLR 16, 2015).
/// Near the minimum a goes to one, and steps converge as Newton's do; far from it they are short.
///
/// The multiplicative one: b phi, phi = 1 - f'(b) (Chi and Kolda, 2012), minimizes a majorizer of
/// f, and so lowers f by at least sum of b phi log phi - b phi + b. It is good far from the minimum
/// and never gets there where elements go to 0; nor does it lift an element from there.
struct CountStep {
  std::size_t rank;
  std::size_t line;
  double* hessian;  ///< line x line, tiles from the diagonal on; becomes symmetric
  double* phi;      ///< line; is used up
  double* row;      ///< line; is improved
  double* step;     ///< line, for the work

  /// `least` and `total` of the row's values, the latter negative where the row need not add up to
  /// them. Returns max |min(b, 1 - phi)| of the row as it was; infinite where there is no number.
  [[nodiscard]] double run(double least, double total) const {
    const double found = violation();
    if (!(found <= std::numeric_limits<double>::max())) {
      return std::numeric_limits<double>::infinity();
    }
    const double multiplicative = multiplicative_gain();
    minimize_model();
    double slope = 0.0, curvature = 0.0;  // G and l^2; phi holds phi - 1 - H d
    for (std::size_t r = 0; r < rank; ++r) {
      const double of_hessian = hessian_times_step(r);
      slope += (phi[r] + of_hessian) * step[r];
      curvature += of_hessian * step[r];
    }
    const double t = std::sqrt(std::max(0.0, curvature) / least);
    const double length =
        t > 0.0 ? std::min(1.0, slope / (t * (slope + least * t))) : (slope > 0.0 ? 1.0 : 0.0);
    const double at = length * t;
    // -log(1 - y) - y cancels where y is small.
    const double excess = at < 1e-3 ? at * at * (0.5 + at / 3.0) : -std::log1p(-at) - at;
    const bool by_newton = !(length * slope - least * excess < multiplicative);
    double sum = 0.0;
    for (std::size_t r = 0; r < rank; ++r) {
      const double full = phi[r] + hessian_times_step(r) + 1.0;
      row[r] = by_newton ? std::max(0.0, row[r] + length * step[r]) : row[r] * full;
      sum += row[r];
    }
    if (total < 0.0) return found;
    // Among its multiples the row that adds up to the values is best; both steps end there.
    const double scale = sum > 0.0 ? total / sum : 0.0;
    for (std::size_t r = 0; r < rank; ++r) row[r] *= scale;
    return found;
  }

  /// The multiplicative step; `hessian` and `step` may be null. Returns what `run` does.
  [[nodiscard]] double multiply() const {
    const double found = violation();
    if (!(found <= std::numeric_limits<double>::max())) {
      return std::numeric_limits<double>::infinity();
    }
    for (std::size_t r = 0; r < rank; ++r) row[r] *= phi[r];
    return found;
  }

 private:
  [[nodiscard]] double violation() const {
    double largest = 0.0;
    for (std::size_t r = 0; r < rank; ++r) {
      if (std::isnan(phi[r]) || std::isnan(row[r])) return phi[r] + row[r];
      largest = std::max(largest, std::abs(std::min(row[r], 1.0 - phi[r])));
    }
    return largest;
  }
  [[nodiscard]] double multiplicative_gain() const {
    double gain = 0.0;
    for (std::size_t r = 0; r < rank; ++r) {
      const double p = phi[r];
      gain += row[r] * (p > 0.0 ? p * std::log(p) - p + 1.0 : 1.0);
    }
    return gain;
  }
  [[nodiscard]] double hessian_times_step(std::size_t r) const {
    const double* const line_of = hessian + r * line;
    double sum = 0.0;
    for (std::size_t q = 0; q < rank; ++q) sum += line_of[q] * step[q];
    return sum;
  }

  /// Makes `step` the d that minimizes 1/2 d^T H d - (phi - 1) . d where row + d >= 0, to a part
  /// of what its first sweep gains, and `phi` phi - 1 - H d.
  void minimize_model() const {
    for (std::size_t r = 0; r < rank; ++r) {
      for (std::size_t q = 0; q < r; ++q) hessian[r * line + q] = hessian[q * line + r];
      step[r] = 0.0;
      phi[r] -= 1.0;
    }
    double first = 0.0;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
      double change = 0.0;
      for (std::size_t r = 0; r < rank; ++r) {
        const double* const of_row = hessian + r * line;
        const double diagonal = of_row[r], at = row[r] + step[r];
        // Without nonzeros a column's element only costs.
        const double goal =
            diagonal > 0.0 ? std::max(0.0, at + phi[r] / diagonal) : (phi[r] < 0.0 ? 0.0 : at);
        const double moved = goal - at;
        if (moved == 0.0) continue;
        step[r] = goal - row[r];
        change += diagonal * moved * moved;
        for (std::size_t q = 0; q < line; ++q) phi[q] -= moved * of_row[q];
      }
      if (sweep == 0) first = change;
      if (change <= least_part * first) break;
    }
  }

  static constexpr int most_sweeps = 20;
  static constexpr double least_part = 1e-4;
};

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
