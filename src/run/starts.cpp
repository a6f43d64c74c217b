// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/run/detail/starts.hpp>

#include <algorithm>
#include <cmath>

namespace genten::detail {

bool by_least_squares(const CpRequest& request) {
  return request.solver() == Solver::als || request.solver() == Solver::completion;
}

std::vector<bool> starts_at_best(const CpFigures& figures, const CpRequest& request) {
  const double norm = figures.tensor_norm, residual = figures.residual_norm;
  double near = 1e-4 * std::abs(figures.objective);
  if (by_least_squares(request)) {  // what a change of the fit by so much changes it by
    const bool by_fit = std::isnan(figures.kkt_violation) && !(figures.penalty > 0.0) &&
                        request.solver() == Solver::als;
    const double of_fit = by_fit ? 10.0 * std::max(request.als.tolerance, 1e-6) : 1e-3;
    near = of_fit * norm * std::max(residual, 1e-3 * norm);
  }
  std::vector<bool> at_best;
  for (const StartRecord& start : figures.starts) {
    at_best.push_back(start.objective - figures.objective <= near);
  }
  return at_best;
}

}  // namespace genten::detail
