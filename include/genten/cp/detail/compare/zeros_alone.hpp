// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Sums of a model's values over zeros alone, where those at ones are many times as large.

#include <genten/base/detail/even_chunks.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/detail/compare/double_double.hpp>
#include <genten/cp/losses/loss_function.hpp>

#include <cstddef>
#include <vector>

namespace genten::detail {

/// Whether values at ones may grow without end while f(0, m) is a multiple of m: with elements of
/// 1e8 and more a sum over all entries has too few digits for what is left of it at the zeros.
[[nodiscard]] inline bool grows_beyond_zeros(const LossFacts& facts) {
  return facts.grows_on_ones && facts.zero_terms &&
         *facts.zero_terms == ZeroTerms{.linear = facts.zero_terms->linear};
}

/// The sum of the model's values over all entries but those of the lists, which have none in common
/// (null: no list), for a model that is not negative: with twice the digits of a double.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] double sum_beyond(const Exec& exec, const Ktensor<Scalar, Exec>& model,
                                const std::vector<const Sptensor<Scalar, Ordinal, Exec>*>& lists) {
  const auto order = static_cast<std::size_t>(model.order());
  double terms = 0.0;
  DoubleDouble all;
  for (std::size_t r = 0; r < model.rank(); ++r) {
    DoubleDouble product(static_cast<double>(model.weights()(r)));
    for (const auto& factor : model.factors()) {
      DoubleDouble sum;
      for (std::size_t i = 0; i < factor.rows(); ++i) sum += static_cast<double>(factor(i, r));
      product *= sum;
      terms += static_cast<double>(factor.rows());
    }
    all += product;
  }
  DoubleDouble rest = all;
  for (const auto* const list : lists) {
    if (list == nullptr) continue;
    const auto count = static_cast<std::size_t>(list->nnz());
    const EvenChunks chunks(count, 512, 8192);
    std::vector<DoubleDouble> partial(chunks.count());
    const auto subscripts = list->subscripts();
    for_each_index("genten::sum_beyond", exec, chunks.count(), [&](std::size_t chunk) {
      for (auto p = chunks.begin(chunk); p < chunks.end(chunk); ++p) {
        for (std::size_t r = 0; r < model.rank(); ++r) {
          DoubleDouble product(static_cast<double>(model.weights()(r)));
          for (std::size_t n = 0; n < order; ++n) {
            product *= static_cast<double>(model.factors()[n](subscripts(p, n), r));
          }
          partial[chunk] += product;
        }
      }
    });
    for (const DoubleDouble& each : partial) rest = rest - each;
    terms += static_cast<double>(count);
  }
  return rest.high > DoubleDouble::epsilon * terms * all.high ? rest.high : 0.0;
}

}  // namespace genten::detail
