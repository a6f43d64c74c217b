// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

namespace genten::losses {

/// Squared differences up to d, beyond it growing with the difference: outliers count less.
struct Huber {
  static constexpr std::string_view name = "huber";
  static constexpr std::string_view meaning = "squared differences, beyond d absolute ones";
  static constexpr LossParameter parameter{"d", "a number above 0", 1.0};
  static constexpr LossData data = LossData::real;
  static constexpr double lower = no_bound;

  double d = parameter.otherwise;

  [[nodiscard]] bool is_valid() const { return d > 0.0; }
  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    const double size = ::fabs(m - x);
    return size < d ? size * size : d * (2.0 * size - d);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    const double difference = m - x;
    return 2.0 * (difference < -d ? -d : difference > d ? d : difference);
  }
  [[nodiscard]] static double least(double /*x*/) { return 0.0; }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    return ::fabs(m - x) < d ? 2.0 : 0.0;
  }
  [[nodiscard]] Huber scaled(double c) const { return {d * c}; }
};

}  // namespace genten::losses
