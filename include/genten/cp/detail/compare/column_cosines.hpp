// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Cosines between the columns of two factors.

#include <genten/base/detail/eti.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/cp/detail/compare/assignment.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// Cosines between the columns of two factors of these norms, whose products are in the range of
/// double; a column of zeros has cosine 0 with every other.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] GainMatrix ordinary_cosines(const Exec& exec, const FacMatrix<Scalar, Exec>& a,
                                          const std::vector<double>& a_norms,
                                          const FacMatrix<Scalar, Exec>& b,
                                          const std::vector<double>& b_norms) {
  const auto gram = cross_gram(exec, a, b);
  GainMatrix cosines(a_norms.size(), b_norms.size());
  for (std::size_t r = 0; r < a_norms.size(); ++r) {
    for (std::size_t s = 0; s < b_norms.size(); ++s) {
      if (a_norms[r] == 0.0 || b_norms[s] == 0.0) continue;
      cosines(r, s) = std::clamp(gram(r, s) / a_norms[r] / b_norms[s], -1.0, 1.0);
    }
  }
  return cosines;
}

/// The same for factors whose norms are finite.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] GainMatrix column_cosines(const Exec& exec, const FacMatrix<Scalar, Exec>& a,
                                        const std::vector<double>& a_norms,
                                        const FacMatrix<Scalar, Exec>& b,
                                        const std::vector<double>& b_norms) {
  if (are_ordinary(a_norms) && are_ordinary(b_norms)) {
    return ordinary_cosines(exec, a, a_norms, b, b_norms);
  }
  const auto x = UnitColumns<Scalar, Exec>(exec, a).matrix;
  const auto y = UnitColumns<Scalar, Exec>(exec, b).matrix;
  return ordinary_cosines(exec, x, column_norms(exec, x, NormKind::two), y,
                          column_norms(exec, y, NormKind::two));
}

}  // namespace genten::detail
