// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Norms of a model's components, and the cosines between them: what says whether components can be
/// read one by one.

#include <genten/core/ktensor.hpp>

#include <cstddef>
#include <vector>

namespace genten {

/// The components of a model as tensors of rank one.
struct ComponentFacts {
  std::vector<double> norms;  ///< |weight| times the norms of the columns; R of them
  /// R x R by rows: the cosine between two components as tensors, with the signs of their weights.
  /// 1: the same but for their norms; -1: they cancel each other. Ones on the diagonal; a component
  /// that is zero has cosine 0 with every other. Congruence in the sense of Tucker (1951).
  std::vector<double> congruence;
  /// Of one factor.
  struct OfMode {
    std::size_t length = 0;
    std::vector<double> cosines = {};  ///< R x R, between its columns; of zero ones 0
    /// The part of a column's sum of squares that its largest element has; empty on processes.
    std::vector<double> peaks = {};
  };
  std::vector<OfMode> modes = {};

  [[nodiscard]] double cosine(std::size_t r, std::size_t q) const {
    return congruence[r * norms.size() + q];
  }
};

/// The components of a model, by the Gram matrices of its factors: O(R^2) for each of their rows.
/// Numbers that are not finite give NaN. On hosts results have the same bits for every number of
/// threads.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] ComponentFacts component_facts(const Exec& exec, const Ktensor<Scalar, Exec>& model);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/compare/components_impl.hpp>
#endif
