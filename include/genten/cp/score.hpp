// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Factor match score: how alike two CP models are, whatever the order of their components.

#include <genten/core/ktensor.hpp>

#include <string>
#include <vector>

namespace genten {

/// What a score takes into account, and how components are matched.
struct ScoreOptions {
  /// Multiply each component's score by 1 - |l1 - l2| / max(l1, l2), l1 and l2 being the weights
  /// of the normalized components.
  bool weight_penalty = true;
  /// Match greedily, best pair first, instead of by the best sum of scores.
  bool greedy = false;
};

/// How alike two models are.
struct ScoreResult {
  /// Mean of `component_scores`: 1 for equal models.
  double score = 0.0;
  /// For each component of the reference, the score of its match.
  std::vector<double> component_scores;
  /// Likewise, of the same matches, without the weight penalty.
  std::vector<double> component_congruences;
  /// permutation[r] is the model's component that matches component r of the reference; components
  /// of the model that match none follow. `arrange` applies it to the model.
  std::vector<std::size_t> permutation;
  /// For each component of the reference, whether columns of the match point the other way in any
  /// mode.
  std::vector<bool> flipped;
  /// Whether any is.
  bool signs_flipped = false;
};

/// The score of `model` against `reference`, as the Tensor Toolboxes define it: both are taken with
/// columns of unit 2-norm and weights made positive; a pair of components scores the product over
/// modes of the absolute cosines between their columns, times the weight penalty; components are
/// matched one to one; the score is the mean over the reference's components.
///
/// So signs do not count: a component with one column turned round scores 1, although it is the
/// opposite rank-one tensor. `flipped` tells where columns point opposite ways. A column of zeros
/// has cosine 0 with every other.
///
/// The model may have more components than the reference: those that match none do not count. It
/// must not have fewer, and dimensions must agree: otherwise throws Error. Neither model is
/// changed. Matching takes O(R^3) time, greedily O(R^2 log R).
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ScoreResult score(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                const Ktensor<Scalar, Exec>& reference,
                                const ScoreOptions& options = {});

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/compare/score_impl.hpp>
#endif
