// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parts of the factor match score.

#include <genten/core/column_norms.hpp>
#include <genten/core/cross_gram.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/weights.hpp>
#include <genten/cp/detail/assignment.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten::detail {

/// For reference component r (row) and model component s (column): the score of the pair, and 1
/// where their columns point opposite ways in some mode.
struct ScorePairs {
  GainMatrix score;
  GainMatrix flipped;
};

/// Magnitudes of the weights that the components have when their columns are scaled to unit length.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<double> normalized_weights(
    const Exec& exec, const Ktensor<Scalar, Exec>& model,
    const std::vector<std::vector<double>>& norms) {
  std::vector<double> weights = host_weights(exec, model);
  for (const auto& mode_norms : norms) {
    for (std::size_t r = 0; r < weights.size(); ++r) weights[r] *= mode_norms[r];
  }
  for (double& weight : weights) weight = std::abs(weight);
  return weights;
}

/// 1 - |a - b| / max(a, b) of nonnegative weights; equal weights, zero ones too, give 1.
[[nodiscard]] inline double weight_agreement(double a, double b) {
  return a == b ? 1.0 : 1.0 - std::abs(a - b) / std::max(a, b);
}

template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ScorePairs score_pairs(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                     const Ktensor<Scalar, Exec>& reference, bool weight_penalty) {
  const std::size_t rows = reference.rank(), columns = model.rank();
  ScorePairs pairs{GainMatrix(rows, columns), GainMatrix(rows, columns)};
  const auto model_norms = column_norms(exec, model.factors(), NormKind::two);
  const auto reference_norms = column_norms(exec, reference.factors(), NormKind::two);
  const auto model_weights = normalized_weights(exec, model, model_norms);
  const auto reference_weights = normalized_weights(exec, reference, reference_norms);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t s = 0; s < columns; ++s) {
      pairs.score(r, s) =
          weight_penalty ? weight_agreement(reference_weights[r], model_weights[s]) : 1.0;
    }
  }
  for (std::size_t n = 0; n < model_norms.size(); ++n) {
    const auto gram = cross_gram(exec, reference.factors()[n], model.factors()[n]);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t s = 0; s < columns; ++s) {
        const double a = reference_norms[n][r], b = model_norms[n][s];
        const double cosine = a > 0.0 && b > 0.0 ? std::clamp(gram(r, s) / a / b, -1.0, 1.0) : 0.0;
        pairs.score(r, s) *= std::abs(cosine);
        if (cosine < 0.0) pairs.flipped(r, s) = 1.0;
      }
    }
  }
  return pairs;
}

/// Appends the components below `rank` that a matching leaves out, in order.
inline void append_unmatched(std::vector<std::size_t>& permutation, std::size_t rank) {
  std::vector<bool> matched(rank, false);
  for (const std::size_t r : permutation) matched[r] = true;
  for (std::size_t r = 0; r < rank; ++r) {
    if (!matched[r]) permutation.push_back(r);
  }
}

}  // namespace genten::detail
