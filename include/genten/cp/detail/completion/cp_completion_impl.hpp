// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/cp/detail/check_checkpoint.hpp>
#include <genten/cp/detail/completion/completion_solver.hpp>
#include <genten/cp/detail/nonzeros_left.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <optional>

namespace genten {

namespace detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CompletionCall<Scalar, Ordinal, Exec>::check() const {
  check_ranges(options);
  if (tensor.order() == 0) {
    throw Error::in("cp_completion", "expected a tensor of order 1 or more, got order 0");
  }
  if (guess != nullptr && (guess->dimensions() != tensor.dimensions() || guess->rank() == 0)) {
    throw Error::in("cp_completion",
                    "expected an initial guess with the tensor's dimensions and at least one "
                    "component")
        .as(Error::Code::guess);
  }
  if (guess != nullptr && options.starts != 1) {
    throw Error::in("cp_completion", "expected one start from a given initial guess, got " +
                                         std::to_string(options.starts))
        .as(Error::Code::guess);
  }
  if (missing == nullptr) return;
  if (missing->dimensions() != tensor.dimensions()) {
    throw Error::in("cp_completion", "expected missing entries with the tensor's dimensions");
  }
  if (options.holdout > 0.0) {
    throw Error::of_option("holdout",
                           "entries are held out of those that a tensor lists; where a list of "
                           "missing entries is given, all others count");
  }
}

/// Makes the problem.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CompletionProblem<Scalar, Ordinal, Exec> prepare_completion(
    const Exec& exec, const CompletionCall<Scalar, Ordinal, Exec>& call,
    const CompletionState<Scalar>* resumed, PhaseTimings& timings) {
  CpCompletionOptions options = call.options;
  if (resumed != nullptr && call.missing != nullptr) options.mttkrp.kernel = resumed->task.kernel;
  CompletionProblem<Scalar, Ordinal, Exec> problem;
  problem.dimensions = call.tensor.dimensions();
  const double available = available_to_completion<Exec>(options);
  CompletionShape shape = call.shape(exec);
  shape.scales = completion_exponent<Scalar>(max_abs(exec, call.tensor), options) != 0;
  const auto memory_with = [&](const std::vector<std::size_t>& kept) {
    return completion_memory<Scalar, Ordinal, Exec>(shape, kept, options);
  };
  require_completion_memory<Exec>(memory_with(call.most_rows()), shape.rank, available, options);
  const auto distinct =
      timings.time(exec, "merge", [&] { return sum_duplicates(exec, call.tensor).tensor; });
  shape.merged = distinct.values().data() != call.tensor.values().data();
  if (shape.merged) {
    require_completion_memory<Exec>(memory_with(call.most_rows()), shape.rank, available, options);
  }
  timings.time(exec, "split", [&] {
    if (resumed != nullptr)
      check_same_tensor(resumed->task.tensor, TensorFingerprint::of(exec, distinct));
    if (call.missing == nullptr) {
      split_listed(exec, distinct, options, problem);
    } else {
      split_missing(exec, distinct, *call.missing, problem);
    }
    if (resumed != nullptr && problem.missing &&
        *resumed->task.missing != TensorFingerprint::of(exec, *problem.missing)) {
      throw Error("the checkpoint is of another list of missing entries")
          .as(Error::Code::checkpoint);
    }
  });
  timings.time(exec, "norm", [&] {
    take_scale(exec, options, problem);
    if (!std::isfinite(std::ldexp(problem.norm, problem.exponent))) {
      throw Error::in("cp_completion", Error::Kind::runtime,
                      "the norm of the tensor is not representable in double");
    }
    if (!(problem.entries > 0.0)) {
      throw Error::in("cp_completion", "expected entries that are not missing, got none");
    }
    if (call.missing != nullptr) require_nonzeros_left(exec, distinct, problem.norm);
    set_ridge(exec, problem, options);
    set_constraints(problem, options);
  });
  timings.time(exec, "prepare", [&] {
    if (!problem.missing) {
      problem.systems.emplace(exec, problem.tensor, shape.rank);
      check_rows_without_entries(problem);
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
                    const CpCompletionOptions& options, CpCompletionResult<Scalar, Exec>& result) {
  result.tensor_norm = std::ldexp(problem.norm, problem.exponent);
  result.entries = problem.entries;
  result.holdout.entries = problem.held_out.nnz();
  result.rmse = result.residual_norm / std::sqrt(problem.entries);
  result.kernel = "per-row normal equations";
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
    // A default is the same for all modes, as which those for equal parts of the scale are told.
    result.ridge.push_back(
        options.ridge.empty()
            ? WideNumber(problem.ridge[mode] * std::exp2(-2.0 * problem.exponent / problem.order()),
                         2 * problem.exponent)
                  .value()
            : std::ldexp(problem.ridge[mode], 2 * problem.exponent - 2 * problem.exponents[mode]));
  }
  const double whole = std::ldexp(problem.whole_norm(), problem.exponent);
  const std::vector<double> weights = host_weights(exec, result.model);
  std::vector<double> sizes = weights;
  if (!bounds_allow_scaling(problem.constraints)) {  // columns are not of norm one
    for (const auto& factor : result.model.factors()) {
      const auto norms = column_norms(exec, factor, NormKind::two);
      for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] *= norms[r];
    }
  }
  for (std::size_t r = 0; r < weights.size(); ++r) {
    const double ratio = whole > 0.0 ? sizes[r] / whole : 0.0;
    result.weight_ratio = std::max(result.weight_ratio, ratio);
    result.zero_components += weights[r] == 0.0 ? 1 : 0;
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
    const CompletionCall<Scalar, Ordinal, Exec>& call,
    std::optional<CompletionState<Scalar>> resumed, PhaseTimings& timings, const Stopwatch& watch) {
  CompletionSolver<Scalar, Ordinal, Exec, Rows> solver(exec, problem, call);
  SeveralStarts starts(solver, call.observer, timings, watch);
  if (resumed) {
    solver.count_rank_deficient_solves(resumed->task.rank_deficient_solves);
    starts.resume(std::move(*resumed), call.checkpoint->model);
  } else {
    starts.run(call.guess);
  }
  auto& best = starts.best();
  CpCompletionResult<Scalar, Exec> result;
  const SweepOutcome& outcome = best.reached.outcome;
  result.model = best.model;
  result.stop_reason = best.reached.stop_reason;
  result.iterations = best.run.history.size();
  result.fit = outcome.fit;
  result.residual_norm = outcome.residual_norm;
  result.objective = outcome.objective;
  result.kkt_violation = outcome.kkt_violation;
  result.penalty = best.reached.penalty;
  result.holdout = {outcome.holdout_rmse, outcome.holdout_mae, 0};
  result.returned_iteration = best.reached.iteration;
  if (problem.first_ridge > 0.0) problem.take_ridge(best.reached.ridge);
  result.history = std::move(best.run.history);
  result.best_start = best.run.start;
  result.starts = starts.records();
  result.rank_deficient_solves = solver.rank_deficient_solves();
  return result;
}

/// What a checkpoint says. Throws Error for one that is of another run.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::optional<CompletionState<Scalar>> resumed_state(
    const CompletionCall<Scalar, Ordinal, Exec>& call) {
  if (call.checkpoint == nullptr) return std::nullopt;
  auto state = read_state<CompletionState<Scalar>>(call.checkpoint->state);
  check_same_run("cp_completion", state, call.checkpoint->model, call.options);
  if (state.task.missing.has_value() != (call.missing != nullptr)) {
    throw Error(
        state.task.missing
            ? "the checkpoint is of a run with a list of missing entries"
            : "the checkpoint is of a run in which all entries that are not listed are missing")
        .as(Error::Code::checkpoint);
  }
  return state;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires std::same_as<Ordinal, RowNumber>
[[nodiscard]] CpCompletionResult<Scalar, Exec> run_completion(
    const Exec& exec, const CompletionCall<Scalar, Ordinal, Exec>& call) {
  call.check();
  return with_memory_errors("cp_completion", [&] {
    const Stopwatch watch;
    PhaseTimings timings{"merge", "split", "norm",      "prepare", "setup",
                         "rows",  "scale", "objective", "loop",    "arrange"};
    auto resumed = resumed_state(call);
    auto problem = prepare_completion(exec, call, resumed ? &*resumed : nullptr, timings);
    const auto run_with = [&]<class Rows>(std::type_identity<Rows>) {
      return run_starts<Rows>(exec, problem, call, std::move(resumed), timings, watch);
    };
    auto result = call.missing == nullptr
                      ? run_with(std::type_identity<ListedRows<Scalar, Ordinal, Exec>>())
                      : run_with(std::type_identity<UnlistedRows<Scalar, Ordinal, Exec>>());
    timings.time(exec, "arrange", [&] { describe_model(exec, problem, call.options, result); });
    result.timings = timings.phases();
    result.timings.push_back({"total", std::max(watch.seconds(), timings.sum())});
    return result;
  });
}

/// The same of subscripts of 64 bits.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires(!std::same_as<Ordinal, RowNumber>)
    [[nodiscard]] CpCompletionResult<Scalar, Exec> run_completion(
        const Exec& exec, const CompletionCall<Scalar, Ordinal, Exec>& call) {
  call.check();
  return with_memory_errors("cp_completion", [&] {
    const auto numbered = [&](const auto& entries) {
      return with_row_numbers(exec, entries, "cp_completion");
    };
    const auto tensor = numbered(call.tensor);
    std::optional<Sptensor<Scalar, RowNumber, Exec>> missing;
    if (call.missing != nullptr) missing = numbered(*call.missing);
    return run_completion<Scalar, RowNumber, Exec>(exec, {.tensor = tensor,
                                                          .missing = missing ? &*missing : nullptr,
                                                          .guess = call.guess,
                                                          .checkpoint = call.checkpoint,
                                                          .options = call.options,
                                                          .observer = call.observer});
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

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_completion<Scalar, Ordinal, Exec>(
      exec,
      {.tensor = tensor, .checkpoint = &checkpoint, .options = options, .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_completion<Scalar, Ordinal, Exec>(exec, {.tensor = tensor,
                                                              .missing = &missing,
                                                              .checkpoint = &checkpoint,
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
      const genten::CpCompletionOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);    \
  PREFIX template genten::CpCompletionResult<SCALAR, EXEC>                                  \
  genten::cp_completion<SCALAR, ORDINAL, EXEC>(                                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                          \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&,                             \
      const genten::CpCompletionOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);    \
  PREFIX template genten::CpCompletionResult<SCALAR, EXEC>                                  \
  genten::cp_completion<SCALAR, ORDINAL, EXEC>(                                             \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                          \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                                       \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&,                             \
      const genten::CpCompletionOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CP_COMPLETION, extern)
#endif
