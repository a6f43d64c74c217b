// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The residual to more digits, where the identity has lost them.

#include <genten/cp/detail/cp_als_problem.hpp>
#include <genten/cp/residual.hpp>
#include <genten/cp/result.hpp>

#include <type_traits>

namespace genten::detail {

/// Residuals below this part of the tensor's norm are computed by the extended route. The identity
/// sqrt(||X||^2 + ||M||^2 - 2 <X, M>) leaves in the square an error of some units of the precision
/// in which factors and MTTKRP are; half of its part of the square is that of the residual. So it
/// is good to about 1e-3 at the limit in float, and to about 1e-7 in double.
template <RealScalar Scalar>
inline constexpr double extended_residual_below = std::is_same_v<Scalar, float> ? 3e-2 : 1e-4;

/// Computes a residual again where the identity's cancellation has eaten into it, or where no
/// iteration has computed one. `model` is the finished model that `result` speaks of.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void refine_residual(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                     const CpAlsProblem<Scalar, Ordinal, Exec>& problem,
                     const Ktensor<Scalar, Exec>& model, CpAlsResult<Scalar, Exec>& result) {
  if (result.stop_reason == StopReason::non_finite) return;
  if (result.residual_route == ResidualRoute::extended) return;
  const double limit = extended_residual_below<Scalar> * result.tensor_norm;
  if (result.iterations != 0 && result.residual_norm > limit) return;
  const WideNumber residual = wide_residual_norm(exec, tensor, model);
  result.residual_norm = residual.value();
  result.residual_route = ResidualRoute::extended;
  result.fit = fit_of(residual.over_power(problem.exponent), problem.tensor_norm);
}

}  // namespace genten::detail
