// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/cp/detail/completion/completion_step.hpp>

#include <algorithm>
#include <memory>

namespace genten {

inline double default_completion_ridge(double tensor_norm, double cells, double all_cells,
                                       int order) {
  if (!(tensor_norm > 0.0) || !(cells > 0.0)) return 0.0;
  const double whole = tensor_norm * std::sqrt(all_cells / cells);
  return 1e-3 * tensor_norm * tensor_norm / std::pow(whole, 2.0 / static_cast<double>(order));
}

namespace detail {

/// What a call of cp_completion is about; null: none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct CompletionCall {
  const Sptensor<Scalar, Ordinal, Exec>& tensor;
  const Sptensor<Scalar, Ordinal, Exec>* missing = nullptr;
  const Ktensor<Scalar, Exec>* guess = nullptr;
  const CpCompletionOptions& options;
  const KtensorObserver<Scalar, Exec>& observer;

  [[nodiscard]] std::size_t rank() const { return guess == nullptr ? options.rank : guess->rank(); }
  [[nodiscard]] CompletionShape shape() const {
    const bool lists = missing != nullptr;
    return {.dimensions = tensor.dimensions(),
            .nnz = tensor.nnz(),
            .missing = lists ? missing->nnz() : offset_t{-1},
            .has_duplicates = !tensor.facts().distinct,
            .is_sorted = lists && missing->facts().sorted,
            .rank = rank(),
            .from_guess = guess != nullptr};
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
  void check() const {
    check_ranges(options);
    if (tensor.order() == 0) {
      throw Error("cp_completion: expected a tensor of order 1 or more, got order 0");
    }
    if (guess != nullptr && (guess->dimensions() != tensor.dimensions() || guess->rank() == 0)) {
      throw Error(
          "cp_completion: expected an initial guess with the tensor's dimensions and at least one "
          "component");
    }
    if (guess != nullptr && options.starts != 1) {
      throw Error("cp_completion: expected one start from a given initial guess, got " +
                  std::to_string(options.starts));
    }
    if (missing == nullptr) return;
    if (missing->dimensions() != tensor.dimensions()) {
      throw Error("cp_completion: expected missing cells with the tensor's dimensions");
    }
    if (options.holdout > 0.0) {
      throw Error(
          "option holdout: cells are held out of those that a tensor lists; where a list of "
          "missing cells is given, all others count");
    }
  }
};

/// Makes the problem.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CompletionProblem<Scalar, Ordinal, Exec> prepare_completion(
    const Exec& exec, const CompletionCall<Scalar, Ordinal, Exec>& call, PhaseTimings& timings) {
  const CpCompletionOptions& options = call.options;
  CompletionProblem<Scalar, Ordinal, Exec> problem;
  problem.dimensions = call.tensor.dimensions();
  const double available = available_to_completion<Exec>(options);
  const CompletionShape shape = call.shape();
  const auto memory_with = [&](const std::vector<std::size_t>& kept) {
    return completion_memory<Scalar, Ordinal, Exec>(shape, kept, options);
  };
  require_completion_memory<Exec>(memory_with(call.most_rows()), shape.rank, available, options);
  const auto distinct =
      timings.time(exec, "merge", [&] { return sum_duplicates(exec, call.tensor).tensor; });
  timings.time(exec, "split", [&] {
    if (call.missing == nullptr) {
      split_listed(exec, distinct, options, problem);
    } else {
      split_missing(exec, distinct, *call.missing, problem);
    }
  });
  timings.time(exec, "norm", [&] {
    take_scale(exec, problem);
    if (!std::isfinite(std::ldexp(problem.norm, problem.exponent))) {
      throw Error(Error::Kind::runtime,
                  "cp_completion: the norm of the tensor is not representable in double");
    }
    if (!(problem.cells > 0.0)) {
      throw Error("cp_completion: expected cells that are not missing, got none");
    }
    set_ridge(problem, options);
  });
  timings.time(exec, "prepare", [&] {
    if (!problem.missing) {
      problem.systems.emplace(exec, problem.tensor, shape.rank);
      return;
    }
    RelabeledTensor<Scalar, Ordinal, Exec> tensor(problem.tensor);
    const MttkrpOptions chosen =
        require_kernel_memory(exec, mttkrp_problem(exec, tensor, shape.rank),
                              memory_with(problem.dimensions), available, options);
    problem.systems.emplace(exec, *problem.missing, shape.rank);
    problem.plan.emplace(exec, std::move(tensor), shape.rank, chosen);
  });
  return problem;
}

/// Empty rows, weights, and what else follows from the model that is returned.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void describe_model(const Exec& exec, const CompletionProblem<Scalar, Ordinal, Exec>& problem,
                    CpCompletionResult<Scalar, Exec>& result) {
  result.tensor_norm = std::ldexp(problem.norm, problem.exponent);
  result.cells = problem.cells;
  result.holdout.cells = problem.held_out.nnz();
  result.rmse = result.residual_norm / std::sqrt(problem.cells);
  result.kernel = "row systems";
  if (problem.plan) result.kernel += ", " + std::string(problem.plan->kernel());
  for (int n = 0; n < problem.order(); ++n) {
    const auto mode = static_cast<std::size_t>(n);
    offset_t used = 0;
    if (problem.missing) {
      used = static_cast<offset_t>(problem.rows(n)) - empty_slices(exec, problem.tensor, n);
    } else {
      used = problem.systems->rows(n);
    }
    result.empty_rows += static_cast<offset_t>(problem.dimensions[mode]) - used;
    result.ridge.push_back(
        std::ldexp(problem.ridge[mode], 2 * problem.exponent - 2 * problem.exponents[mode]));
  }
  const double whole = std::ldexp(problem.whole_norm(), problem.exponent);
  for (const double weight : host_weights(exec, result.model)) {
    const double ratio = whole > 0.0 ? weight / whole : 0.0;
    result.weight_ratio = std::max(result.weight_ratio, ratio);
    result.degenerate_components += ratio > 10.0 ? 1 : 0;
    result.zero_components += weight == 0.0 ? 1 : 0;
  }
  // Of a model whose weights cancel, each is rounded.
  const double rounding = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  const double size = result.tensor_norm * std::max(1.0, result.weight_ratio);
  result.residual_error =
      problem.missing
          ? 16.0 * std::sqrt(std::numeric_limits<double>::epsilon()) * size
          : 2.0 * (static_cast<double>(result.model.rank()) + problem.order()) * rounding * size;
}

/// All starts, of which the best one's result is kept, without what describe_model adds.
template <class Rows, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> run_starts(
    const Exec& exec, CompletionProblem<Scalar, Ordinal, Exec>& problem,
    const CompletionCall<Scalar, Ordinal, Exec>& call, PhaseTimings& timings,
    const Stopwatch& watch) {
  using Step = CompletionStep<Scalar, Ordinal, Exec, Rows>;
  const CpCompletionOptions& options = call.options;
  const bool holdout = problem.held_out.nnz() != 0;
  const double norm = std::ldexp(problem.norm, problem.exponent);
  // Residuals of single cells keep their digits; the difference of sums over all cells does not.
  const double epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());
  const double rounding = problem.missing ? 32.0 * epsilon : 16.0 * epsilon * epsilon;
  CpCompletionResult<Scalar, Exec> best;
  std::vector<StartRecord> records;
  for (std::size_t start = 0; start < options.starts; ++start) {
    auto step = timings.time(exec, "setup", [&] {
      return std::make_unique<Step>(exec, problem, options, call.rank(), call.guess,
                                    options.seed + start);
    });
    RunState state{.start = start, .seconds_before = watch.seconds()};
    const StopReason reason =
        iterate(*step, state,
                first_of(NonFinite{}, HoldoutPatience{holdout ? options.patience : 0, 1e-4},
                         ObjectiveChange{options.tolerance, 0.5 * rounding * norm * norm},
                         TimeLimit{options.time_limit}, IterationLimit{options.max_iterations}),
                timings, call.observer);
    const SweepOutcome& reached = step->reached();
    records.push_back({options.seed + start, reached.fit, reached.objective, state.history.size(),
                       reason, reached.holdout_rmse});
    // Nothing is known of a start without an iteration, and nothing is worse than that.
    const bool is_known = step->reached_iteration() > 0 || start == 0;
    const bool better =
        is_known &&
        (start == 0 || best.returned_iteration == 0 ||
         (holdout ? reached.holdout_rmse < best.holdout.rmse : reached.objective < best.objective));
    best.rank_deficient_solves += step->rank_deficient_solves();
    if (better) {
      best.stop_reason = reason;
      best.iterations = state.history.size();
      best.fit = reached.fit;
      best.residual_norm = reached.residual_norm;
      best.objective = reached.objective;
      best.penalty = step->penalty();
      best.holdout = {reached.holdout_rmse, reached.holdout_mae, 0};
      best.returned_iteration = step->reached_iteration();
      best.history = std::move(state.history);
      best.best_start = start;
      best.model = {};  // before the next takes its memory
      best.model = timings.time(exec, "arrange", [&] { return step->model(); });
    }
    // What ends a run from outside ends the whole search.
    if (reason == StopReason::observer || reason == StopReason::time_limit) break;
  }
  best.starts = std::move(records);
  return best;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> run_completion(
    const Exec& exec, const CompletionCall<Scalar, Ordinal, Exec>& call) {
  call.check();
  return with_memory_errors("cp_completion", [&] {
    const Stopwatch watch;
    PhaseTimings timings{"merge", "split", "norm",      "prepare", "setup",
                         "rows",  "scale", "objective", "loop",    "arrange"};
    auto problem = prepare_completion(exec, call, timings);
    auto result =
        call.missing == nullptr
            ? run_starts<ListedRows<Scalar, Ordinal, Exec>>(exec, problem, call, timings, watch)
            : run_starts<UnlistedRows<Scalar, Ordinal, Exec>>(exec, problem, call, timings, watch);
    timings.time(exec, "arrange", [&] { describe_model(exec, problem, result); });
    result.timings = timings.phases();
    result.timings.push_back({"total", std::max(watch.seconds(), timings.sum())});
    return result;
  });
}

}  // namespace detail

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_completion<Scalar, Ordinal, Exec>(
      exec, {.tensor = tensor, .options = options, .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& guess, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_completion<Scalar, Ordinal, Exec>(
      exec, {.tensor = tensor, .guess = &guess, .options = options, .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_completion<Scalar, Ordinal, Exec>(
      exec, {.tensor = tensor, .missing = &missing, .options = options, .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const Ktensor<Scalar, Exec>& guess,
    const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_completion<Scalar, Ordinal, Exec>(exec, {.tensor = tensor,
                                                              .missing = &missing,
                                                              .guess = &guess,
                                                              .options = options,
                                                              .observer = observer});
}

}  // namespace genten

#define GENTEN_ETI_CP_COMPLETION(PREFIX, SCALAR, ORDINAL, EXEC)                             \
  PREFIX template genten::CpCompletionResult<SCALAR, EXEC>                                  \
  genten::cp_completion<SCALAR, ORDINAL, EXEC>(                                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                          \
      const genten::CpCompletionOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);    \
  PREFIX template genten::CpCompletionResult<SCALAR, EXEC>                                  \
  genten::cp_completion<SCALAR, ORDINAL, EXEC>(                                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                          \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::CpCompletionOptions&,             \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                        \
  PREFIX template genten::CpCompletionResult<SCALAR, EXEC>                                  \
  genten::cp_completion<SCALAR, ORDINAL, EXEC>(                                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                          \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::CpCompletionOptions&,   \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                        \
  PREFIX template genten::CpCompletionResult<SCALAR, EXEC>                                  \
  genten::cp_completion<SCALAR, ORDINAL, EXEC>(                                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                          \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::Ktensor<SCALAR, EXEC>&, \
      const genten::CpCompletionOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CP_COMPLETION, extern)
#endif
