// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The list of losses. A new loss is one header and one line here: AnyLoss, tests and help iterate
/// the list, and nothing else names a loss. What a loss must offer is the concept LossFunction.

#include <genten/base/detail/backend.hpp>
#include <genten/cp/losses/bernoulli_logit.hpp>
#include <genten/cp/losses/bernoulli_odds.hpp>
#include <genten/cp/losses/bernoulli_poisson.hpp>
#include <genten/cp/losses/beta.hpp>
#include <genten/cp/losses/gamma.hpp>
#include <genten/cp/losses/gaussian.hpp>
#include <genten/cp/losses/huber.hpp>
#include <genten/cp/losses/negative_binomial.hpp>
#include <genten/cp/losses/poisson.hpp>
#include <genten/cp/losses/poisson_log.hpp>
#include <genten/cp/losses/rayleigh.hpp>
#include <genten/cp/losses/weighted.hpp>

#include <vector>

namespace genten {

/// A list of losses, each of which is checked when compiled.
template <class... Losses>
struct LossTypes : private CheckedLoss<Losses>... {
  /// Calls `visit.template operator()<L>()` for each loss, in order.
  template <class Visitor>
  static constexpr void for_each(Visitor&& visit) {
    (visit.template operator()<Losses>(), ...);
  }
  /// The place of a loss in the list; -1 for others.
  template <class L>
  [[nodiscard]] static constexpr int index_of() {
    int index = -1, at = 0;
    ((std::is_same_v<L, Losses> ? void(index = at++) : void(++at)), ...);
    return index;
  }
  /// call(loss) for the loss at that place, with that parameter; 0 where there is none.
  GENTEN_CALLS_ARGUMENT
  template <class Call>
  KOKKOS_INLINE_FUNCTION static double call(int index, double parameter, const Call& call) {
    double result = 0.0;
    int at = 0;
    // Compilers make a jump of it. As every entry of a run takes the same way, it is predicted.
    ((index == at++ ? void(result = call(make<Losses>(parameter))) : void()), ...);
    return result;
  }

 private:
  template <class L>
  KOKKOS_INLINE_FUNCTION static L make(double parameter) {
    if constexpr (loss_requirements::HasParameter<L>) {
      return L{parameter};
    } else {
      return L{};
    }
  }
};

/// All losses, in the order in which help and reports name them.
using LossList = LossTypes<    //
    losses::Gaussian,          //
    losses::Weighted,          //
    losses::Huber,             //
    losses::Poisson,           //
    losses::PoissonLog,        //
    losses::NegativeBinomial,  //
    losses::BernoulliOdds,     //
    losses::BernoulliLogit,    //
    losses::BernoulliPoisson,  //
    losses::Gamma,             //
    losses::Rayleigh,          //
    losses::Beta>;

}  // namespace genten
