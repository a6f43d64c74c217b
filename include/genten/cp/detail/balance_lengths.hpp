// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How long the columns of a component should be under penalties: the model does not change when
/// length moves from mode to mode, and penalties do.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace genten::detail {

/// What a column costs: `square` * c^2 + `linear` * c when it is multiplied by c.
struct ColumnCost {
  double square = 0.0;
  double linear = 0.0;

  [[nodiscard]] bool is_positive() const {
    return square >= 0.0 && linear >= 0.0 && square + linear > 0.0 &&
           square + linear <= std::numeric_limits<double>::max();
  }
  /// The c at which the derivative by log c is e^logarithm: the positive root of
  /// 2 square c^2 + linear c = e^logarithm, in a form without cancellation.
  [[nodiscard]] double length_at(double logarithm) const {
    const double derivative = std::exp(logarithm);
    return 2.0 * derivative / (linear + std::sqrt(linear * linear + 8.0 * square * derivative));
  }
  /// How log c then changes with `logarithm`: from 1/2, without linear cost, to 1, without square.
  [[nodiscard]] double slope_at(double length) const {
    return (2.0 * square * length + linear) / (4.0 * square * length + linear);
  }
};

/// Writes the factors, of product one, by which the columns of one component are to be multiplied
/// so that they cost least together: there all derivatives are equal. Returns false, all factors
/// being one, where a column costs nothing, which has no least, or where numbers are not finite.
inline bool balance_lengths(std::span<const ColumnCost> costs, std::span<double> factors) {
  std::fill(factors.begin(), factors.end(), 1.0);
  if (costs.size() < 2) return false;
  double logarithm = 0.0;
  for (const ColumnCost& cost : costs) {
    if (!cost.is_positive()) return false;
    logarithm += std::log(2.0 * cost.square + cost.linear) / static_cast<double>(costs.size());
  }
  // Newton's method for the sum of log c to be zero; without linear costs one step is exact, and
  // the slope never changes by more than a factor of two.
  for (int step = 0; step < 50; ++step) {
    double sum = 0.0, slope = 0.0;
    for (const ColumnCost& cost : costs) {
      const double length = cost.length_at(logarithm);
      sum += std::log(length);
      slope += cost.slope_at(length);
    }
    logarithm -= sum / slope;
    if (!(std::abs(sum) > 1e-15 * static_cast<double>(costs.size()))) break;
  }
  double product = 1.0;
  for (std::size_t n = 0; n < costs.size(); ++n) {
    factors[n] = costs[n].length_at(logarithm);
    product *= factors[n];
  }
  const bool found = product > 0.5 && product < 2.0;
  for (double& factor : factors) {
    factor = found ? factor * std::pow(product, -1.0 / static_cast<double>(costs.size())) : 1.0;
  }
  return found;
}

}  // namespace genten::detail
