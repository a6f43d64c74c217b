// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CompletionSolver: what SeveralStarts wants to know of tensor completion. `Rows` says how rows
/// are updated.

#include <genten/cp/detail/completion/completion_step.hpp>
#include <genten/cp/detail/several_starts.hpp>

#include <algorithm>
#include <memory>
#include <optional>

namespace genten::detail {

/// What a call of cp_completion is about; null: none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct CompletionCall {
  const Sptensor<Scalar, Ordinal, Exec>& tensor;
  const Sptensor<Scalar, Ordinal, Exec>* missing = nullptr;
  const Ktensor<Scalar, Exec>* guess = nullptr;
  const Checkpoint<Ktensor<Scalar, Exec>>* checkpoint = nullptr;
  const CpCompletionOptions& options;
  const KtensorObserver<Scalar, Exec>& observer;

  [[nodiscard]] std::size_t rank() const { return guess == nullptr ? options.rank : guess->rank(); }
  [[nodiscard]] CompletionShape shape(const Exec& exec) const {
    const bool lists = missing != nullptr;
    const auto facts_of = [&](const auto& entries) {
      return entries.facts().distinct ? entries.facts() : look_at_order(exec, entries.subscripts());
    };
    const SptensorFacts facts = facts_of(tensor);
    return {.dimensions = tensor.dimensions(),
            .nnz = tensor.nnz(),
            .missing = lists ? missing->nnz() : offset_t{-1},
            .to_sort = !facts.distinct && !facts.sorted,
            .is_sorted = lists && facts_of(*missing).sorted,
            .rank = rank(),
            .from_guess = guess != nullptr,
            .resumed = checkpoint != nullptr};
  }
  /// Rows that factors are stored with, at most.
  [[nodiscard]] std::vector<std::size_t> most_rows() const {
    std::vector<std::size_t> rows = tensor.dimensions();
    if (missing != nullptr) return rows;
    for (std::size_t& length : rows) {
      length = std::min(length, static_cast<std::size_t>(tensor.nnz()));
    }
    return rows;
  }
  /// What tells the tensor, its duplicates added up, from others.
  [[nodiscard]] TensorFingerprint fingerprint(const Exec& exec) const {
    return TensorFingerprint::of(exec, sum_duplicates(exec, tensor).tensor);
  }
  void check() const;
};

template <RealScalar S, SubscriptOrdinal Ordinal, ExecutionSpace E, class Rows>
class CompletionSolver : public SolverOfStarts<S, E> {
 public:
  using Base = SolverOfStarts<S, E>;
  using typename Base::Exec;
  using typename Base::Model;
  using typename Base::Scalar;
  using Step = CompletionStep<Scalar, Ordinal, Exec, Rows>;
  using Reached = CompletionReached;
  using State = CompletionState<Scalar>;
  using Problem = CompletionProblem<Scalar, Ordinal, Exec>;
  static constexpr const char* finish_phase = "arrange";

  CompletionSolver(const Exec& exec, Problem& problem,
                   const CompletionCall<Scalar, Ordinal, Exec>& call)
      : Base(exec), m_problem(problem), m_call(call) {}

  [[nodiscard]] std::size_t starts() const { return options().starts; }
  [[nodiscard]] const auto& dimensions() const { return m_problem.dimensions; }
  [[nodiscard]] std::size_t rank() const { return m_call.rank(); }
  /// Of the starts that are done.
  [[nodiscard]] std::size_t rank_deficient_solves() const { return m_deficient; }
  /// Those of starts that were done before a checkpoint.
  void count_rank_deficient_solves(std::size_t before) { m_deficient += before; }

  /// The ridge of the problem that starts share is the live one's.
  [[nodiscard]] static constexpr std::size_t places() { return 1; }
  [[nodiscard]] std::unique_ptr<Step> make_step() const {
    static_assert(places() == 1, "starts that are live at once want a ridge each");
    return std::make_unique<Step>(this->exec(), m_problem, options(), rank());
  }
  void start_random(Step& step, std::size_t number) const {
    step.start_random(options().seed + number);
  }
  [[nodiscard]] auto criteria(const Step& step) const {
    // Residuals of single entries keep their digits; the difference of sums over all entries does
    // not.
    const double epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
    const double rounding = m_problem.missing ? 32.0 * epsilon : 16.0 * epsilon * epsilon;
    // Of the step's numbers, which are in the range of double at any scale of the tensor.
    const auto converged = [&step, rounding, tolerance = options().tolerance](const RunState&) {
      return step.has_converged(tolerance, rounding) ? std::optional(StopReason::converged)
                                                     : std::nullopt;
    };
    return first_of(NonFinite{}, HoldoutPatience{has_holdout() ? options().patience : 0, 1e-4},
                    converged, TimeLimit{options().time_limit},
                    IterationLimit{options().max_iterations});
  }
  [[nodiscard]] Reached reached(Step& step, const RunState&, StopReason reason) {
    step.measure_guess();
    m_deficient += step.rank_deficient_solves();
    Reached reached = step.reached();
    reached.stop_reason = reason;
    return reached;
  }
  [[nodiscard]] StartRecord record(const RunState& run, const Reached& reached) const {
    return {options().seed + run.start, reached.outcome.fit, reached.outcome.objective,
            run.history.size(),         reached.stop_reason, reached.outcome.holdout_rmse};
  }
  /// A guess is the better the better it fits, too, but no start without an iteration takes the
  /// place of one with some.
  [[nodiscard]] bool is_better(const Reached& reached, const Reached& best) const {
    if ((reached.iteration == 0) != (best.iteration == 0)) return reached.iteration != 0;
    if (has_holdout()) return is_lower(reached.outcome.holdout_rmse, best.outcome.holdout_rmse);
    // Each has the ridge that it has ended with.
    const double ridge = std::min(reached.ridge, best.ridge);
    return is_lower(reached.objective_with(ridge), best.objective_with(ridge));
  }
  [[nodiscard]] Reached standing(const Step& step, const RunState& /*run*/) const {
    return step.reached();
  }
  [[nodiscard]] Model keep(std::unique_ptr<Step> step) const { return step->model(); }

  [[nodiscard]] State state() {
    if (!m_fingerprint) {
      m_fingerprint = m_call.fingerprint(this->exec());
      if (m_problem.missing) m_missing = TensorFingerprint::of(this->exec(), *m_problem.missing);
    }
    CompletionTask task{.options = options(),
                        .kernel = m_problem.plan ? std::string(m_problem.plan->kernel()) : "",
                        .tensor = *m_fingerprint,
                        .missing = m_missing,
                        .rank_deficient_solves = m_deficient};
    task.options.rank = rank();
    return {std::move(task)};
  }

 private:
  [[nodiscard]] const CpCompletionOptions& options() const { return m_call.options; }
  [[nodiscard]] bool has_holdout() const { return m_problem.held_out.nnz() != 0; }

  Problem& m_problem;
  const CompletionCall<Scalar, Ordinal, Exec>& m_call;
  std::size_t m_deficient = 0;
  std::optional<TensorFingerprint> m_fingerprint, m_missing;  ///< found when they are first wanted
};

}  // namespace genten::detail
