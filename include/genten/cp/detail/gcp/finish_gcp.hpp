// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The model that cp_gcp returns.

#include <genten/core/count_loss.hpp>
#include <genten/cp/detail/finish_model.hpp>
#include <genten/cp/detail/gcp/gcp_problem.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace genten::detail {

/// From factors in the scale of the objective, whose weights are one.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> finished_gcp_model(const Exec& exec,
                                                       const GcpProblem<Scalar, Exec>& problem,
                                                       const Ktensor<Scalar, Exec>& model) {
  fence(exec, "genten::gcp_model");
  const std::size_t rank = model.rank();
  StoredModel<Scalar, std::uint32_t, Exec> stored{{}, std::vector<double>(rank, 1.0)};
  for (int n = 0; n < problem.order(); ++n) {
    auto& factor = stored.factors.emplace_back();
    factor.matrix = model.factor(n);
    factor.correction.assign(rank, 1.0);
    factor.dimension = problem.dimensions[static_cast<std::size_t>(n)];
  }
  const auto& constraints = problem.constraints;
  const bool normalize = bounds_allow_scaling(constraints);
  const bool all_free = std::count(problem.is_free.begin(), problem.is_free.end(), false) == 0;
  return finish_model(exec, std::move(stored),
                      Finish{.fix_signs = all_free && bounds_allow_signs(constraints),
                             .exponent = problem.exponent,
                             .normalize = normalize,
                             .norm = norm_under(problem.loss.name),
                             .exponents = normalize ? std::vector<int>() : problem.exponents});
}

}  // namespace genten::detail
