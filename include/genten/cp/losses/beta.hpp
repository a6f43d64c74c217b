// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

#include <cmath>

namespace genten::losses {

/// The beta divergence, m^b / b - x m^(b - 1) / (b - 1): between gamma (b = 0), poisson (b = 1) and
/// half of least squares (b = 2).
struct Beta {
  static constexpr std::string_view name = "beta";
  static constexpr std::string_view meaning = "beta divergence: between gamma and least squares";
  static constexpr LossParameter parameter{"b", "a number other than 0 and 1", 1.5};
  static constexpr LossData data = LossData::nonnegative;
  static constexpr double lower = 0.0;
  static constexpr double added = epsilon;

  double b = parameter.otherwise;

  [[nodiscard]] bool is_valid() const {
    return b != 0.0 && b != 1.0 && b - b == 0.0;  // the last: finite
  }
  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    const double power = ::pow(m + epsilon, b - 1.0);
    return power * (m + epsilon) / b - x * power / (b - 1.0);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    return ::pow(m + epsilon, b - 2.0) * (m + epsilon - x);
  }
  [[nodiscard]] double power() const { return b; }
  [[nodiscard]] double least(double x) const { return -std::pow(x, b) / (b * (b - 1.0)); }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    return ::pow(m + epsilon, b - 3.0) * ((b - 1.0) * (m + epsilon) - (b - 2.0) * x);
  }
  /// (m + epsilon)^2 / 2 for b = 2.
  [[nodiscard]] std::optional<ZeroTerms> zero_terms() const {
    if (b != 2.0) return std::nullopt;
    return ZeroTerms{0.5 * epsilon * epsilon, epsilon, 0.5};
  }
  /// Below b = 0 models of 0 would be rewarded without end.
  [[nodiscard]] bool takes_zeros() const { return b > 0.0; }
};

}  // namespace genten::losses
