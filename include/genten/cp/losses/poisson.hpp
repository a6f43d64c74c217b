// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/vector_math.hpp>
#include <genten/cp/losses/loss_function.hpp>

#include <cmath>

namespace genten::losses {

/// Counts whose mean is m: m - x log m.
struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view meaning = "counts, the model being their mean";
  static constexpr LossData data = LossData::nonnegative;
  static constexpr double lower = 0.0;
  static constexpr bool by_rows = true;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    return x == 0.0 ? m : m - x * ::log(m + epsilon);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const { return 1.0 - x / (m + epsilon); }
  [[nodiscard]] static double variance(double mean) { return mean; }
  [[nodiscard]] static double power() { return 1.0; }
  [[nodiscard]] static double least(double x) { return x == 0.0 ? 0.0 : x - x * std::log(x); }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    return x / ((m + epsilon) * (m + epsilon));
  }
  void values(const double* x, const double* m, double* f, int count) const {
    double logarithms[64] = {};
    for (int k = 0; k < count; ++k) logarithms[k] = m[k] + epsilon;
    detail::log_of_all(logarithms, logarithms, count);
    for (int k = 0; k < count; ++k) f[k] = x[k] == 0.0 ? m[k] : m[k] - x[k] * logarithms[k];
  }
  [[nodiscard]] std::optional<ZeroTerms> zero_terms() const { return ZeroTerms{.linear = 1.0}; }
};

}  // namespace genten::losses
