// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Error bars of a run by run_cp.

#include <genten/base/memory.hpp>
#include <genten/core/count_loss.hpp>
#include <genten/cp/run_state.hpp>
#include <genten/run/detail/solve_cp.hpp>
#include <genten/run/detail/starts.hpp>

#include <algorithm>

namespace genten::detail {

/// The entries in the types of a run.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Sptensor<Scalar, Ordinal, Exec> tensor_of(const Exec& exec,
                                                        const FittedEntries& entries,
                                                        const std::vector<RowNumber>& subscripts,
                                                        const std::vector<double>& values) {
  const std::vector<Ordinal> wide(subscripts.begin(), subscripts.end());
  const std::vector<Scalar> narrow(values.begin(), values.end());
  return Sptensor<Scalar, Ordinal, Exec>::from_host(exec, entries.dimensions, wide, narrow);
}

/// The model in the types of a run.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> model_of(const HostModel& model) {
  const Ktensor<Scalar, HostExec> to(HostExec(), model.dimensions(), model.rank());
  for (std::size_t r = 0; r < model.rank(); ++r) {
    to.weights()(r) = static_cast<Scalar>(model.weights()(r));
    for (int n = 0; n < model.order(); ++n) {
      for (std::size_t i = 0; i < model.factor(n).rows(); ++i) {
        to.factor(n)(i, r) = static_cast<Scalar>(model.factor(n)(i, r));
      }
    }
  }
  return clone_to<Exec>(to);
}

/// The request of a refit: the same problem from a guess, whatever else the run did. Tolerances are
/// of an iteration's gain: beginning near the minimum, refits would stop before they reach it.
[[nodiscard]] inline CpRequest request_of_refit(const CpRequest& request) {
  CpRequest refit = request;
  refit.asked = request.solver();
  refit.trust = {};
  refit.gcp.holdout = refit.completion.holdout = 0.0;
  CpRequest::for_each_solver(refit, [](Solver, auto& options) {
    options.starts = 1;
    options.time_limit = 0.0;
    options.tolerance = std::min(options.tolerance, 1e-7);
    options.max_iterations = std::max<std::size_t>(options.max_iterations, 1000);
  });
  return refit;
}

/// Whether error bars are to end before they are made, and by what.
class TrustLimit {
 public:
  TrustLimit(double seconds, const InterruptCheck& interrupted)
      : m_seconds(seconds), m_interrupted(interrupted) {}

  [[nodiscard]] std::optional<StopReason> reached() const {
    if (m_interrupted && m_interrupted()) return StopReason::observer;
    if (m_seconds > 0.0 && m_watch.seconds() > m_seconds) return StopReason::time_limit;
    return std::nullopt;
  }

 private:
  const Stopwatch m_watch;
  double m_seconds;
  const InterruptCheck& m_interrupted;
};

/// Adds the error bars that the request wants of a run, or those refits that are made until the
/// limit is reached.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void add_error_bars(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                    const std::optional<Sptensor<Scalar, Ordinal, Exec>>& missing,
                    const CpRequest& request, const TrustLimit& limit, CpRun<Scalar, Exec>& run) {
  const TrustOptions& asked = request.trust;
  const auto order = static_cast<std::size_t>(tensor.order());
  const RunSettings settings = run_settings(request, order);
  std::vector<double> ridge;
  std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.ridge; }) ridge = own.ridge;
      },
      run.own);
  Fitted fitted{host_model(run.model),
                fitted_entries(exec, tensor, missing, settings.unlisted_are_missing),
                request.any_loss(),
                ridge_of_sum(request, ridge, order),
                {},
                std::vector<bool>(order, false),
                norm_under(request.loss)};
  for (const RowConstraint& each : settings.constraints) {
    fitted.nonnegative.push_back(each.lower == 0.0);
  }
  for (const int mode : settings.fixed_modes) fitted.fixed[static_cast<std::size_t>(mode)] = true;
  if (asked.standard_errors) run.trust.standard_errors = standard_errors(fitted);
  if (asked.bootstrap == 0) return;
  const CpRequest refit = request_of_refit(request);
  const int mode = asked.bootstrap_mode.empty() ? -1 : asked.bootstrap_mode.front();
  std::optional<StopReason> stopped;
  const auto fit = [&](const FittedEntries& entries,
                       const HostModel& guess) -> std::optional<HostModel> {
    if ((stopped = limit.reached())) return std::nullopt;
    std::optional<Sptensor<Scalar, Ordinal, Exec>> left_out;
    if (!entries.missing.empty()) {
      const std::vector<double> ones(entries.missing.size() / order, 1.0);
      left_out = tensor_of<Scalar, Ordinal>(exec, entries, entries.missing, ones);
    }
    const Beginning<Scalar, Exec> from{model_of<Scalar, Exec>(guess)};
    const auto drawn =
        tensor_of<Scalar, Ordinal>(exec, entries, entries.subscripts, entries.values);
    const KtensorObserver<Scalar, Exec> observer = [&](const KtensorIteration<Scalar, Exec>& last) {
      // A refit that is done counts.
      if (last.ends && *last.ends != StopReason::observer) return ObserverAction::proceed;
      stopped = limit.reached();
      return stopped ? ObserverAction::stop : ObserverAction::proceed;
    };
    const auto found = solve_cp(exec, drawn, left_out, refit, from, observer);
    if (stopped) return std::nullopt;
    return host_model(found.model);
  };
  run.trust.bootstrap = bootstrap(fitted, asked.bootstrap, mode, request.common().seed, fit);
  run.trust.bootstrap->stopped = stopped;
}

/// Sets how often components are found: in starts as given, and in refits.
inline void set_stability(RunTrust& trust, std::vector<ComponentStability> starts) {
  trust.stability = std::move(starts);
  if (!trust.bootstrap || trust.bootstrap->refits == 0) return;
  const auto& found = trust.bootstrap->found;
  trust.stability.resize(found.size());
  for (std::size_t r = 0; r < found.size(); ++r) trust.stability[r].refits = found[r];
}

/// Makes a run, and then its error bars. `solve(observer)` runs the solver.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Solve>
[[nodiscard]] CpRun<Scalar, Exec> run_with_error_bars(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const std::optional<Sptensor<Scalar, Ordinal, Exec>>& missing, const CpRequest& request,
    const KtensorObserver<Scalar, Exec>& observer, const InterruptCheck& interrupted,
    const Solve& solve) {
  check_trust(request, tensor.dimensions(), tensor.nnz());
  const CpAlsOptions common = request.common();
  const TrustLimit limit(common.time_limit, interrupted);
  StartModels<Scalar, Exec> starts;
  const bool keeps =
      common.starts > 1 && starts.memory(tensor.dimensions(), common.rank, common.starts) <
                               available_memory<HostExec>() / 4.0;
  CpRun<Scalar, Exec> run = solve(keeps ? starts.before(observer) : observer);
  const Stopwatch watch;
  const bool asked = request.trust.standard_errors || request.trust.bootstrap != 0;
  const StopReason stopped = run.figures.stop_reason;
  if (asked && stopped != StopReason::observer && stopped != StopReason::non_finite) {
    add_error_bars(exec, tensor, missing, request, limit, run);
  }
  set_stability(run.trust, starts.stability(run.model, starts_at_best(run.figures, request)));
  if (!asked && !keeps) return run;
  auto& timings = run.figures.timings;
  const double seconds = watch.seconds();
  timings.back().seconds += seconds;
  timings.insert(timings.end() - 1, {"error_bars", seconds});
  return run;
}

}  // namespace genten::detail
