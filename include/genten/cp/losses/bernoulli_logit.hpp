// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

namespace genten::losses {

/// 0 or 1, the logarithm of the odds of 1 being m: log(1 + exp(m)) - x m.
struct BernoulliLogit {
  static constexpr std::string_view name = "bernoulli-logit";
  static constexpr std::string_view meaning = "0 or 1, the model being the logarithm of the odds";
  static constexpr LossData data = LossData::binary;
  static constexpr double lower = no_bound;
  static constexpr double default_ridge = 0.1;
  static constexpr bool grows_on_zeros = true;
  static constexpr bool grows_on_ones = true;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    return (m > 0.0 ? m : 0.0) + ::log1p(::exp(-::fabs(m))) - x * m;
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const { return sigmoid(m) - x; }
  KOKKOS_INLINE_FUNCTION double mean(double m) const { return sigmoid(m); }
  [[nodiscard]] static double variance(double mean) { return mean * (1.0 - mean); }
  [[nodiscard]] static double least(double /*x*/) { return 0.0; }
  KOKKOS_INLINE_FUNCTION double curvature(double /*x*/, double m) const {
    return sigmoid(m) * sigmoid(-m);
  }

 private:
  KOKKOS_INLINE_FUNCTION static double sigmoid(double m) {
    const double e = ::exp(-::fabs(m));
    return (m > 0.0 ? 1.0 : e) / (1.0 + e);
  }
};

}  // namespace genten::losses
