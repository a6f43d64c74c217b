// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsSolver: what SeveralStarts wants to know of CP-ALS. `Rows` is the RowUpdate of every start.

#include <genten/cp/detail/processes/processes_together.hpp>
#include <genten/cp/detail/refine_residual.hpp>
#include <genten/cp/detail/several_starts.hpp>
#include <genten/cp/detail/starts/start_batch.hpp>
#include <genten/mttkrp/published_rates.hpp>

#include <array>
#include <cmath>
#include <memory>
#include <optional>

namespace genten::detail {

template <RealScalar S, SubscriptOrdinal Ordinal, ExecutionSpace E, RowUpdate Rows>
class CpAlsSolver : public SolverOfStarts<S, E> {
 public:
  using Base = SolverOfStarts<S, E>;
  using typename Base::Exec;
  using typename Base::Model;
  using typename Base::Scalar;
  using Step = CpAlsStep<Scalar, Ordinal, Exec, Rows>;
  using Reached = CpAlsReached;
  using State = CpAlsState<Scalar>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;
  /// A step keeps its rows until the plan's memory is free: models of long modes take more.
  struct Kept {
    std::unique_ptr<Step> step;  ///< null where it ended before a checkpoint, which has its model
    Model model;
  };
  static constexpr const char* begin_phase = "gram";
  static constexpr const char* finish_phase = "release";

  /// `tensor` is the one that the problem was made from.
  CpAlsSolver(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Problem& problem,
              const CpAlsOptions& options, PhaseTimings& timings)
      : Base(exec),
        m_tensor(tensor),
        m_problem(problem),
        m_options(options),
        m_timings(timings),
        m_batch(exec, problem) {}

  [[nodiscard]] std::size_t starts() const { return m_options.starts; }
  [[nodiscard]] const auto& dimensions() const { return m_problem.dimensions; }
  [[nodiscard]] std::size_t rank() const { return m_problem.rank; }

  [[nodiscard]] std::size_t places() const { return Batch::possible ? m_problem.batch : 1; }
  /// Two or more by one traversal of the nonzeros.
  void sweep_together(std::span<NextSweep<Step>> sweeps, PhaseTimings& timings) {
    m_batch.resize_for(sweeps.size());
    if (m_batch.places() == 0) return Base::sweep_together(sweeps, timings);
    m_batch.sweep(sweeps, timings);
  }
  void leave(Step& step) { m_batch.remove(step); }

  [[nodiscard]] std::unique_ptr<Step> make_step() const {
    std::unique_ptr<Step> step;
    together([&] {
      // Signs of fixed factors are not changed.
      step = std::make_unique<Step>(this->exec(), m_problem, m_options.fixed_modes.empty());
    });
    return step;
  }
  void start_random(Step& step, std::size_t number) const {
    step.start_random(m_options.seed + number, m_options.init);
  }
  void begun(PhaseTimings& timings) {
    m_problem.processes.exchange().add_times(timings);
    m_problem.processes.agree();
  }
  template <class Body>
  void together(const Body& body) const {
    m_problem.processes.together(body);
  }
  [[nodiscard]] Observer<Model> observed(const Observer<Model>& observer) const {
    const auto& processes = m_problem.processes;
    return processes.are_distributed() ? observed_by_first(processes.exchange(), observer)
                                       : observer;
  }

  [[nodiscard]] auto criteria(const Step& /*step*/) const {
    const std::size_t most = m_problem.updates.empty() ? 0 : m_options.max_iterations;
    // A fit ignores penalties.
    const bool constrained = !m_problem.constraints.empty();
    const double rounding = std::ldexp(m_problem.rounding(), 2 * m_problem.exponent);
    // Of accelerated sweeps some are taken back.
    const std::size_t window = m_problem.is_accelerated ? acceleration_window : 1;
    using Agreed = Processes<Scalar, Ordinal, Exec>;
    const AgreedStop<Agreed> interrupted{&m_problem.processes, &Agreed::interrupted,
                                         StopReason::observer};
    // By the clock of the process that has reached its limit first.
    const AgreedStop<Agreed> late{&m_problem.processes, &Agreed::time_is_up,
                                  StopReason::time_limit};
    return first_of(NonFinite{}, interrupted,
                    FitChange{constrained ? 0.0 : m_options.tolerance, window},
                    ObjectiveChange{constrained ? m_options.tolerance : 0.0, rounding, window},
                    late, IterationLimit{most});
  }

  /// The residual as the last iteration gave it; of several starts, which are compared by it, with
  /// digits in it. A single one waits for its model.
  [[nodiscard]] Reached reached(Step& step, const RunState& run, StopReason reason) {
    m_timings.time("release", [&] { step.end_momentum(); });
    m_sweeps += step.sweeps();
    Reached reached = standing(step, run);
    reached.stop_reason = reason;
    reached.rank_deficient_solves = step.rank_deficient_solves();
    reached.momentum_restarts = step.momentum_restarts();
    reached.penalty = step.penalty();
    reached.tensor_norm = std::ldexp(m_problem.tensor_norm, m_problem.exponent);
    if constexpr (std::is_same_v<Scalar, double>) {
      if (!run.history.empty()) reached.residual_error = error_of(step, reached.residual_norm);
    }
    const bool is_compared = m_options.starts > 1 && !m_problem.processes.are_distributed();
    if (is_compared && !reached.residual_is_certain()) {
      m_timings.time(this->exec(), "inner_product", [&] {
        refine_residual(this->exec(), m_tensor, m_problem, step.model(), reached);
      });
    }
    return reached;
  }
  [[nodiscard]] Reached standing(const Step& /*step*/, const RunState& run) const {
    Reached reached;
    reached.iterations = run.history.size();
    if (run.history.empty()) return reached;
    const IterationRecord& last = run.history.back();
    reached.fit = last.fit;
    reached.residual_norm = last.residual_norm;
    reached.objective = last.objective;
    reached.kkt_violation = last.kkt_violation;
    return reached;
  }
  [[nodiscard]] StartRecord record(const RunState& run, const Reached& reached) const {
    return {m_options.seed + run.start, reached.fit, reached.objective, run.history.size(),
            reached.stop_reason};
  }
  /// Nothing is better than what is not a number.
  [[nodiscard]] bool is_better(const Reached& reached, const Reached& best) const {
    if (m_problem.constraints.empty()) return is_lower(-reached.fit, -best.fit);
    return is_lower(reached.objective, best.objective);
  }

  [[nodiscard]] Kept keep(std::unique_ptr<Step> step) const { return {std::move(step), {}}; }
  [[nodiscard]] Kept kept(Model model) const { return {nullptr, std::move(model)}; }
  [[nodiscard]] Model model_of(const Kept& kept) const {
    return kept.step == nullptr ? kept.model : kept.step->model();
  }
  /// The same, whose factors are used up.
  [[nodiscard]] Model take_model(Kept& kept) const {
    return kept.step == nullptr ? kept.model : kept.step->take_model();
  }
  /// The same of several processes, whose own rows it gives to each.
  [[nodiscard]] ModelPart<Scalar, Exec> take_part(Kept& kept) const {
    if (kept.step != nullptr) return kept.step->take_part();
    return part_of_first(this->exec(), m_problem.dimensions, m_problem.rank, kept.model,
                         m_problem.processes.exchange());
  }

  [[nodiscard]] State state() {
    if (!m_fingerprint) m_fingerprint = m_problem.processes.fingerprint(this->exec(), m_tensor);
    CpAlsTask task{.options = m_options,
                   .kernel = std::string(m_problem.plan->kernel()),
                   .counts_tuples = m_problem.counts_tuples,
                   .updates = m_problem.updates,
                   .tensor = *m_fingerprint};
    task.options.rank = m_problem.rank;
    return {std::move(task)};
  }

  /// By the published formulas, over all starts, of which all have ended.
  [[nodiscard]] PublishedRates rates(double seconds_of_mttkrp) const {
    const auto calls = static_cast<double>(m_sweeps * m_problem.updates.size());
    const PublishedRates rates =
        published_rates(m_problem.plan->problem(), calls, seconds_of_mttkrp);
    std::array<double, 2> of_all = {rates.gflops, rates.gbytes};
    m_problem.processes.exchange().combine(of_all, {});
    return {of_all[0], of_all[1]};
  }

 private:
  using Batch = StartBatch<Scalar, Ordinal, Exec, Rows>;

  /// The most by which rounding may have changed a residual norm of sums in double.
  [[nodiscard]] double error_of(const Step& step, double residual_norm) const {
    const double size = m_problem.tensor_norm + step.component_norms();
    const double part = std::ldexp(residual_norm, -m_problem.exponent) / size;
    const double error = size > 0.0 ? size * residual_error(part, double_sums_error) : 0.0;
    return std::ldexp(error, m_problem.exponent);
  }

  const Sptensor<Scalar, Ordinal, Exec>& m_tensor;
  Problem& m_problem;
  const CpAlsOptions& m_options;
  PhaseTimings& m_timings;
  Batch m_batch;
  std::size_t m_sweeps = 0;                        ///< of all starts of this call that have ended
  std::optional<TensorFingerprint> m_fingerprint;  ///< found when it is first wanted
};

}  // namespace genten::detail
