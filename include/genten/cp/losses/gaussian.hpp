// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

namespace genten::losses {

/// Squared differences, (m - x)^2: twice the least squares of cp_als.
struct Gaussian {
  static constexpr std::string_view name = "gaussian";
  static constexpr std::string_view meaning = "squared differences";
  static constexpr LossData data = LossData::real;
  static constexpr double lower = no_bound;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const { return (m - x) * (m - x); }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const { return 2.0 * (m - x); }
  [[nodiscard]] static double variance(double /*mean*/) { return 1.0; }
  [[nodiscard]] static double power() { return 2.0; }
  [[nodiscard]] static double least(double /*x*/) { return 0.0; }
  KOKKOS_INLINE_FUNCTION double curvature(double /*x*/, double /*m*/) const { return 2.0; }
  [[nodiscard]] std::optional<ZeroTerms> zero_terms() const { return ZeroTerms{.square = 1.0}; }
  [[nodiscard]] Gaussian scaled(double /*c*/) const { return *this; }
};

}  // namespace genten::losses
