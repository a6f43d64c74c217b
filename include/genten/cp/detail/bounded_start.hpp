// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a constrained run starts from: random factors within the bounds, and guesses that are.

#include <genten/base/detail/kokkos_compat.hpp>
#include <genten/core/fac_matrix.hpp>
#include <genten/cp/detail/balance_norms.hpp>
#include <genten/cp/detail/initial_guess.hpp>
#include <genten/cp/row_constraints.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace genten::detail {

/// How long the factors of a random start are where lengths mean something. Numbers in [0, 1) may
/// be tiny beside the data, or far too large: then the first updates see penalties alone, or none,
/// and may clip whole columns to zero, which penalties keep there.
template <RealScalar Scalar>
class StartLengths {
 public:
  explicit StartLengths(std::size_t rank) : m_product(rank * rank, 1.0) {}

  /// Takes in the next mode's factor, of which `found` has the Gram matrix and, by column, the
  /// largest magnitude, and its bounds.
  template <class Found>
  void add(const Found& found, const RowConstraint& bounds) {
    const auto gram = found.gram();
    const std::size_t rank = gram.extent(0);
    double trace = 0.0;
    for (std::size_t r = 0; r < rank; ++r) {
      trace += gram(r, r);
      for (std::size_t q = 0; q < rank; ++q) m_product[r * rank + q] *= gram(r, q);
    }
    m_norms.push_back(std::sqrt(trace));
    double largest = 0.0;
    for (std::size_t r = 0; r < rank; ++r) largest = std::max(largest, found.column_max()(r));
    m_penalized = m_penalized || is_penalized(bounds);
    m_unbounded.push_back(bounds_allow_scaling({bounds}));
    m_most.push_back(bounds_allow_lengths(bounds) ? most_length<Scalar>(bounds, largest) : 0.0);
  }

  /// What to multiply the factors by so that the model is as long as the tensor and all are equally
  /// long, but for those that may not; ones where that cannot be.
  ///
  /// Without penalties a tensor that is c times as large has a model that is, with the same factors
  /// in modes whose bounds are not 0. These then stay, and the others get powers of two for those
  /// in the tensor's norm, so that for c = 2^k all that follows is the same, to the bit.
  [[nodiscard]] std::vector<double> factors(double tensor_norm) const {
    const bool scales =
        !m_penalized && tensor_norm > 0.0 && std::isfinite(tensor_norm) &&
        std::find(m_unbounded.begin(), m_unbounded.end(), true) != m_unbounded.end();
    int power = 0;
    if (scales) tensor_norm = std::frexp(tensor_norm, &power);
    std::vector<double> result(m_norms.size(), 1.0);
    std::vector<bool> free;
    for (std::size_t n = 0; n < m_most.size(); ++n) {
      free.push_back(m_most[n] > 0.0 && (m_unbounded[n] || !scales));
    }
    for (bool done = false; !done;) {
      done = true;
      share(std::log(tensor_norm) - std::log(model_norm()), free, result);
      for (std::size_t n = 0; n < result.size(); ++n) {
        if (!free[n] || !(result[n] > m_most[n])) continue;
        result[n] = m_most[n];
        done = free[n] = false;
      }
    }
    auto left = static_cast<int>(std::count(free.begin(), free.end(), true));
    for (std::size_t n = 0; scales && n < result.size(); ++n) {
      if (!free[n]) continue;
      const int part = power / left--;
      result[n] = std::ldexp(result[n], part);
      power -= part;
    }
    return are_good(result) ? result : std::vector<double>(m_norms.size(), 1.0);
  }

 private:
  [[nodiscard]] double model_norm() const {
    return std::sqrt(std::accumulate(m_product.begin(), m_product.end(), 0.0));
  }
  [[nodiscard]] static bool are_good(const std::vector<double>& factors) {
    return std::all_of(factors.begin(), factors.end(), [](double factor) {
      return factor > 0.0 && factor <= std::numeric_limits<float>::max();
    });
  }
  /// Makes the product of all factors e^logarithm and those of the free ones equally long.
  void share(double logarithm, const std::vector<bool>& free, std::vector<double>& factors) const {
    double count = 0.0;
    for (std::size_t n = 0; n < factors.size(); ++n) {
      logarithm += free[n] ? std::log(m_norms[n]) : -std::log(factors[n]);
      count += free[n] ? 1.0 : 0.0;
    }
    for (std::size_t n = 0; n < factors.size(); ++n) {
      if (free[n]) factors[n] = std::exp(logarithm / count) / m_norms[n];
    }
  }

  std::vector<double> m_product;  ///< of the Gram matrices, element by element
  std::vector<double> m_norms;
  bool m_penalized = false;
  std::vector<bool> m_unbounded;  ///< but by 0
  std::vector<double> m_most;     ///< that a factor may be multiplied by; 0: it stays as it is
};

/// The sweeps that a random start under constraints begins with: without penalties, and by
/// coordinate descent in all modes. Random columns may be nearly parallel, and then some of a
/// component's are clipped to zero in a mode. Penalties and exact solves would take its columns in
/// the other modes for useless and make them zero, too, and it could never come back; descent
/// leaves them as they are, and the next sweep may find a use for them. Penalties also take what is
/// short still, since they weigh the more the shorter a component is. So the first sweep is
/// repeated while there are such components, but not for ever, since there may be no use for all.
class FirstSweeps {
 public:
  static constexpr int most = 10;
  /// What is short under penalties, as a part of the largest component. Of 60 starts on Titanic's
  /// counts, rank 4, unlisted entries missing, 5 lose a component with it, 11 with .03 and 13 with
  /// 0.
  static constexpr double short_part = 0.1;

  void begin(bool penalized) {
    m_left = most;
    m_least = penalized ? short_part : 0.0;
  }
  /// Whether the sweep in hand is one of them.
  [[nodiscard]] bool running() const { return m_left > 0; }
  /// After one of them, of the norms of the components: whether it is to be repeated.
  [[nodiscard]] bool repeats(const std::vector<double>& norms) {
    const auto [least, largest] = std::minmax_element(norms.begin(), norms.end());
    m_left = *least <= m_least * *largest ? m_left - 1 : 0;
    return running();
  }
  void end() { m_left = 0; }

 private:
  int m_left = 0;
  double m_least = 0.0;
};

/// Takes random numbers, of which uniform ones are in [0, 1), to where that interval and the bounds
/// meet, or, where they do not, to within 1 of the bound that is nearer; clips what is outside.
template <RealScalar Scalar, ExecutionSpace Exec>
void move_within(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                 const RowConstraint& bounds) {
  if (!bounds.is_bounded()) return;
  double from = std::clamp(0.0, bounds.lower, bounds.upper);
  double to = std::clamp(1.0, bounds.lower, bounds.upper);
  if (from == to && from == bounds.lower) to = std::min(from + 1.0, bounds.upper);
  if (from == to && to == bounds.upper) from = std::max(to - 1.0, bounds.lower);
  const auto first = static_cast<Scalar>(from), length = static_cast<Scalar>(to - from);
  const auto lower = static_cast<Scalar>(bounds.lower), upper = static_cast<Scalar>(bounds.upper);
  const auto columns = static_cast<offset_t>(factor.columns());
  const auto elements = static_cast<offset_t>(factor.rows()) * columns;
  Kokkos::parallel_for(
      "genten::move_within",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, elements),
      KOKKOS_LAMBDA(const offset_t e) {
        Scalar& x =
            factor(static_cast<std::size_t>(e / columns), static_cast<std::size_t>(e % columns));
        const Scalar moved = first + length * x;
        x = moved < lower ? lower : (moved > upper ? upper : moved);
      });
}

/// Elements that are not within the bounds, NaN among them.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] offset_t count_outside(const Exec& exec, const FacMatrix<Scalar, Exec>& factor,
                                     const RowConstraint& bounds) {
  const auto lower = static_cast<Scalar>(bounds.lower), upper = static_cast<Scalar>(bounds.upper);
  const auto columns = static_cast<offset_t>(factor.columns());
  const auto elements = static_cast<offset_t>(factor.rows()) * columns;
  offset_t count = 0;
  Kokkos::parallel_reduce(
      "genten::count_outside",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0, elements),
      KOKKOS_LAMBDA(const offset_t e, offset_t& sum) {
        const Scalar x =
            factor(static_cast<std::size_t>(e / columns), static_cast<std::size_t>(e % columns));
        if (!(x >= lower && x <= upper)) ++sum;
      },
      count);
  return count;
}

/// Throws Error for a guess with elements outside the bounds.
template <RealScalar Scalar, ExecutionSpace Exec>
void check_within(const Exec& exec, const InitialGuess<Scalar, Exec>& guess,
                  const std::vector<RowConstraint>& constraints) {
  for (std::size_t n = 0; n < constraints.size(); ++n) {
    if (!constraints[n].is_bounded()) continue;
    const offset_t outside = count_outside(exec, guess.factors[n], constraints[n]);
    if (outside == 0) continue;
    throw Error::in("cp_als", "expected an initial guess within the bounds, got " +
                                  std::to_string(outside) +
                                  (outside == 1 ? " element" : " elements") +
                                  " outside them in the factor of mode " + error_text::number(n) +
                                  ", weights included")
        .as(Error::Code::guess);
  }
}

/// A caller's model where the lengths of its columns mean something: the weights go to the modes
/// `updates` in equal parts, their signs to the last of these, or, if there are none, to the last
/// mode; then the factor of mode n is divided by 2^exponents[n]. Throws Error for a model with a
/// number that is not finite.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] InitialGuess<Scalar, Exec> counted_guess(const Exec& exec,
                                                       const Ktensor<Scalar, Exec>& model,
                                                       const std::vector<int>& updates,
                                                       const std::vector<int>& exponents) {
  const std::vector<double> weights = host_weights(exec, model);
  const std::vector<int> takers = updates.empty() ? std::vector{model.order() - 1} : updates;
  InitialGuess<Scalar, Exec> guess;
  for (int mode = 0; mode < model.order(); ++mode) {
    const auto& factor = model.factor(mode);
    const int exponent = exponents[static_cast<std::size_t>(mode)];
    const bool takes = std::find(takers.begin(), takers.end(), mode) != takers.end();
    std::vector<ColumnChange> changes;
    for (const double weight : weights) {
      const double root = std::pow(std::abs(weight), 1.0 / static_cast<double>(takers.size()));
      const double part = mode == takers.back() ? std::copysign(root, weight) : root;
      changes.push_back({.source = changes.size(),
                         .multiplier = takes ? part : 1.0,
                         .divisor = std::ldexp(1.0, exponent)});
    }
    const bool stays = exponent == 0 && std::all_of(changes.begin(), changes.end(), [](auto& each) {
                         return each.multiplier == 1.0;
                       });
    if (stays) {
      guess.factors.push_back(factor);
    } else {
      guess.factors.emplace_back(exec, factor.rows(), factor.columns());
      copy_columns(exec, factor, guess.factors.back(), changes);
    }
    guess.grams.push_back(cross_gram(exec, guess.factors.back(), guess.factors.back()));
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (std::isfinite(guess.grams.back()(r, r))) continue;
      throw Error::in("cp_als", "expected a finite initial guess, got a column " +
                                    error_text::number(r) + " of the factor of mode " +
                                    error_text::number(mode) +
                                    " whose norm, weights included, is not")
          .as(Error::Code::guess);
    }
  }
  return guess;
}

}  // namespace genten::detail
