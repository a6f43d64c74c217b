// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsStarts: CP-ALS from one or several initial guesses, of which the best is kept.

#include <genten/cp/detail/cp_als_step.hpp>
#include <genten/cp/detail/refine_residual.hpp>
#include <genten/cp/result.hpp>
#include <genten/mttkrp/published_rates.hpp>

#include <cmath>
#include <memory>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class CpAlsStarts {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;

  /// `tensor` is the one that the problem was made from.
  CpAlsStarts(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Problem& problem,
              const CpAlsOptions& options, const Observer<Model>& observer)
      : m_exec(exec),
        m_tensor(tensor),
        m_problem(problem),
        m_options(options),
        m_observer(observer) {}

  /// Iterates from the guess or, without one, from as many random ones as the options say. `watch`
  /// has run since the call began.
  void run(const Model* guess, PhaseTimings& timings, const Stopwatch& watch) {
    for (std::size_t start = 0; start < m_options.starts; ++start) {
      auto next = timings.time(m_exec, "setup", [&] { return make_start(start); });
      timings.time(m_exec, "gram", [&] { initialize(*next, guess); });
      next->state.seconds_before = watch.seconds();
      const StopReason reason = iterate(next->step, next->state, criteria(), timings, m_observer);
      next->result = reached(next->state, reason);
      // Starts are compared by residuals with digits in them; a single one waits for its model.
      if (m_options.starts > 1) {
        timings.time(m_exec, "inner_product", [&] { refine(*next); });
      }
      m_records.push_back(
          {m_options.seed + start, next->result.fit, next->state.history.size(), reason});
      timings.time("release", [&] { keep_better(std::move(next)); });
      // What ends a run from outside ends the whole search.
      if (reason == StopReason::observer || reason == StopReason::time_limit) break;
    }
  }

  /// All but the model and what concerns the whole call. The plan must still be there.
  [[nodiscard]] CpAlsResult<Scalar, Exec> result(const PhaseTimings& timings) const {
    CpAlsResult<Scalar, Exec> result = m_best->result;
    result.history = m_best->state.history;
    result.starts = m_records;
    result.best_start = m_best->state.start;
    result.rank_deficient_solves = m_best->step.rank_deficient_solves();
    result.kernel = m_problem.plan->kernel();
    result.kernel_description = m_problem.plan->describe();
    result.kernel_choice = m_problem.plan->choice();
    add_rates(result, timings.seconds("mttkrp"));
    return result;
  }

  /// The best start's model, whose factors are used up.
  [[nodiscard]] Model take_model() {
    return m_best->step.take_model(m_best->result.stop_reason != StopReason::non_finite);
  }

 private:
  struct Start {
    CpAlsStep<Scalar, Ordinal, Exec, LeastSquaresUpdate<Scalar, Exec>> step;
    RunState state{};
    CpAlsResult<Scalar, Exec> result{};  ///< what it has reached; no model, no history
  };

  [[nodiscard]] CpAlsResult<Scalar, Exec> reached(const RunState& state, StopReason reason) const {
    CpAlsResult<Scalar, Exec> result;
    result.stop_reason = reason;
    result.iterations = state.history.size();
    result.fit = state.fit();
    if (!state.history.empty()) result.residual_norm = state.history.back().residual_norm;
    result.tensor_norm = std::ldexp(m_problem.tensor_norm, m_problem.exponent);
    return result;
  }
  void refine(Start& start) const {
    const double limit = extended_residual_below<Scalar> * m_problem.tensor_norm;
    if (start.result.stop_reason == StopReason::non_finite) return;
    if (start.result.residual_norm > limit) return;
    refine_residual(m_exec, m_tensor, m_problem, start.step.model(), start.result);
  }

  [[nodiscard]] std::unique_ptr<Start> make_start(std::size_t number) const {
    // Signs of the caller's factors are the caller's.
    const bool fix_signs = m_options.fixed_modes.empty();
    return std::unique_ptr<Start>(new Start{{m_exec, m_problem, fix_signs}, {.start = number}});
  }
  void initialize(Start& start, const Model* guess) const {
    if (guess != nullptr) {
      start.step.start_from(*guess);
    } else {
      start.step.start_random(m_options.seed + start.state.start, m_options.init);
    }
  }
  [[nodiscard]] auto criteria() const {
    const std::size_t most = m_problem.updates.empty() ? 0 : m_options.max_iterations;
    return first_of(NonFinite{}, FitChange{m_options.tolerance}, TimeLimit{m_options.time_limit},
                    IterationLimit{most});
  }
  void keep_better(std::unique_ptr<Start> next) {
    const bool better =
        !m_best || !std::isfinite(m_best->result.fit) || next->result.fit > m_best->result.fit;
    if (better) m_best = std::move(next);
  }
  /// The published formulas, over all starts.
  void add_rates(CpAlsResult<Scalar, Exec>& result, double seconds) const {
    double calls = 0.0;
    for (const StartRecord& record : m_records) {
      calls += static_cast<double>(record.iterations * m_problem.updates.size());
    }
    const PublishedRates rates = published_rates(m_problem.plan->problem(), calls, seconds);
    result.mttkrp_gflops = rates.gflops;
    result.mttkrp_gbytes = rates.gbytes;
  }

  Exec m_exec;
  const Sptensor<Scalar, Ordinal, Exec>& m_tensor;
  Problem& m_problem;
  const CpAlsOptions& m_options;
  const Observer<Model>& m_observer;
  std::unique_ptr<Start> m_best;
  std::vector<StartRecord> m_records;
};

}  // namespace genten::detail
