// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAprSolver: what SeveralStarts wants to know of CP-APR.

#include <genten/cp/detail/apr/cp_apr_step.hpp>
#include <genten/cp/detail/several_starts.hpp>

#include <memory>
#include <optional>

namespace genten::detail {

template <RealScalar S, SubscriptOrdinal Ordinal, ExecutionSpace E>
class CpAprSolver : public SolverOfStarts<S, E> {
 public:
  using Base = SolverOfStarts<S, E>;
  using typename Base::Exec;
  using typename Base::Model;
  using typename Base::Scalar;
  using Step = CpAprStep<Scalar, Ordinal, Exec>;
  using Reached = AprReached;
  using State = CpAprState<Scalar>;
  using Problem = CpAprProblem<Scalar, Ordinal, Exec>;
  static constexpr const char* finish_phase = "release";

  /// `tensor` is the one that the problem was made from.
  CpAprSolver(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Problem& problem,
              const CpAprOptions& options)
      : Base(exec), m_tensor(tensor), m_problem(problem), m_options(options) {}

  [[nodiscard]] std::size_t starts() const { return m_options.starts; }
  [[nodiscard]] const auto& dimensions() const { return m_problem.tensor.dimensions(); }
  [[nodiscard]] std::size_t rank() const { return m_options.rank; }

  [[nodiscard]] std::unique_ptr<Step> make_step() const {
    return std::make_unique<Step>(this->exec(), m_problem, m_options);
  }
  void start_random(Step& step, std::size_t number) const {
    step.start_random(m_options.seed + number);
  }
  [[nodiscard]] auto criteria(const Step& /*step*/) const {
    return first_of(NonFinite{}, KktViolation{m_options.tolerance}, TimeLimit{m_options.time_limit},
                    IterationLimit{m_options.max_iterations});
  }
  [[nodiscard]] Reached reached(const Step& step, const RunState& run, StopReason reason) const {
    return {reason, step.reached(run), step.deviance(), step.inner_iterations(),
            step.lifted_zeros()};
  }
  [[nodiscard]] StartRecord record(const RunState& run, const Reached& reached) const {
    return {m_options.seed + run.start, reached.outcome.fit, reached.outcome.objective,
            run.history.size(), reached.stop_reason};
  }
  /// Nothing is better than what is not a number.
  [[nodiscard]] bool is_better(const Reached& reached, const Reached& best) const {
    return is_lower(reached.deviance, best.deviance);
  }
  [[nodiscard]] Reached standing(const Step& step, const RunState& /*run*/) const {
    return {.deviance = step.deviance()};
  }
  [[nodiscard]] Model keep(std::unique_ptr<Step> step) const { return step->take_model(); }

  [[nodiscard]] State state() {
    if (!m_fingerprint) m_fingerprint = TensorFingerprint::of(this->exec(), m_tensor);
    return {CpAprTask{.options = m_options,
                      .loss = m_options.loss,
                      .kernel = m_problem.plan ? std::string(m_problem.plan->kernel()) : "",
                      .tensor = *m_fingerprint}};
  }

 private:
  const Sptensor<Scalar, Ordinal, Exec>& m_tensor;
  Problem& m_problem;
  const CpAprOptions& m_options;
  std::optional<TensorFingerprint> m_fingerprint;  ///< found when it is first wanted
};

}  // namespace genten::detail
