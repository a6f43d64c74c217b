// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How long the columns of a component should be under penalties: the model does not change when
/// length moves from mode to mode, and penalties do.

#include <genten/dense/row_constraint.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace genten::detail {

/// Whether columns within these bounds may be made shorter, and as long as `most_length` says.
[[nodiscard]] inline bool bounds_allow_lengths(const RowConstraint& bounds) {
  return bounds.lower <= 0.0 && bounds.upper >= 0.0;
}

/// What a column within such bounds may be multiplied by at most, 1 or more: `largest` is the
/// largest magnitude of its elements, of which nobody knows whether it is the least of them or the
/// greatest. What is rounded to Scalar stays within bounds that are, too.
template <class Scalar>
[[nodiscard]] double most_length(const RowConstraint& bounds, double largest) {
  double most = std::numeric_limits<double>::infinity();
  for (const double bound : {bounds.lower, bounds.upper}) {
    if (bound != 0.0 && largest > 0.0) most = std::min(most, std::abs(bound) / largest);
  }
  constexpr double rounding = 8.0 * static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  return std::max(1.0, (1.0 - rounding) * most);
}

/// What a column costs: `square` * c^2 + `linear` * c when it is multiplied by c, from above 0 to
/// `most`, which is 1 or more.
struct ColumnCost {
  double square = 0.0;
  double linear = 0.0;
  double most = std::numeric_limits<double>::infinity();

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

/// Writes the factors of those columns whose numbers are in `free`, so that they cost least
/// together and the product of all factors is one. Returns false where numbers are not finite.
inline bool balance_free_lengths(std::span<const ColumnCost> costs,
                                 std::span<const std::size_t> free, std::span<double> factors) {
  const auto count = static_cast<double>(free.size());
  double fixed = 1.0;  // product of the other factors
  for (const double factor : factors) fixed *= factor;
  for (const std::size_t n : free) fixed /= factors[n];
  double logarithm = 0.0;
  for (const std::size_t n : free) {
    logarithm += std::log(2.0 * costs[n].square + costs[n].linear) / count;
  }
  // Newton's method for the sum of log c to be that of the others but for its sign; without linear
  // costs one step is exact, and the slope never changes by more than a factor of two.
  for (int step = 0; step < 50; ++step) {
    double sum = fixed == 1.0 ? 0.0 : std::log(fixed), slope = 0.0;
    for (const std::size_t n : free) {
      const double length = costs[n].length_at(logarithm);
      sum += std::log(length);
      slope += costs[n].slope_at(length);
    }
    logarithm -= sum / slope;
    if (!(std::abs(sum) > 1e-15 * count)) break;
  }
  double product = fixed;
  for (const std::size_t n : free) {
    factors[n] = costs[n].length_at(logarithm);
    product *= factors[n];
  }
  if (!(product > 0.5 && product < 2.0)) return false;
  for (const std::size_t n : free) factors[n] *= std::pow(product, -1.0 / count);
  return true;
}

/// Writes the factors, of product one, by which the columns of one component are to be multiplied
/// so that they cost least together: there the derivatives of all that are not at their most are
/// equal. Returns false, all factors being one, where a column costs nothing, which has no least,
/// or where numbers are not finite.
inline bool balance_norms(std::span<const ColumnCost> costs, std::span<double> factors) {
  std::fill(factors.begin(), factors.end(), 1.0);
  if (costs.size() < 2) return false;
  for (const ColumnCost& cost : costs) {
    if (!cost.is_positive()) return false;
  }
  // Columns that would be too long get their most. What is left to the others is then more, so that
  // those do not become short enough again.
  std::vector<std::size_t> free(costs.size());
  std::iota(free.begin(), free.end(), std::size_t{0});
  bool found = true;
  while (found && !free.empty()) {
    found = balance_free_lengths(costs, free, factors);
    const auto too_long = [&](std::size_t n) { return factors[n] > costs[n].most; };
    if (!found || std::none_of(free.begin(), free.end(), too_long)) break;
    std::vector<std::size_t> shorter;
    for (const std::size_t n : free) {
      const bool stays = !too_long(n);
      factors[n] = stays ? 1.0 : costs[n].most;
      if (stays) shorter.push_back(n);
    }
    free = std::move(shorter);
  }
  // Without a free one, rounding has made the last too long.
  if (found && !free.empty()) return true;
  std::fill(factors.begin(), factors.end(), 1.0);
  return false;
}

}  // namespace genten::detail
