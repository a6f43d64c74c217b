// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// balance_columns: the lengths of columns in modes that have drifted apart.

#include <genten/core/column_norms.hpp>
#include <genten/cp/detail/gcp/gcp_problem.hpp>

#include <cmath>
#include <vector>

namespace genten::detail {

/// Makes the columns of each component equally long in all free modes, where the objective is the
/// same for all lengths: steps of L-BFGS lead nowhere where these are far apart (by 1e7 has been
/// seen on a tensor of 1e4 nonzeros). False, and nothing changes, where lengths count, and where
/// they are equal already but for a factor of two.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] bool balance_columns(const Exec& exec, const GcpProblem<Scalar, Exec>& problem,
                                   const Ktensor<Scalar, Exec>& model) {
  std::vector<int> modes;
  for (int n = 0; n < problem.order(); ++n) {
    const auto mode = static_cast<std::size_t>(n);
    if (!problem.is_free[mode]) continue;
    if (problem.is_penalized(mode) || !problem.constraints[mode].allows_scaling()) return false;
    modes.push_back(n);
  }
  std::vector<std::vector<double>> factors;
  for (const int n : modes) {
    factors.push_back(column_norms(exec, model.factor(n), NormKind::two));
  }
  bool is_balanced = true;
  for (std::size_t r = 0; r < model.rank(); ++r) {
    double logarithm = 0.0;
    for (const auto& norms : factors) {
      logarithm += std::log(norms[r]) / static_cast<double>(modes.size());
    }
    const double length = std::exp(logarithm);  // 0 of a component that is zero
    for (auto& norms : factors) {
      norms[r] = length > 0.0 && std::isfinite(length) ? length / norms[r] : 1.0;
      is_balanced = is_balanced && norms[r] >= 0.5 && norms[r] <= 2.0;
    }
  }
  if (is_balanced) return false;
  for (std::size_t k = 0; k < modes.size(); ++k) {
    scale_columns(exec, model.factor(modes[k]), factors[k]);
  }
  fence(exec, "genten::balance_columns");
  return true;
}

}  // namespace genten::detail
