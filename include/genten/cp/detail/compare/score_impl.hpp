// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parts of the factor match score.

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/same_dimensions.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/ktensor_ops.hpp>
#include <genten/core/weights.hpp>
#include <genten/cp/detail/compare/assignment.hpp>
#include <genten/cp/detail/compare/column_cosines.hpp>
#include <genten/cp/score.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace genten::detail {

/// For reference component r (row) and model component s (column): the score of the pair, with and
/// without the weight penalty, and 1 where their columns point opposite ways in some mode.
struct ScorePairs {
  GainMatrix score;
  GainMatrix congruence;
  GainMatrix flipped;
};

/// Magnitudes of the weights that the components have when their columns are scaled to unit length.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::vector<WideNumber> normalized_weights(
    const Exec& exec, const Ktensor<Scalar, Exec>& model,
    const std::vector<std::vector<double>>& norms) {
  std::vector<WideNumber> weights;
  for (const double weight : host_weights(exec, model)) weights.emplace_back(std::abs(weight));
  for (const auto& mode_norms : norms) {
    for (std::size_t r = 0; r < weights.size(); ++r) weights[r] *= mode_norms[r];
  }
  return weights;
}

/// 1 - |a - b| / max(a, b) of nonnegative weights; equal weights, zero ones too, give 1.
[[nodiscard]] inline double weight_agreement(const WideNumber& a, const WideNumber& b) {
  // Zeros have no exponent of their own.
  const int common = a.fraction == 0.0   ? b.exponent
                     : b.fraction == 0.0 ? a.exponent
                                         : std::max(a.exponent, b.exponent);
  const double x = a.over_power(common), y = b.over_power(common);
  return x == y ? 1.0 : 1.0 - std::abs(x - y) / std::max(x, y);
}

/// Throws Error for a model with numbers that are not finite.
template <RealScalar Scalar, ExecutionSpace Exec>
void require_finite(const Exec& exec, const char* what, const Ktensor<Scalar, Exec>& model,
                    const std::vector<std::vector<double>>& norms) {
  const std::vector<double> weights = host_weights(exec, model);
  for (std::size_t r = 0; r < weights.size(); ++r) {
    const bool finite = std::isfinite(weights[r]) &&
                        std::all_of(norms.begin(), norms.end(),
                                    [r](const auto& of_mode) { return std::isfinite(of_mode[r]); });
    if (finite) continue;
    throw Error::in("score", "expected finite numbers, component " + error_text::number(r) +
                                 " of the " + what + " has others");
  }
}

template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ScorePairs score_pairs(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                     const Ktensor<Scalar, Exec>& reference, bool weight_penalty) {
  const std::size_t rows = reference.rank(), columns = model.rank();
  // Scores, signs, inner products and cosines, and the work of the matching.
  require_memory({.what = "the score of " + std::to_string(columns) + " components beside " +
                          std::to_string(rows),
                  .parts = {{"pairs", 6.0 * sizeof(double) * static_cast<double>(rows) *
                                          static_cast<double>(columns)}},
                  .available = available_memory<HostExec>()});
  ScorePairs pairs{GainMatrix(rows, columns), GainMatrix(rows, columns), GainMatrix(rows, columns)};
  const auto model_norms = column_norms(exec, model.factors(), NormKind::two);
  const auto reference_norms = column_norms(exec, reference.factors(), NormKind::two);
  require_finite(exec, "model", model, model_norms);
  require_finite(exec, "reference", reference, reference_norms);
  const auto model_weights = normalized_weights(exec, model, model_norms);
  const auto reference_weights = normalized_weights(exec, reference, reference_norms);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t s = 0; s < columns; ++s) {
      pairs.score(r, s) =
          weight_penalty ? weight_agreement(reference_weights[r], model_weights[s]) : 1.0;
      pairs.congruence(r, s) = 1.0;
    }
  }
  for (std::size_t n = 0; n < model_norms.size(); ++n) {
    const GainMatrix cosines = column_cosines(exec, reference.factors()[n], reference_norms[n],
                                              model.factors()[n], model_norms[n]);
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t s = 0; s < columns; ++s) {
        pairs.score(r, s) *= std::abs(cosines(r, s));
        pairs.congruence(r, s) *= std::abs(cosines(r, s));
        if (cosines(r, s) < 0.0) pairs.flipped(r, s) = 1.0;
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

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
ScoreResult score(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                  const Ktensor<Scalar, Exec>& reference, const ScoreOptions& options) {
  detail::check_same_dimensions("score", reference.dimensions(), model.dimensions());
  if (model.rank() < reference.rank()) {
    throw Error::in("score", "expected a model of at least the reference's " +
                                 std::to_string(reference.rank()) + " components, got " +
                                 std::to_string(model.rank()))
        .as(Error::Code::too_few_components);
  }
  const auto pairs = detail::score_pairs(exec, model, reference, options.weight_penalty);
  ScoreResult result;
  if (reference.rank() == 0) return result;
  result.permutation = options.greedy ? detail::greedy_assignment(pairs.score)
                                      : detail::best_assignment(pairs.score);
  for (std::size_t r = 0; r < reference.rank(); ++r) {
    const std::size_t match = result.permutation[r];
    result.component_scores.push_back(pairs.score(r, match));
    result.component_congruences.push_back(pairs.congruence(r, match));
    result.flipped.push_back(pairs.flipped(r, match) != 0.0);
    result.score += pairs.score(r, match) / static_cast<double>(reference.rank());
    result.signs_flipped = result.signs_flipped || result.flipped.back();
  }
  detail::append_unmatched(result.permutation, model.rank());
  return result;
}

}  // namespace genten

#define GENTEN_ETI_SCORE(PREFIX, SCALAR, EXEC)                                                 \
  PREFIX template genten::ScoreResult genten::score(                                           \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&, const genten::Ktensor<SCALAR, EXEC>&, \
      const genten::ScoreOptions&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_SCORE, extern)
#endif
