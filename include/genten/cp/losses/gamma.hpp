// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

#include <cmath>

namespace genten::losses {

/// Positive numbers whose deviations grow with their mean m: x / m + log m.
struct Gamma {
  static constexpr std::string_view name = "gamma";
  static constexpr std::string_view meaning = "positive, deviations growing with the mean";
  static constexpr LossData data = LossData::positive;
  static constexpr double lower = 0.0;
  static constexpr double added = epsilon;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    const double u = m + epsilon;
    return x / u + ::log(u);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    const double u = m + epsilon;
    return (1.0 - x / u) / u;
  }
  [[nodiscard]] static double variance(double mean) { return mean * mean; }
  [[nodiscard]] static double power() { return 0.0; }
  [[nodiscard]] static double least(double x) { return 1.0 + std::log(x); }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    const double u = m + epsilon;
    return (2.0 * x / u - 1.0) / (u * u);
  }
};

}  // namespace genten::losses
