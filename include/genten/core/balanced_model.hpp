// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// BalancedModel: a model whose values do not leave the range of numbers on the way.

#include <genten/base/detail/power_of_two.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/columns.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/weights.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace genten::detail {

/// The exponent of a power of two that is no less than half of each component's largest value, of
/// a model whose weights and columns are this large.
[[nodiscard]] inline std::vector<int> component_exponents(
    const std::vector<double>& weights, const std::vector<std::vector<double>>& largest) {
  std::vector<int> exponents;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    WideNumber size(weights[r]);
    for (const auto& of_mode : largest) size *= of_mode[r];
    exponents.push_back(size.fraction == 0.0 ? std::numeric_limits<int>::min() : size.exponent);
  }
  return exponents;
}

/// `model` divided by 2^exponent. A weight of 1e-300 and elements of 1e200 have a product, which
/// other such weights, scaled to a tensor's size, and other orders of factors would lose: where
/// numbers are that far from 1, columns and weights are divided by powers of two, in a copy, and
/// the largest component is left near 1. Ordinary models stay as they are, with the exponent 0,
/// and so do models with numbers that are not finite.
template <RealScalar Scalar, ExecutionSpace Exec>
struct BalancedModel {
  Ktensor<Scalar, Exec> model;
  int exponent = 0;

  /// Puts the power of two back, as far as doubles have it.
  [[nodiscard]] PowerOfTwo<double> size() const {
    return PowerOfTwo<double>(std::clamp(exponent, -2000, 2000));
  }

  static BalancedModel of(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
    const std::vector<double> weights = host_weights(exec, model);
    std::vector<std::vector<double>> largest;
    bool ordinary = true, finite = true;
    const auto look_at = [&](double number) {
      const double size = std::abs(number);
      ordinary = ordinary && (size == 0.0 || (size > 0x1p-64 && size < 0x1p64));
      finite = finite && std::isfinite(size);
    };
    for (const double weight : weights) look_at(weight);
    for (const auto& factor : model.factors()) {
      largest.push_back(column_norms(exec, factor, NormKind::inf));
      for (const double size : largest.back()) look_at(size);
    }
    if (ordinary || !finite) return {model};
    return scaled(exec, model, weights, largest);
  }

 private:
  static BalancedModel scaled(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                              const std::vector<double>& weights,
                              const std::vector<std::vector<double>>& largest) {
    const std::vector<int> sizes = component_exponents(weights, largest);
    const int most = sizes.empty() ? std::numeric_limits<int>::min()
                                   : *std::max_element(sizes.begin(), sizes.end());
    if (most == std::numeric_limits<int>::min()) return {model};  // of zeros
    BalancedModel result{Ktensor<Scalar, Exec>(exec, model.dimensions(), model.rank()), most};
    std::vector<WideNumber> wide;
    for (const double weight : weights) wide.emplace_back(weight);
    for (int n = 0; n < model.order(); ++n) {
      std::vector<ColumnChange> changes;
      for (std::size_t r = 0; r < wide.size(); ++r) {
        const double size = largest[static_cast<std::size_t>(n)][r];
        const int own = size > 0.0 ? std::ilogb(size) : 0;
        wide[r].exponent += own;
        // In two steps, since the power itself may be out of range.
        changes.push_back({.source = r,
                           .multiplier = std::ldexp(1.0, -(own / 2)),
                           .divisor = std::ldexp(1.0, own - own / 2)});
      }
      copy_columns(exec, model.factor(n), result.model.factor(n), changes);
    }
    std::vector<double> near;
    for (const WideNumber& weight : wide) near.push_back(weight.over_power(most));
    set_weights(exec, result.model, near);
    return result;
  }
};

}  // namespace genten::detail
