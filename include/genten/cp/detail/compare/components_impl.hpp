// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/core/weights.hpp>
#include <genten/cp/components.hpp>
#include <genten/cp/detail/compare/column_cosines.hpp>
#include <genten/dense/factor_grams.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace genten {

namespace detail {

/// Whether squares of norms on the diagonal have their digits.
[[nodiscard]] inline bool is_ordinary(const HostMatrix& gram) {
  for (std::size_t r = 0; r < gram.extent(0); ++r) {
    if (!(gram(r, r) > 1e-30 && gram(r, r) < 1e30)) return false;
  }
  return true;
}

}  // namespace detail

template <RealScalar Scalar, ExecutionSpace Exec>
ComponentFacts component_facts(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  const std::vector<double> weights = host_weights(exec, model);
  const std::size_t rank = weights.size();
  std::vector<detail::WideNumber> norms;
  ComponentFacts facts;
  facts.congruence.resize(rank * rank);
  for (std::size_t r = 0; r < rank; ++r) {
    norms.emplace_back(std::abs(weights[r]));
    for (std::size_t q = 0; q < rank; ++q) {
      const double product = std::copysign(1.0, weights[r]) * std::copysign(1.0, weights[q]);
      facts.congruence[r * rank + q] = weights[r] == 0.0 || weights[q] == 0.0 ? 0.0 : product;
    }
  }
  std::size_t most_rows = 0;
  for (const auto& factor : model.factors()) most_rows = std::max(most_rows, factor.rows());
  std::optional<FactorGrams<Scalar, Exec>> grams;
  for (const auto& factor : model.factors()) {
    auto& mode = facts.modes.emplace_back();
    mode.length = factor.rows();
    mode.cosines.resize(rank * rank);
    mode.peaks = column_norms(exec, factor, NormKind::inf);
    const auto add = [&](const auto& of_columns, const auto& cosine) {
      for (std::size_t r = 0; r < rank; ++r) {
        norms[r] *= of_columns(r);
        mode.peaks[r] = of_columns(r) > 0.0 ? std::pow(mode.peaks[r] / of_columns(r), 2) : 0.0;
        for (std::size_t q = 0; q < rank; ++q) {
          mode.cosines[r * rank + q] = cosine(r, q);
          facts.congruence[r * rank + q] *= cosine(r, q);
        }
      }
    };
    if (FactorGrams<Scalar, Exec>::takes(factor)) {
      if (!grams) grams.emplace(rank, most_rows);
      if (const HostMatrix gram = grams->of(exec, factor); detail::is_ordinary(gram)) {
        add([&](std::size_t r) { return std::sqrt(gram(r, r)); },
            [&](std::size_t r, std::size_t q) {
              return std::clamp(gram(r, q) / std::sqrt(gram(r, r) * gram(q, q)), -1.0, 1.0);
            });
        continue;
      }
    }
    const auto of_columns = column_norms(exec, factor, NormKind::two);
    const auto cosines = detail::column_cosines(exec, factor, of_columns, factor, of_columns);
    add([&](std::size_t r) { return of_columns[r]; }, cosines);
  }
  for (std::size_t r = 0; r < rank; ++r) {
    facts.norms.push_back(norms[r].value());
    facts.congruence[r * rank + r] = 1.0;
  }
  return facts;
}

}  // namespace genten

#define GENTEN_ETI_COMPONENTS(PREFIX, SCALAR, EXEC)               \
  PREFIX template genten::ComponentFacts genten::component_facts( \
      const EXEC&, const genten::Ktensor<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_COMPONENTS, extern)
#endif
