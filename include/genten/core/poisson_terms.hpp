// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a count x of mean m adds to deviance and log-likelihood, without differences of large
/// numbers: the saddle-point form of C. Loader, Fast and Accurate Computation of Binomial
/// Probabilities, 2000.

#include <genten/base/detail/limits.hpp>

#include <Kokkos_Macros.hpp>

#include <math.h>  // lgamma_r

#include <cmath>

namespace genten::detail {

/// Half of the deviance of x > 0: x log(x / m) - (x - m), which is never negative. Where x and m
/// are close, by the series of log1p((x - m) / m), whose first terms are summed by hand: what is
/// left is (x - m)^2 / (x + m) and smaller terms. Infinite for a mean that is 0 or infinite.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double half_deviance(double x, double m) {
  constexpr double least = Limits<double>::least;
  constexpr double most = Limits<double>::most;
  if (x <= most && m > most) return m;
  if (x == m) return 0.0;
  const double difference = 0.5 * x - 0.5 * m, sum = 0.5 * x + 0.5 * m;
  const double magnitude = difference < 0.0 ? -difference : difference;
  // A number that is no normal one has too few digits for the quotient.
  if (magnitude < 0.1 * sum && sum >= least) {
    const double v = difference / sum, square = v * v;
    double total = 2.0 * difference * v, power = x * (2.0 * v);
    for (int k = 1; k < 1000; ++k) {
      power *= square;
      const double next = total + power / (2 * k + 1);
      if (next == total) break;
      total = next;
    }
    return total;
  }
  // x / m may leave the range of numbers.
  const double ratio = x / m;
  const bool safe = ratio >= least && ratio <= most;
  const double value = x * (safe ? ::log(ratio) : ::log(x) - ::log(m)) - 2.0 * difference;
  return value < 0.0 ? 0.0 : value;  // by rounding, and a NaN stays
}

/// log x! - log(sqrt(2 pi x) (x / e)^x), the error of Stirling's formula, for x >= 16.
[[nodiscard]] inline double stirling_error(double x) {
  const double square = x * x;
  return (1.0 / 12 -
          (1.0 / 360 - (1.0 / 1260 - (1.0 / 1680 - 1.0 / 1188 / square) / square) / square) /
              square) /
         x;
}

/// x log m - m - log x! for x > 0, the logarithm of the gamma function standing for that of the
/// factorial. Minus infinity for a mean that is 0 or infinite.
[[nodiscard]] inline double poisson_log_likelihood(double x, double m) {
  constexpr double log_two_pi = 1.8378770664093454836;
  if (m > Limits<double>::most) return -m;
  if (x >= 16.0) {
    return -half_deviance(x, m) - stirling_error(x) - 0.5 * (log_two_pi + std::log(x));
  }
  int sign = 0;  // lgamma would set a variable that all threads share
  return x * std::log(m) - m - ::lgamma_r(x + 1.0, &sign);
}

/// The model's sum over the entries that are not listed: of all that over all entries, `of_all`,
/// less that over the listed ones, which rounding may make negative. Nothing is left where all are
/// listed. A NaN of `of_all` stays.
[[nodiscard]] inline double sum_of_others(double of_all, double of_listed, bool all_listed) {
  if (of_all != of_all) return of_all;
  const double rest = of_all - of_listed;
  return all_listed || !(rest > 0.0) ? 0.0 : rest;
}

/// Sums over entries that are listed, x being their values and m the model's.
struct DevianceSums {
  double half_deviance = 0.0;  ///< see above; of x = 0 it is m
  double model = 0.0;          ///< of m
  double inner_product = 0.0;  ///< of x m

  [[nodiscard]] KOKKOS_INLINE_FUNCTION static DevianceSums of(double x, double m) {
    return {x == 0.0 ? m : detail::half_deviance(x, m), m, x * m};
  }
  KOKKOS_FUNCTION void add(const DevianceSums& other) {
    half_deviance += other.half_deviance;
    model += other.model;
    inner_product += other.inner_product;
  }
};

}  // namespace genten::detail
