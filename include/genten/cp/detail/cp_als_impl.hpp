// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/cp_als.hpp>
#include <genten/cp/detail/check_checkpoint.hpp>
#include <genten/cp/detail/cp_als_solver.hpp>
#include <genten/cp/detail/processes/state_of_all.hpp>

#include <algorithm>
#include <memory>

namespace genten::detail {

/// What a run begins at: random factors, a guess, or where a checkpoint stands.
template <RealScalar Scalar, ExecutionSpace Exec>
struct RunOrigin {
  std::size_t rank = 0;
  const Ktensor<Scalar, Exec>* guess = nullptr;        ///< of the caller
  CpAlsState<Scalar>* saved = nullptr;                 ///< of a checkpoint; it is moved from
  const Ktensor<Scalar, Exec>* saved_model = nullptr;  ///< of the same checkpoint
};

/// Throws Error for a guess that is none for such a tensor, or not the only start.
template <RealScalar Scalar, ExecutionSpace Exec>
void check_guess(const Ktensor<Scalar, Exec>& guess, const std::vector<std::size_t>& dimensions,
                 const CpAlsOptions& options) {
  if (options.starts != 1) {
    throw Error::in("cp_als", "expected one start from a given initial guess, got " +
                                  std::to_string(options.starts))
        .as(Error::Code::guess);
  }
  if (guess.dimensions() != dimensions || guess.rank() == 0) {
    throw Error::in("cp_als",
                    "expected an initial guess with the tensor's dimensions and at least one "
                    "component")
        .as(Error::Code::guess);
  }
}

/// The state of a checkpoint. Throws Error where it is of another solver or of other options.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsState<Scalar> checked_state(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint,
                                               const CpAlsOptions& options) {
  auto state = read_state<CpAlsState<Scalar>>(checkpoint.state);
  check_same_run("cp_als", state, checkpoint.model, options);
  return state;
}

/// The modes in the order in which the run that is resumed has updated them. Throws Error where
/// they are not those of `updates`.
[[nodiscard]] inline std::vector<int> updates_as_before(const CpAlsTask& before,
                                                        const std::vector<int>& updates) {
  if (std::is_permutation(before.updates.begin(), before.updates.end(), updates.begin(),
                          updates.end())) {
    return before.updates;
  }
  throw Error::in("cp_als",
                  "the order of updates of the checkpoint is not one of its tensor's modes")
      .as(Error::Code::checkpoint);
}

/// A model without factors: what each of several processes has beside its rows.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> weights_alone(const Exec& exec,
                                                  const ModelPart<Scalar, Exec>& part) {
  using Model = Ktensor<Scalar, Exec>;
  const Model model(typename Model::weights_view("genten::weights", part.rank()), {});
  set_weights(exec, model, std::vector<double>(part.weights.begin(), part.weights.end()));
  return model;
}

/// The part of a process with row numbers of its own of 32 bits. All processes call it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] TensorPart<Scalar, RowNumber, Exec> with_row_numbers(
    const Exec& exec, const TensorPart<Scalar, Ordinal, Exec>& part,
    Exchange<Scalar, Exec>& processes) {
  TensorPart<Scalar, RowNumber, Exec> numbered{
      {}, part.dimensions, part.rows, part.gathered_rows, part.fingerprint};
  processes.together(
      [&] { numbered.tensor = genten::with_row_numbers(exec, part.tensor, "cp_als"); });
  return numbered;
}

/// Hands the plan on to the next run, where there may be one, if it may stay.
template <RealScalar Scalar, ExecutionSpace Exec>
void release_plan(CpAlsProblem<Scalar, RowNumber, Exec>& problem,
                  KeptPreparation<Scalar, Exec>* kept) {
  if (kept != nullptr && problem.kept_bytes) {
    kept->plan = std::move(problem.plan);
    kept->bytes = *problem.kept_bytes;
    kept->version = problem.version;
  } else if (kept != nullptr) {
    *kept = KeptPreparation<Scalar, Exec>();
  }
  problem.plan.reset();
}

/// The whole of cp_als. Of a distributed tensor each process gets its part of the model, otherwise
/// the one process a model without parts.
template <RealScalar Scalar, ExecutionSpace Exec>
CpAlsPartResult<Scalar, Exec> run_cp_als(const Exec& exec,
                                         const Sptensor<Scalar, RowNumber, Exec>& tensor,
                                         const RunOrigin<Scalar, Exec>& origin,
                                         const CpAlsOptions& options,
                                         const KtensorObserver<Scalar, Exec>& observer,
                                         Processes<Scalar, RowNumber, Exec> processes = {},
                                         KeptPreparation<Scalar, Exec>* kept = nullptr) {
  const Stopwatch watch;
  processes.limit_time(watch, options.time_limit);
  std::vector<int> updates;
  processes.together([&] { updates = modes_to_update(options, tensor.order()); });
  PhaseTimings timings{"merge", "norm",  "prepare", "setup",   "gram",    "mttkrp",
                       "solve", "scale", "loop",    "release", "arrange", "inner_product"};
  // Duplicates would be fine for MTTKRP but not for the norm.
  const bool is_prepared = kept != nullptr && kept->numbered.has_value();
  const auto distinct = timings.time(exec, "merge", [&] {
    return is_prepared ? kept->distinct : sum_duplicates(exec, tensor).tensor;
  });
  UnscaledTensor<Scalar, RowNumber, Exec> unscaled;
  timings.time(exec, "norm", [&] {
    processes.together([&] {
      if (origin.saved == nullptr) return;
      check_same_tensor(origin.saved->task.tensor, processes.fingerprint(exec, distinct));
      updates = updates_as_before(origin.saved->task, updates);
    });
    unscaled = is_prepared ? kept->unscaled
                           : UnscaledTensor<Scalar, RowNumber, Exec>::of(exec, distinct, options,
                                                                         processes);
    // Rescaled values, once sorted, would stay beside those of the plan.
    if (unscaled.exponent != 0) kept = nullptr;
    if (kept == nullptr) return;
    kept->distinct = distinct;
    kept->unscaled = unscaled;
  });
  std::optional<CpAlsProblem<Scalar, RowNumber, Exec>> prepared;
  timings.time(exec, "prepare", [&] {
    CpAlsOptions chosen = options;
    std::optional<bool> counts_tuples;
    // The name is of process 0; others may have had another one.
    if (origin.saved != nullptr && !processes.are_distributed()) {
      chosen.mttkrp.kernel = origin.saved->task.kernel;
      counts_tuples = origin.saved->task.counts_tuples;
    }
    prepared = prepare_cp_als(exec, unscaled, origin.rank, updates, chosen, origin.guess != nullptr,
                              processes, counts_tuples, kept);
  });
  auto& problem = *prepared;
  unscaled.tensor = {};

  const auto solve_by = [&]<RowUpdate Rows>(std::type_identity<Rows>) {
    CpAlsSolver<Scalar, RowNumber, Exec, Rows> solver(exec, distinct, problem, options, timings);
    SeveralStarts starts(solver, observer, timings, watch);
    if (origin.saved != nullptr) {
      starts.resume(std::move(*origin.saved), *origin.saved_model);
    } else {
      starts.run(origin.guess);
    }
    auto& best = starts.best();
    CpAlsPartResult<Scalar, Exec> found;
    static_cast<CpFigures&>(found) = best.reached;
    found.residual_route = best.reached.residual_route;
    found.momentum_restarts = best.reached.momentum_restarts;
    found.history = std::move(best.run.history);
    found.starts = starts.records();
    found.best_start = best.run.start;
    found.update_order = problem.updates;
    found.kernel = problem.plan->kernel();
    found.kernel_description = problem.plan->describe();
    found.kernel_choice = problem.plan->choice();
    const PublishedRates rates = solver.rates(timings.seconds("mttkrp"));
    found.mttkrp_gflops = rates.gflops;
    found.mttkrp_gbytes = rates.gbytes;
    // Models of long modes take more memory than all that was needed to find them.
    timings.time("release", [&] { release_plan(problem, kept); });
    timings.time(exec, "arrange", [&] {
      if (processes.are_distributed()) {
        found.part = solver.take_part(best.model);
        found.model = weights_alone(exec, found.part);
      } else {
        found.model = solver.take_model(best.model);
      }
    });
    return found;
  };
  CpAlsPartResult<Scalar, Exec> result =
      problem.constraints.empty() ? solve_by(std::type_identity<LeastSquaresUpdate<Scalar, Exec>>())
                                  : solve_by(std::type_identity<ConstrainedUpdate<Scalar, Exec>>());
  if (!processes.are_distributed()) {
    timings.time(exec, "inner_product",
                 [&] { refine_residual(exec, distinct, problem, result.model, result); });
  }
  result.starts[result.best_start].fit = result.fit;
  result.starts[result.best_start].objective = result.objective;
  const std::vector<double> weights = host_weights(exec, result.model);
  result.zero_components =
      static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
  result.tolerance_above_fit = problem.constraints.empty() &&
                               result.stop_reason == StopReason::converged &&
                               result.fit < options.tolerance;
  result.timings = timings.phases();
  // A device's events have a clock of their own.
  result.timings.push_back({"total", std::max(watch.seconds(), timings.sum())});
  return result;
}

/// The same in one process, for whatever it begins at, with the checks of arguments. What `kept`
/// points to, if anything, becomes what there is for the next run.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> run_of_one_process(const Exec& exec,
                                             const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                             const RunOrigin<Scalar, Exec>& origin,
                                             const CpAlsOptions& options,
                                             const KtensorObserver<Scalar, Exec>& observer,
                                             KeptPreparationHandle<Scalar, Exec>* kept = nullptr) {
  check_ranges(options);
  if (tensor.order() == 0)
    throw Error::in("cp_als", "expected a tensor of order 1 or more, got order 0");
  if (origin.guess != nullptr) check_guess(*origin.guess, tensor.dimensions(), options);
  KeptPreparationHandle<Scalar, Exec> held;  // also where an observer releases it
  if (kept != nullptr) {
    if (*kept == nullptr) *kept = std::make_shared<KeptPreparation<Scalar, Exec>>();
    held = *kept;
  }
  return with_memory_errors("cp_als", [&]() -> CpAlsResult<Scalar, Exec> {
    return run_cp_als<Scalar, Exec>(exec, with_row_numbers(exec, tensor, "cp_als"), origin, options,
                                    observer, {}, held.get());
  });
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, PreparedTensor<Scalar, Exec>& tensor,
                                 const CpAlsOptions& options,
                                 ObserverArgument<Scalar, Exec> observer) {
  return detail::run_of_one_process(exec, tensor.tensor(), {.rank = options.rank}, options,
                                    observer, &tensor.kept());
}

template <RealScalar Scalar, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, PreparedTensor<Scalar, Exec>& tensor,
                                 const Ktensor<Scalar, Exec>& initial_guess,
                                 const CpAlsOptions& options,
                                 ObserverArgument<Scalar, Exec> observer) {
  return detail::run_of_one_process(exec, tensor.tensor(),
                                    {.rank = initial_guess.rank(), .guess = &initial_guess},
                                    options, observer, &tensor.kept());
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                 const CpAlsOptions& options,
                                 ObserverArgument<Scalar, Exec> observer) {
  return detail::run_of_one_process<Scalar, Ordinal, Exec>(exec, tensor, {.rank = options.rank},
                                                           options, observer);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                 const Ktensor<Scalar, Exec>& initial_guess,
                                 const CpAlsOptions& options,
                                 ObserverArgument<Scalar, Exec> observer) {
  return detail::run_of_one_process<Scalar, Ordinal, Exec>(
      exec, tensor, {.rank = initial_guess.rank(), .guess = &initial_guess}, options, observer);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> cp_als(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                 const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint,
                                 const CpAlsOptions& options,
                                 ObserverArgument<Scalar, Exec> observer) {
  auto state = detail::checked_state(checkpoint, options);
  return detail::run_of_one_process<Scalar, Ordinal, Exec>(
      exec, tensor, {.rank = options.rank, .saved = &state, .saved_model = &checkpoint.model},
      options, observer);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsPartResult<Scalar, Exec> cp_als(
    const Exec& exec, const TensorPart<Scalar, Ordinal, Exec>& part,
    Exchange<Scalar, Exec>& exchange, const CpAlsOptions& options,
    ObserverArgument<Scalar, Exec> observer,
    const std::type_identity_t<Ktensor<Scalar, Exec>>* initial_guess) {
  exchange.together([&] {
    check_ranges(options);
    if (initial_guess != nullptr) detail::check_guess(*initial_guess, part.dimensions, options);
  });
  return detail::with_memory_errors("cp_als", [&] {
    const auto numbered = detail::with_row_numbers(exec, part, exchange);
    const bool guessed = initial_guess != nullptr;
    return detail::run_cp_als<Scalar, Exec>(
        exec, numbered.tensor,
        {.rank = guessed ? initial_guess->rank() : options.rank, .guess = initial_guess}, options,
        observer, {exchange, numbered});
  });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsPartResult<Scalar, Exec> cp_als(const Exec& exec,
                                     const TensorPart<Scalar, Ordinal, Exec>& part,
                                     Exchange<Scalar, Exec>& exchange,
                                     const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint,
                                     const CpAlsOptions& options,
                                     ObserverArgument<Scalar, Exec> observer) {
  detail::CpAlsState<Scalar> state;
  exchange.together([&] {
    check_ranges(options);
    if (exchange.process() == 0) state = detail::checked_state(checkpoint, options);
  });
  detail::take_first_state(exchange, state);
  return detail::with_memory_errors("cp_als", [&] {
    const auto numbered = detail::with_row_numbers(exec, part, exchange);
    return detail::run_cp_als<Scalar, Exec>(
        exec, numbered.tensor,
        {.rank = options.rank, .saved = &state, .saved_model = &checkpoint.model}, options,
        observer, {exchange, numbered});
  });
}

}  // namespace genten

#define GENTEN_ETI_CP_ALS(PREFIX, SCALAR, ORDINAL, EXEC)                                         \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(       \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::CpAlsOptions&,  \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                             \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(       \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                               \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::CpAlsOptions&,                         \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                             \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(       \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                               \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&, const genten::CpAlsOptions&,     \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                             \
  PREFIX template genten::CpAlsPartResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::TensorPart<SCALAR, ORDINAL, EXEC>&,                             \
      genten::Exchange<SCALAR, EXEC>&, const genten::CpAlsOptions&,                              \
      const genten::KtensorObserver<SCALAR, EXEC>&, const genten::Ktensor<SCALAR, EXEC>*);       \
  PREFIX template genten::CpAlsPartResult<SCALAR, EXEC> genten::cp_als<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::TensorPart<SCALAR, ORDINAL, EXEC>&,                             \
      genten::Exchange<SCALAR, EXEC>&, const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&, \
      const genten::CpAlsOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);

#define GENTEN_ETI_CP_ALS_PREPARED(PREFIX, SCALAR, EXEC)                                        \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, EXEC>(               \
      const EXEC&, genten::PreparedTensor<SCALAR, EXEC>&, const genten::CpAlsOptions&,          \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                            \
  PREFIX template genten::CpAlsResult<SCALAR, EXEC> genten::cp_als<SCALAR, EXEC>(               \
      const EXEC&, genten::PreparedTensor<SCALAR, EXEC>&, const genten::Ktensor<SCALAR, EXEC>&, \
      const genten::CpAlsOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CP_ALS, extern)
GENTEN_ETI_SCALARS(GENTEN_ETI_CP_ALS_PREPARED, extern)
#endif
