// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/losses/loss_function.hpp>

namespace genten::losses {

/// Squared differences, those at zeros multiplied by w: implicit feedback, where a zero says less
/// than a nonzero.
struct Weighted {
  static constexpr std::string_view name = "weighted";
  static constexpr std::string_view meaning = "squared differences, those at zeros times w";
  static constexpr LossParameter parameter{"w", "a number of at least 0", 0.1};
  static constexpr LossData data = LossData::real;
  static constexpr double lower = no_bound;

  double w = parameter.otherwise;

  [[nodiscard]] bool is_valid() const { return w >= 0.0; }
  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    return weight(x) * (m - x) * (m - x);
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    return 2.0 * weight(x) * (m - x);
  }
  [[nodiscard]] static double power() { return 2.0; }
  [[nodiscard]] static double least(double /*x*/) { return 0.0; }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double /*m*/) const { return 2.0 * weight(x); }
  [[nodiscard]] std::optional<ZeroTerms> zero_terms() const { return ZeroTerms{.square = w}; }
  [[nodiscard]] Weighted scaled(double /*c*/) const { return *this; }

 private:
  KOKKOS_INLINE_FUNCTION double weight(double x) const { return x == 0.0 ? w : 1.0; }
};

}  // namespace genten::losses
