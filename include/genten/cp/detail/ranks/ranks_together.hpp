// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How the ranks of a run decide what no numbers of the model decide: by rank 0.

#include <genten/base/error.hpp>
#include <genten/cp/exchange.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/stop.hpp>

#include <exception>

namespace genten::detail {

/// The reason that a criterion of rank 0 gives, on all ranks: clocks differ. Without ranks the
/// criterion itself.
template <class Ranks, StopCriterion Criterion>
struct SameForAll {
  Ranks* ranks = nullptr;
  Criterion criterion;

  std::optional<StopReason> operator()(const RunState& state) const {
    const std::optional<StopReason> own = criterion(state);
    if (ranks == nullptr) return own;
    double reason = own ? static_cast<double>(*own) : -1.0;
    ranks->take_first({&reason, 1});
    if (reason < 0.0) return std::nullopt;
    return static_cast<StopReason>(static_cast<int>(reason));
  }
};

/// What rank 0 tells the others while its observer looks at an iteration.
enum class ObserverSays { proceed, stop, make_model, failed };

/// The observer of rank 0 as all ranks call it: what it wants holds for all, and those that have
/// none help to make the model that it asks for.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] KtensorObserver<Scalar, Exec> observed_by_first(
    Exchange<Scalar, Exec>& ranks, const KtensorObserver<Scalar, Exec>& observer) {
  const auto say = [&ranks](ObserverSays what) {
    auto word = static_cast<double>(what);
    ranks.take_first({&word, 1});
    return static_cast<ObserverSays>(static_cast<int>(word));
  };
  if (ranks.rank() != 0) {
    return [say](const KtensorIteration<Scalar, Exec>& seen) {
      ObserverSays heard = say(ObserverSays::proceed);
      for (; heard == ObserverSays::make_model; heard = say(ObserverSays::proceed)) {
        static_cast<void>(seen.model());
      }
      if (heard == ObserverSays::failed) {
        throw Error(Error::Kind::runtime, "cp_als: the observer of rank 0 has failed");
      }
      return heard == ObserverSays::stop ? ObserverAction::stop : ObserverAction::proceed;
    };
  }
  return [say, &observer](const KtensorIteration<Scalar, Exec>& seen) {
    KtensorIteration<Scalar, Exec> iteration = seen;
    iteration.model = [say, &seen] {
      say(ObserverSays::make_model);
      return seen.model();
    };
    ObserverAction action = ObserverAction::proceed;
    try {
      if (observer) action = observer(iteration);
    } catch (...) {
      say(ObserverSays::failed);
      throw;
    }
    say(action == ObserverAction::stop ? ObserverSays::stop : ObserverSays::proceed);
    return action;
  };
}

}  // namespace genten::detail
