// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

#include <cmath>

namespace genten::losses {

/// Magnitudes: positive numbers of mean m under the distribution of Rayleigh: 2 log m + pi/4 (x /
/// m)^2.
struct Rayleigh {
  static constexpr std::string_view name = "rayleigh";
  static constexpr std::string_view meaning = "magnitudes: the distribution of Rayleigh";
  static constexpr LossData data = LossData::positive;
  static constexpr double lower = 0.0;
  static constexpr double added = epsilon;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    const double u = m + epsilon;
    return 2.0 * ::log(u) + quarter_pi * (x / u) * (x / u);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    const double u = m + epsilon;
    return (2.0 - 2.0 * quarter_pi * (x / u) * (x / u)) / u;
  }
  [[nodiscard]] static double variance(double mean) {
    return (1.0 / quarter_pi - 1.0) * mean * mean;
  }
  [[nodiscard]] static double power() { return 0.0; }
  [[nodiscard]] static double least(double x) { return 1.0 + std::log(quarter_pi * x * x); }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    const double u = m + epsilon;
    return (6.0 * quarter_pi * (x / u) * (x / u) - 2.0) / (u * u);
  }

 private:
  static constexpr double quarter_pi = 0.785398163397448309616;
};

}  // namespace genten::losses
