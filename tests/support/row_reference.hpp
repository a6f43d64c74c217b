// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The row problems of constrained least squares by plain loops in double, one row at a time.

#include <genten/dense/row_constraint.hpp>

#include "plain.hpp"

#include <cmath>
#include <vector>

namespace genten_test {

/// 1/2 x G x^T - v x^T + ridge/2 ||x||^2 + l1 sum |x|
[[nodiscard]] inline double row_objective(const PlainMatrix& gram, const std::vector<double>& right,
                                          const std::vector<double>& x,
                                          const genten::RowConstraint& constraint) {
  double sum = 0.0;
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (std::size_t s = 0; s < x.size(); ++s) sum += 0.5 * x[r] * gram(r, s) * x[s];
    sum += 0.5 * constraint.ridge * x[r] * x[r] - right[r] * x[r];
    sum += constraint.l1 * std::abs(x[r]);
  }
  return sum;
}

/// The best element r of a row, all others as they are; what it is where the sum does not depend on
/// it, or as small as it may be with a penalty.
[[nodiscard]] inline double best_element(const PlainMatrix& gram, const std::vector<double>& right,
                                         const std::vector<double>& x, std::size_t r,
                                         const genten::RowConstraint& constraint) {
  double rest = right[r];
  for (std::size_t s = 0; s < x.size(); ++s) {
    if (s != r) rest -= gram(r, s) * x[s];
  }
  const double shrunk = std::max(std::abs(rest) - constraint.l1, 0.0);
  const double diagonal = gram(r, r) + constraint.ridge;
  const double stays = constraint.l1 > 0.0 ? 0.0 : x[r];
  const double free = diagonal > 0.0 ? std::copysign(shrunk, rest) / diagonal : stays;
  return std::min(std::max(free, constraint.lower), constraint.upper);
}

/// The largest step that an element alone would take, times the root of its diagonal element.
[[nodiscard]] inline double row_violation(const PlainMatrix& gram, const std::vector<double>& right,
                                          const std::vector<double>& x,
                                          const genten::RowConstraint& constraint) {
  double largest = 0.0;
  for (std::size_t r = 0; r < x.size(); ++r) {
    const double step = best_element(gram, right, x, r, constraint) - x[r];
    largest = std::max(largest, std::abs(step) * std::sqrt(gram(r, r) + constraint.ridge));
  }
  return largest;
}

/// Cyclic coordinate descent: at most `sweeps`, until one changes less than `part` of the first.
inline void descend_reference(const PlainMatrix& gram, const std::vector<double>& right,
                              std::vector<double>& x, const genten::RowConstraint& constraint,
                              int sweeps = 10, double part = 0.1) {
  double first = 0.0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    double square = 0.0;
    for (std::size_t r = 0; r < x.size(); ++r) {
      const double now = best_element(gram, right, x, r, constraint);
      square += (gram(r, r) + constraint.ridge) * (now - x[r]) * (now - x[r]);
      x[r] = now;
    }
    if (sweep == 0) first = std::sqrt(square);
    if (std::sqrt(square) <= part * first) return;
  }
}

}  // namespace genten_test
