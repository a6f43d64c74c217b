// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

namespace genten::losses {

/// 0 or 1, the odds of 1, p / (1 - p), being m: log(1 + m) - x log m.
struct BernoulliOdds {
  static constexpr std::string_view name = "bernoulli-odds";
  static constexpr std::string_view meaning = "0 or 1, the model being the odds of 1";
  static constexpr LossData data = LossData::binary;
  static constexpr double lower = 0.0;
  static constexpr bool by_rows = true;
  static constexpr bool grows_on_zeros = false;
  static constexpr bool grows_on_ones = true;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    return x == 0.0 ? ::log1p(m) : ::log1p(m) - x * ::log(m + epsilon);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    return 1.0 / (1.0 + m) - x / (m + epsilon);
  }
  KOKKOS_INLINE_FUNCTION double mean(double m) const { return m / (1.0 + m); }
  [[nodiscard]] static double variance(double mean) { return mean * (1.0 - mean); }
  [[nodiscard]] static double least(double /*x*/) { return 0.0; }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    return x / ((m + epsilon) * (m + epsilon)) - 1.0 / ((1.0 + m) * (1.0 + m));
  }
};

}  // namespace genten::losses
