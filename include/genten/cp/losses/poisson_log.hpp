// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

#include <cmath>

namespace genten::losses {

/// Counts, the logarithm of whose mean is m: exp(m) - x m.
struct PoissonLog {
  static constexpr std::string_view name = "poisson-log";
  static constexpr std::string_view meaning = "counts, the model being the logarithm of their mean";
  static constexpr LossData data = LossData::nonnegative;
  static constexpr double lower = no_bound;
  static constexpr double default_ridge = 0.1;
  static constexpr bool grows_on_zeros = true;
  static constexpr bool grows_on_ones = false;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const { return ::exp(m) - x * m; }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const { return ::exp(m) - x; }
  KOKKOS_INLINE_FUNCTION double mean(double m) const { return ::exp(m); }
  [[nodiscard]] static double variance(double mean) { return mean; }
  [[nodiscard]] static double least(double x) { return x == 0.0 ? 0.0 : x - x * std::log(x); }
  KOKKOS_INLINE_FUNCTION double curvature(double /*x*/, double m) const { return ::exp(m); }
};

}  // namespace genten::losses
