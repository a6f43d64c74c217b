// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/vector_math.hpp>
#include <genten/cp/losses/loss_function.hpp>

namespace genten::losses {

/// 0 or 1, a count of mean m being at least 1: m at zeros, -log(1 - exp(-m)) at ones. Hu, Rai and
/// Carin, Zero-Truncated Poisson Tensor Factorization for Massive Binary Tensors, UAI 2015.
struct BernoulliPoisson {
  static constexpr std::string_view name = "bernoulli-poisson";
  static constexpr std::string_view meaning = "0 or 1, 1 standing for a count that is not 0";
  static constexpr LossData data = LossData::binary;
  static constexpr double lower = 0.0;
  static constexpr bool grows_on_zeros = false;
  static constexpr bool grows_on_ones = true;

  KOKKOS_INLINE_FUNCTION double value(double x, double m) const {
    return x == 0.0 ? m : -::log(-::expm1(-(m + epsilon)));
  }
  KOKKOS_INLINE_FUNCTION double slope(double x, double m) const {
    return x == 0.0 ? 1.0 : -1.0 / ::expm1(m + epsilon);
  }
  KOKKOS_INLINE_FUNCTION double mean(double m) const { return -::expm1(-m); }
  [[nodiscard]] static double variance(double mean) { return mean * (1.0 - mean); }
  [[nodiscard]] static double least(double /*x*/) { return 0.0; }
  KOKKOS_INLINE_FUNCTION double curvature(double x, double m) const {
    return x == 0.0 ? 0.0 : -1.0 / (::expm1(m + epsilon) * ::expm1(-(m + epsilon)));
  }
  void values(const double* x, const double* m, double* f, int count) const {
    double odds[64] = {};  // of 0
    find_odds(x, m, odds, count);
    for (int k = 0; k < count; ++k) odds[k] = 1.0 + 1.0 / odds[k];
    detail::log_of_all(odds, odds, count);
    for (int k = 0; k < count; ++k) f[k] = x[k] == 0.0 ? m[k] : odds[k];
  }
  void slopes(const double* x, const double* m, double* f, int count) const {
    double odds[64] = {};
    find_odds(x, m, odds, count);
    for (int k = 0; k < count; ++k) f[k] = x[k] == 0.0 ? 1.0 : -1.0 / odds[k];
  }
  [[nodiscard]] std::optional<ZeroTerms> zero_terms() const { return ZeroTerms{.linear = 1.0}; }

 private:
  /// exp(m) - 1, unless all are zeros.
  static void find_odds(const double* x, const double* m, double* odds, int count) {
    bool any = false;
    for (int k = 0; k < count; ++k) {
      any = any || x[k] != 0.0;
      odds[k] = m[k] + epsilon;
    }
    if (any) detail::expm1_of_all(odds, odds, count);
  }
};

}  // namespace genten::losses
