// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How many digits a residual has, and the residual to more digits where they are too few.

#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/compare/residual_impl.hpp>
#include <genten/cp/detail/cp_als_problem.hpp>
#include <genten/cp/residual.hpp>
#include <genten/cp/result.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

namespace genten::detail {

/// In ||X - M||^2 = ||X||^2 + ||M||^2 - 2 <X, M> the terms cancel where the fit is near 1, and
/// those of ||M||^2 among themselves where components nearly cancel. None is larger than the square
/// of ||X|| + the sum of the components' norms. Rounding changes ||X - M||^2 by about this part of
/// that square, at most: by 2^-53 a term in double and 2^-104 in double-double, both times what
/// long sums add to it. Sums in float say nothing: one of 10^7 terms of about the same size may
/// have one digit.
inline constexpr double double_sums_error = 0x1p-35;
inline constexpr double extended_sums_error = 0x1p-90;

/// The most by which rounding may have changed a residual norm, if it has changed the square by
/// `square_error`. Both are parts of ||X|| + the sum of the components' norms, and its square.
[[nodiscard]] inline double residual_error(double residual, double square_error) {
  return std::min(std::sqrt(square_error), square_error / residual) + 0x1p-52 * residual;
}

/// ||X|| + the sum of the components' norms of a normalized model.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] WideNumber sum_of_norms(const Exec& exec, double tensor_norm,
                                      const Ktensor<Scalar, Exec>& model) {
  std::vector<double> norms = host_weights(exec, model);
  norms.push_back(tensor_norm);
  // The sum may be beyond the range of double.
  const int common = WideNumber(*std::max_element(norms.begin(), norms.end())).exponent;
  double sum = 0.0;
  for (const double norm : norms) sum += std::ldexp(norm, -common);
  return WideNumber(sum, common);
}

/// ||X - M|| by the identity, all sums in double. For values of float, whose
/// squares are in range.
template <SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double residual_norm_in_double(const Exec& exec,
                                             const Sptensor<float, Ordinal, Exec>& tensor,
                                             double tensor_norm,
                                             const Ktensor<float, Exec>& model) {
  const double square = tensor_norm * tensor_norm + innerprod(exec, model, model) -
                        2.0 * innerprod(exec, tensor, model);
  return std::sqrt(std::max(0.0, square));
}

/// Computes a residual again, and again by a slower route, until it is certain to a hundredth or
/// the routes are at an end. `model` is the finished model that `result` speaks of.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Result>
void refine_residual(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                     const CpAlsProblem<Scalar, Ordinal, Exec>& problem,
                     const Ktensor<Scalar, Exec>& model, Result& result) {
  const auto done = [&] {
    return result.residual_is_certain() || result.residual_route == ResidualRoute::extended;
  };
  if (done()) return;
  const WideNumber size = sum_of_norms(exec, result.tensor_norm, model);
  const auto take = [&](ResidualRoute route, const WideNumber& residual, double square_error) {
    result.residual_route = route;
    result.residual_norm = residual.value();
    result.objective = 0.5 * result.residual_norm * result.residual_norm + result.penalty;
    result.fit = fit_of(residual.over_power(problem.exponent), problem.tensor_norm);
    result.residual_error = 0.0;
    if (size.fraction == 0.0) return;
    const double part = residual.over_power(size.exponent) / size.fraction;
    result.residual_error =
        WideNumber(size.fraction * residual_error(part, square_error), size.exponent).value();
  };
  if constexpr (std::is_same_v<Scalar, float>) {
    const double norm = residual_norm_in_double(exec, tensor, result.tensor_norm, model);
    take(ResidualRoute::double_sums, WideNumber(norm), double_sums_error);
    if (done()) return;
  }
  try {
    take(ResidualRoute::extended, residual_sums(exec, tensor, model).norm, extended_sums_error);
  } catch (const Error& error) {
    // On devices it takes copies on the host. A model is not lost for want of them: the residual
    // says that it is not certain.
    if (error.kind() != Error::Kind::memory) throw;
  }
}

}  // namespace genten::detail
