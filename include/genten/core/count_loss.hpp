// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CountLoss: what is known of the counts that a nonnegative model is the mean of.

#include <genten/base/enum_words.hpp>
#include <genten/core/column_norms.hpp>
#include <genten/core/poisson_terms.hpp>

namespace genten {

/// What a tensor tells of Poisson's counts.
enum class CountLoss {
  poisson,           ///< how many there are
  bernoulli_poisson  ///< whether there are any: 1 or 0
};

constexpr auto enum_words(CountLoss) {
  return std::array{EnumWord("poisson", CountLoss::poisson, "counts, the model being their mean"),
                    EnumWord("bernoulli-poisson", CountLoss::bernoulli_poisson,
                             "0 or 1, 1 standing for a count that is not 0")};
}

namespace detail {

/// The negative derivative, but for what all entries cost, of the loss at an entry x where the
/// model is m > 0: x / m for counts, the expected count over m, 1 / (1 - exp(-m)), for a 1.
[[nodiscard]] KOKKOS_INLINE_FUNCTION double count_slope(CountLoss loss, double x, double m) {
  if (loss == CountLoss::poisson) return x / m;
  return x == 0.0 ? 0.0 : 1.0 + 1.0 / ::expm1(m);
}

/// What a listed entry adds to the sums of a run: half of its deviance, which for 0 and 1 is -log(1
/// - exp(-m)) at a 1.
[[nodiscard]] KOKKOS_INLINE_FUNCTION DevianceSums deviance_of(CountLoss loss, double x, double m) {
  if (loss == CountLoss::poisson || x == 0.0) return DevianceSums::of(x, m);
  return {-::log(-::expm1(-m)), m, m};
}

}  // namespace detail

/// Columns of models of counts add up to one, so that weights are counts, whichever solver made
/// them.
[[nodiscard]] inline NormKind norm_under(std::string_view loss) {
  return from_word<CountLoss>(loss) ? NormKind::one : NormKind::two;
}

}  // namespace genten
