// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Why a loop ends: stop criteria, which look at the state of the loop after every iteration.

#include <genten/base/enum_words.hpp>
#include <genten/cp/run_state.hpp>

#include <cmath>
#include <concepts>
#include <optional>
#include <tuple>

namespace genten {

/// Why a run ended.
enum class StopReason {
  converged,        ///< the fit, or the objective, changed by less than the tolerance
  iteration_limit,  ///< max_iterations were done
  time_limit,       ///< the time limit had passed at the end of an iteration
  observer,         ///< an observer asked for it
  non_finite,       ///< an iteration led to infinities or NaNs and was undone
  no_improvement,   ///< the error over held-out entries has not fallen for some iterations
  stalled           ///< no step lowered the objective any more, before the tolerance was met
};

constexpr auto enum_words(StopReason) {
  return std::array{
      EnumWord("converged", StopReason::converged, "converged"),
      EnumWord("iteration_limit", StopReason::iteration_limit, "iteration limit reached"),
      EnumWord("time_limit", StopReason::time_limit, "time limit reached"),
      EnumWord("observer", StopReason::observer, "interrupted"),
      EnumWord("non_finite", StopReason::non_finite, "non-finite numbers, last iteration undone"),
      EnumWord("no_improvement", StopReason::no_improvement, "held-out error falls no more"),
      EnumWord("stalled", StopReason::stalled, "stalled: no step lowers the objective")};
}

/// Says from the state of a loop, before the first iteration and after every one, whether there is
/// a reason to stop.
template <class Criterion>
concept StopCriterion = requires(const Criterion& criterion, const RunState& state) {
  { criterion(state) } -> std::same_as<std::optional<StopReason>>;
};

/// Stops where the fit is infinite or NaN.
struct NonFinite {
  std::optional<StopReason> operator()(const RunState& state) const {
    if (std::isfinite(state.fit())) return std::nullopt;
    return StopReason::non_finite;
  }
};

/// Stops where the last `window` iterations together have changed the fit by less than `tolerance`;
/// 0: never. The first iteration, which has no fit before it, is no part of a window.
struct FitChange {
  double tolerance = 0.0;
  std::size_t window = 1;

  std::optional<StopReason> operator()(const RunState& state) const {
    const std::size_t done = state.history.size();
    if (done <= window) return std::nullopt;
    const double change = state.fit() - state.history[done - 1 - window].fit;
    if (std::abs(change) < tolerance) return StopReason::converged;
    return std::nullopt;
  }
};

/// Stops where the last `window` iterations together have changed the objective by less than
/// `tolerance` times the objective, or by less than `rounding`, what it is only known to; a
/// tolerance of 0: never. Where the objective, a square, may have left the range of double, at
/// either end, the square of the residual norm stands for it, of which no change is small, too.
struct ObjectiveChange {
  double tolerance = 0.0;
  double rounding = 0.0;
  std::size_t window = 1;

  std::optional<StopReason> operator()(const RunState& state) const {
    const std::size_t done = state.history.size();
    if (tolerance <= 0.0 || done <= window) return std::nullopt;
    const IterationRecord &last = state.history.back(), &before = state.history[done - 1 - window];
    const auto lost = [](double objective) { return objective == 0.0 || std::isinf(objective); };
    bool small = false;
    if (lost(last.objective) && last.objective == before.objective) {
      const double ratio = before.residual_norm / last.residual_norm;
      small =
          before.residual_norm == last.residual_norm || std::abs(1.0 - ratio * ratio) < tolerance;
    } else {
      const double change = std::abs(last.objective - before.objective);
      small = change < tolerance * std::abs(last.objective) || change < rounding;
    }
    return small ? std::optional(StopReason::converged) : std::nullopt;
  }
};

/// Stops where the last iteration began with a KKT violation below `tolerance`; 0: never.
struct KktViolation {
  double tolerance = 0.0;

  std::optional<StopReason> operator()(const RunState& state) const {
    if (state.history.empty() || !(state.history.back().kkt_violation < tolerance)) {
      return std::nullopt;
    }
    return StopReason::converged;
  }
};

/// Stops where the last `patience` iterations have not brought the RMSE over held-out entries below
/// what it was before them, by a part of `least` at least; 0: never.
struct HoldoutPatience {
  std::size_t patience = 0;
  double least = 0.0;

  std::optional<StopReason> operator()(const RunState& state) const {
    if (patience == 0) return std::nullopt;
    double best = std::numeric_limits<double>::infinity();
    std::size_t since = 0;
    for (const IterationRecord& record : state.history) {
      ++since;
      if (!(record.holdout_rmse < (1.0 - least) * best)) continue;
      best = record.holdout_rmse;
      since = 0;
    }
    if (since < patience) return std::nullopt;
    return StopReason::no_improvement;
  }
};

/// Stops after the iteration that ends past so many seconds; 0: never.
struct TimeLimit {
  double seconds = 0.0;

  std::optional<StopReason> operator()(const RunState& state) const {
    if (seconds <= 0.0 || state.history.empty()) return std::nullopt;
    if (state.seconds_before + state.seconds() < seconds) return std::nullopt;
    return StopReason::time_limit;
  }
};

/// Stops when so many iterations are done.
struct IterationLimit {
  std::size_t most = 0;

  std::optional<StopReason> operator()(const RunState& state) const {
    if (state.history.size() < most) return std::nullopt;
    return StopReason::iteration_limit;
  }
};

/// The first reason that several criteria give, in their order.
template <StopCriterion... Criteria>
struct FirstOf {
  std::tuple<Criteria...> criteria;

  std::optional<StopReason> operator()(const RunState& state) const {
    std::optional<StopReason> reason;
    std::apply([&](const auto&... each) { (void)((reason = each(state)).has_value() || ...); },
               criteria);
    return reason;
  }
};

/// FirstOf, its types deduced.
template <StopCriterion... Criteria>
[[nodiscard]] FirstOf<Criteria...> first_of(const Criteria&... criteria) {
  return {{criteria...}};
}

}  // namespace genten
