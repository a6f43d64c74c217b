// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAprSolver and CpAprStarts: CP-APR from one or several initial guesses.

#include <genten/cp/detail/apr/cp_apr_step.hpp>

#include <memory>
#include <optional>

namespace genten::detail {

/// What SeveralStarts wants to know of CP-APR.
template <RealScalar S, SubscriptOrdinal Ordinal, ExecutionSpace E>
class CpAprSolver {
 public:
  using Scalar = S;
  using Exec = E;
  using Model = Ktensor<Scalar, Exec>;
  using Step = CpAprStep<Scalar, Ordinal, Exec>;
  using Reached = AprReached;
  using State = CpAprState<Scalar>;
  using Problem = CpAprProblem<Scalar, Ordinal, Exec>;
  static constexpr const char* finish_phase = "release";

  /// `tensor` is the one that the problem was made from.
  CpAprSolver(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Problem& problem,
              const CpAprOptions& options)
      : m_exec(exec), m_tensor(tensor), m_problem(problem), m_options(options) {}

  [[nodiscard]] const Exec& exec() const { return m_exec; }
  [[nodiscard]] std::size_t starts() const { return m_options.starts; }
  [[nodiscard]] const auto& dimensions() const { return m_problem.tensor.dimensions(); }
  [[nodiscard]] std::size_t rank() const { return m_options.rank; }
  [[nodiscard]] const Problem& problem() const { return m_problem; }

  [[nodiscard]] std::unique_ptr<Step> make_step() const {
    return std::make_unique<Step>(m_exec, m_problem, m_options);
  }
  void start_random(Step& step, std::size_t number) const {
    step.start_random(m_options.seed + number);
  }
  [[nodiscard]] auto criteria() const {
    return first_of(NonFinite{}, KktViolation{m_options.tolerance}, TimeLimit{m_options.time_limit},
                    IterationLimit{m_options.max_iterations});
  }
  [[nodiscard]] Reached reached(const Step& step, const RunState& run, StopReason reason) const {
    return {reason, step.reached(run), step.deviance(), step.inner_iterations()};
  }
  [[nodiscard]] StartRecord record(const RunState& run, const Reached& reached) const {
    return {m_options.seed + run.start, reached.outcome.fit, reached.outcome.objective,
            run.history.size(), reached.stop_reason};
  }
  /// Nothing is better than what is not a number.
  [[nodiscard]] bool is_better(const Reached& reached, const Reached& best) const {
    return reached.deviance < best.deviance;
  }
  [[nodiscard]] bool stays_best(const Reached& best, const Step& step, const RunState&) const {
    return best.deviance <= step.deviance();
  }
  [[nodiscard]] Model take_model(Step& step) const { return step.take_model(); }

  [[nodiscard]] State state(const Step& step, const RunState& run) {
    if (!m_fingerprint) m_fingerprint = TensorFingerprint::of(m_exec, m_tensor);
    return {.options = m_options,
            .loss = m_options.loss,
            .kernel = m_problem.plan ? std::string(m_problem.plan->kernel()) : "",
            .tensor = *m_fingerprint,
            .starts = {},
            .best = {},
            .run = run,
            .step = step.save()};
  }

 private:
  Exec m_exec;
  const Sptensor<Scalar, Ordinal, Exec>& m_tensor;
  Problem& m_problem;
  const CpAprOptions& m_options;
  std::optional<TensorFingerprint> m_fingerprint;  ///< found when it is first wanted
};

/// CP-APR from one or several initial guesses, of which the best is kept.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
class CpAprStarts {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Solver = CpAprSolver<Scalar, Ordinal, Exec>;

  CpAprStarts(Solver& solver, const Observer<Model>& observer)
      : m_solver(solver), m_starts(solver, observer) {}

  /// Iterates from the guess or, without one, from as many random ones as the options say. `watch`
  /// has run since the call began.
  void run(const Model* guess, PhaseTimings& timings, const Stopwatch& watch) {
    m_starts.run(timings, watch, [&](auto& step) {
      if (guess != nullptr) step.start_from(*guess);
      return guess != nullptr;
    });
  }
  /// The same from where a checkpoint stands, whose model is `model`.
  void resume(CpAprState<Scalar> state, const Model& model, PhaseTimings& timings,
              const Stopwatch& watch) {
    m_starts.resume(std::move(state), model, timings, watch);
  }

  /// All but what concerns the whole call. The best start's model is used up.
  [[nodiscard]] CpAprResult<Scalar, Exec> take_result() {
    CpAprResult<Scalar, Exec> result;
    auto& best = m_starts.best();
    const auto& problem = m_solver.problem();
    const SweepOutcome& outcome = best.reached.outcome;
    result.model = best.model;
    result.stop_reason = best.reached.stop_reason;
    result.history = std::move(best.run.history);
    result.iterations = result.history.size();
    result.fit = outcome.fit;
    result.residual_norm = outcome.residual_norm;
    result.objective = outcome.objective;
    result.kkt_violation = outcome.kkt_violation;
    result.tensor_norm = std::ldexp(problem.norm, problem.exponent);
    result.residual_error =
        16.0 * std::sqrt(std::numeric_limits<double>::epsilon()) * result.tensor_norm;
    result.deviance = best.reached.deviance;
    result.inner_iterations = best.reached.inner_iterations;
    result.starts = m_starts.records();
    result.best_start = best.run.start;
    result.steps = problem.newton ? CountSteps::newton : CountSteps::multiplicative;
    result.kernel = problem.newton ? "per-row normal equations" : problem.plan->kernel();
    return result;
  }

 private:
  Solver& m_solver;
  SeveralStarts<Solver> m_starts;
};

}  // namespace genten::detail
