// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// InitialGuess: a caller's model as ALS begins with it, whatever the sizes of its numbers.

#include <genten/base/detail/power_of_two.hpp>
#include <genten/core/ktensor_ops.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace genten::detail {

/// The factors, the last with the weights, and their Gram matrices. Of ordinary guesses the factors
/// but the last are the caller's. Where products of the columns of a component would leave the
/// range of Scalar, its columns and its weight are divided by powers of two: for what ALS makes of
/// a guess the lengths of its columns mean nothing.
template <RealScalar Scalar, ExecutionSpace Exec>
struct InitialGuess {
  std::vector<FacMatrix<Scalar, Exec>> factors;
  std::vector<HostMatrix> grams;

  /// Throws Error for a model with a number that is not finite.
  static InitialGuess of(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
    std::vector<double> weights = host_weights(exec, model);
    for (std::size_t r = 0; r < weights.size(); ++r) check_finite("weights", weights[r], r);
    InitialGuess guess = weighted(exec, model.factors(), weights);
    if (guess.in_range()) return guess;
    std::vector<FacMatrix<Scalar, Exec>> factors;
    for (const auto& factor : model.factors()) {
      const std::string place = "factor of mode " + error_text::number(factors.size());
      factors.push_back(shrink(exec, factor, place));
    }
    for (double& weight : weights) weight = WideNumber(weight).fraction;
    return weighted(exec, std::move(factors), weights);
  }

 private:
  static void check_finite(const std::string& place, double value, std::size_t r) {
    if (std::isfinite(value)) return;
    throw Error::in("cp_als", "expected a finite initial guess, got " + std::to_string(value) +
                                  " in component " + error_text::number(r) + " of the " + place)
        .as(Error::Code::guess);
  }

  [[nodiscard]] static InitialGuess weighted(const Exec& exec,
                                             std::vector<FacMatrix<Scalar, Exec>> factors,
                                             const std::vector<double>& weights) {
    InitialGuess guess{std::move(factors), {}};
    auto& last = guess.factors.back();
    const FacMatrix<Scalar, Exec> product(exec, last.rows(), last.columns());
    std::vector<ColumnChange> changes;
    for (const double weight : weights) {
      changes.push_back({.source = changes.size(), .multiplier = weight});
    }
    copy_columns(exec, last, product, changes);
    last = product;
    for (const auto& factor : guess.factors) {
      guess.grams.push_back(cross_gram(exec, factor, factor));
    }
    return guess;
  }

  /// Whether the norms of a component's columns, and every product of some of them, are far from
  /// the ends of the range of Scalar.
  [[nodiscard]] bool in_range() const {
    for (std::size_t r = 0; r < grams.front().extent(0); ++r) {
      double sum = 0.0;
      for (const HostMatrix& gram : grams) {
        const double square = gram(r, r);
        // A zero may be one that has underflowed.
        if (!std::isfinite(square) || square == 0.0) return false;
        sum += std::abs(std::log2(square));
      }
      if (sum > 2 * scale_quantum<Scalar>) return false;
    }
    return true;
  }

  /// The factor with its columns divided by powers of two that leave the largest elements near 1.
  [[nodiscard]] static FacMatrix<Scalar, Exec> shrink(const Exec& exec,
                                                      const FacMatrix<Scalar, Exec>& factor,
                                                      const std::string& place) {
    const auto ranges = column_ranges(exec, factor);
    std::vector<ColumnChange> changes;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      const double largest = ranges[r].magnitude();
      check_finite(place, largest, r);
      const int own = largest > 0.0 ? std::ilogb(largest) : 0;
      // In two steps, since the power itself may be out of range.
      changes.push_back({.source = r,
                         .multiplier = std::ldexp(1.0, -(own / 2)),
                         .divisor = std::ldexp(1.0, own - own / 2)});
    }
    const FacMatrix<Scalar, Exec> result(exec, factor.rows(), factor.columns());
    copy_columns(exec, factor, result, changes);
    return result;
  }
};

}  // namespace genten::detail
