// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

#include <cmath>

namespace genten::losses {

/// Counts that vary more than Poisson's: failures before r successes, the odds of a failure being
/// m, the mean r m: (r + x) log(1 + m) - x log m.
struct NegativeBinomial {
  static constexpr std::string_view name = "negative-binomial";
  static constexpr std::string_view meaning = "counts that vary more than their mean";
  static constexpr LossParameter parameter{"r", "a number above 0", 1.0};
  static constexpr LossData data = LossData::nonnegative;
  static constexpr double lower = 0.0;
  static constexpr bool by_rows = true;

  double r = parameter.otherwise;

  [[nodiscard]] bool is_valid() const { return r > 0.0; }
  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    const double grown = (r + x) * ::log1p(m);
    return x == 0.0 ? grown : grown - x * ::log(m + epsilon);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    return (r + x) / (1.0 + m) - x / (m + epsilon);
  }
  KOKKOS_INLINE_FUNCTION double mean(double m) const { return r * m; }
  [[nodiscard]] double variance(double mean) const { return mean + mean * mean / r; }
  [[nodiscard]] double least(double x) const {
    return x == 0.0 ? 0.0 : (r + x) * std::log1p(x / r) - x * std::log(x / r);
  }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    return x / ((m + epsilon) * (m + epsilon)) - (r + x) / ((1.0 + m) * (1.0 + m));
  }
};

}  // namespace genten::losses
