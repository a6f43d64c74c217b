// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Weights that are products of many norms, before they are numbers of a model's type.

#include <genten/base/detail/power_of_two.hpp>
#include <genten/base/error.hpp>

#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// The number as it is when it has been stored.
template <RealScalar Scalar>
[[nodiscard]] double stored(double number) {
  return static_cast<double>(static_cast<Scalar>(number));
}

/// The largest exponent of some weights; 0 where all are zero.
[[nodiscard]] inline int largest_exponent(const std::vector<WideNumber>& weights) {
  std::optional<int> largest;
  for (const WideNumber& weight : weights) {
    if (weight.fraction == 0.0) continue;
    if (!largest || weight.exponent > *largest) largest = weight.exponent;
  }
  return largest.value_or(0);
}

/// The weights as they are when they have been stored. Throws Error for one that Scalar cannot
/// represent: that is beyond its range, or where that ends below loses more than a thousandth of
/// the largest weight.
template <RealScalar Scalar>
[[nodiscard]] std::vector<double> stored_weights(const std::vector<WideNumber>& weights) {
  const int common = largest_exponent(weights);
  std::vector<double> result;
  for (const WideNumber& weight : weights) {
    const double number = stored<Scalar>(weight.value());
    if (!std::isfinite(weight.fraction)) {  // as it came, and no loss
      result.push_back(number);
      continue;
    }
    // Of fractions the largest is at least 1/2.
    const double loss = std::abs(std::ldexp(number, -common) - weight.over_power(common));
    if (!std::isfinite(number) || loss > 0.5e-3) {
      throw Error(Error::Kind::runtime, "the weight of component " +
                                            std::to_string(result.size() + 1) + ", " +
                                            to_text(weight) + ", is not representable in " +
                                            (sizeof(Scalar) == sizeof(float) ? "float" : "double"));
    }
    result.push_back(number);
  }
  return result;
}

}  // namespace genten::detail
