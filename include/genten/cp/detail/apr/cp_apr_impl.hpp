// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/apr/apr_solver.hpp>
#include <genten/cp/detail/apr/traversal_plan.hpp>
#include <genten/cp/detail/check_checkpoint.hpp>
#include <genten/cp/detail/gcp/entry_values.hpp>
#include <genten/cp/detail/gcp/gcp_warnings.hpp>

#include <algorithm>

namespace genten::detail {

/// Throws Error where a model has a number that is negative or not finite.
template <RealScalar Scalar, ExecutionSpace Exec>
void require_nonnegative(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  const auto proper = [](double number) { return number >= 0.0 && std::isfinite(number); };
  const std::vector<double> weights = host_weights(exec, model);
  bool all_proper = std::all_of(weights.begin(), weights.end(), proper);
  for (const auto& factor : model.factors()) {
    for (const ColumnRange& range : column_ranges(exec, factor)) {
      all_proper = all_proper && proper(range.lowest) && proper(range.highest);
    }
  }
  if (all_proper) return;
  throw Error::in("cp_apr", "expected an initial guess of finite numbers, none of them negative")
      .as(Error::Code::guess);
}

/// Whether steps are Newton's. Throws Error where they cannot be.
template <ExecutionSpace Exec>
[[nodiscard]] bool takes_newton_steps(const CpAprOptions& options) {
  if (options.steps == CountSteps::newton && !is_host_space<Exec>) {
    throw Error::in("cp_apr", "expected steps auto or multiplicative on a device, got newton");
  }
  return is_host_space<Exec> && options.steps != CountSteps::multiplicative;
}

/// Throws Error of kind memory where models and sums of a run do not fit: the model, what it was
/// before, that of the best start where there are several, and Phi of the longest mode or, by
/// Newton's method, copies of the nonzeros. Returns the bytes that are left beside them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
double require_apr_memory(const Sptensor<Scalar, Ordinal, Exec>& tensor,
                          const CpAprOptions& options) {
  const auto& dimensions = tensor.dimensions();
  double rows = 0.0, longest = 0.0;
  for (const std::size_t length : dimensions) {
    rows += static_cast<double>(length);
    longest = std::max(longest, static_cast<double>(length));
  }
  const auto row = static_cast<double>(padded_stride(options.rank, sizeof(Scalar)));
  const bool by_newton = takes_newton_steps<Exec>(options);
  const double models = options.starts > 1 ? 3.0 : 2.0;
  const double free = available_memory<Exec>(), limit = options.memory_available;
  const MemoryRequest request{
      .what = "CP-APR of rank " + std::to_string(options.rank),
      .parts = {{"models", models * rows * row * sizeof(Scalar)},
                by_newton
                    ? MemoryPart{"nonzeros by row", RowEquations<Scalar, Exec>::memory(
                                                        dimensions, tensor.nnz(), options.rank)}
                    : MemoryPart{"sums", longest * row * sizeof(Scalar)}},
      .available = limit > 0.0 ? std::min(free, limit) : free,
      .allowed = limit > 0.0,
      .device = !is_host_space<Exec>};
  require_memory(request);
  return request.available - total_bytes(request.parts);
}

/// The tensor as it is decomposed.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAprProblem<Scalar, Ordinal, Exec> make_apr_problem(
    const Exec& exec, Sptensor<Scalar, Ordinal, Exec> distinct, const CpAprOptions& options,
    double left) {
  CpAprProblem<Scalar, Ordinal, Exec> problem{.tensor = std::move(distinct)};
  if (options.loss != CountLoss::poisson) {
    require_loss_data(exec, problem.tensor, loss_facts(losses::BernoulliPoisson()));
  }
  problem.values = value_sums(exec, problem.tensor);
  problem.values.require_counts("cp_apr");
  problem.exponent = count_exponent(problem.values.smallest, max_abs(exec, problem.tensor));
  if (problem.exponent != 0) {
    require_memory(
        {.what = "CP-APR, to take the scale of the values out,",
         .parts = {{"values", static_cast<double>(problem.tensor.nnz()) * sizeof(Scalar)}},
         .available = left,
         .allowed = options.memory_available > 0.0,
         .device = !is_host_space<Exec>});
    problem.tensor = times_power_of_two(exec, problem.tensor, -problem.exponent);
    problem.values = value_sums(exec, problem.tensor);
  }
  problem.norm = norm(exec, problem.tensor);
  return problem;
}

/// All of a result but what concerns the whole call, of the best start, whose history is moved
/// from.
template <class Best, RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAprResult<Scalar, Exec> apr_result(
    const CpAprProblem<Scalar, RowNumber, Exec>& problem, Best& best) {
  CpAprResult<Scalar, Exec> result;
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
  result.lifted_zeros = best.reached.lifted_zeros;
  result.best_start = best.run.start;
  result.steps = problem.newton ? CountSteps::newton : CountSteps::multiplicative;
  result.kernel = problem.newton ? "per-row normal equations" : problem.plan->kernel();
  return result;
}

/// The whole of cp_apr, from random factors, a guess or what was saved, with the checkpoint's
/// model.
template <RealScalar Scalar, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> run_cp_apr(const Exec& exec,
                                     const Sptensor<Scalar, RowNumber, Exec>& tensor,
                                     const CpAprOptions& options,
                                     const KtensorObserver<Scalar, Exec>& observer,
                                     const Ktensor<Scalar, Exec>* model = nullptr,
                                     std::optional<CpAprState<Scalar>> saved = {}) {
  const Stopwatch watch;
  const double left = require_apr_memory(tensor, options);
  PhaseTimings timings{"merge",  "norm",      "prepare", "setup",   "traversal",
                       "update", "objective", "loop",    "release", "arrange"};
  const auto distinct =
      timings.time(exec, "merge", [&] { return sum_duplicates(exec, tensor).tensor; });
  auto problem = timings.time(exec, "norm", [&] {
    if (saved) check_same_tensor(saved->task.tensor, TensorFingerprint::of(exec, distinct));
    return make_apr_problem(exec, distinct, options, left);
  });
  timings.time(exec, "prepare", [&] {
    if constexpr (is_host_space<Exec>) {
      if (takes_newton_steps<Exec>(options)) {
        problem.newton.emplace(exec, problem.tensor, options.rank, options.loss);
        return;
      }
    }
    problem.plan.emplace(
        make_traversal_plan(exec, problem.tensor, options.rank, options.mttkrp, left));
  });
  CpAprSolver<Scalar, RowNumber, Exec> solver(exec, distinct, problem, options);
  SeveralStarts starts(solver, observer, timings, watch);
  if (saved) {
    starts.resume(std::move(*saved), *model);
  } else {
    starts.run(model);
  }
  CpAprResult<Scalar, Exec> result =
      timings.time(exec, "arrange", [&] { return apr_result(problem, starts.best()); });
  result.starts = starts.records();
  const std::vector<double> weights = host_weights(exec, result.model);
  result.zero_components =
      static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
  if (options.loss != CountLoss::poisson) {
    result.warnings = full_slices(exec, distinct);
    const double largest = largest_possible_value(exec, result.model);
    if (is_flat_at(losses::BernoulliPoisson(), largest)) {
      result.warnings.push_back({GcpDoubt::large_elements, -1, largest});
    }
  }
  result.timings = timings.phases();
  result.timings.push_back({"total", std::max(watch.seconds(), timings.sum())});
  return result;
}

/// Throws Error unless random numbers of that kind are a model of counts.
inline void require_uniform(const CpAprOptions& options) {
  if (options.init == FactorKind::uniform) return;
  throw Error::in("cp_apr", "expected init uniform, whose numbers are not negative, got " +
                                std::string(to_string(options.init)));
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  check_ranges(options);
  if (tensor.order() == 0)
    throw Error::in("cp_apr", "expected a tensor of order 1 or more, got order 0");
  detail::require_uniform(options);
  return detail::with_memory_errors("cp_apr", [&] {
    return detail::run_cp_apr(exec, with_row_numbers(exec, tensor, "cp_apr"), options, observer);
  });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& guess, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  check_ranges(options);
  if (options.starts != 1) {
    throw Error::in("cp_apr", "expected one start from a given initial guess, got " +
                                  std::to_string(options.starts))
        .as(Error::Code::guess);
  }
  if (guess.dimensions() != tensor.dimensions() || guess.rank() == 0) {
    throw Error::in("cp_apr",
                    "expected an initial guess with the tensor's dimensions and at least one "
                    "component")
        .as(Error::Code::guess);
  }
  CpAprOptions of_guess = options;
  of_guess.rank = guess.rank();
  return detail::with_memory_errors("cp_apr", [&] {
    detail::require_nonnegative(exec, guess);
    return detail::run_cp_apr(exec, with_row_numbers(exec, tensor, "cp_apr"), of_guess, observer,
                              &guess);
  });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  check_ranges(options);
  auto state = detail::read_state<detail::CpAprState<Scalar>>(checkpoint.state);
  detail::check_same_run("cp_apr", state, checkpoint.model, options);
  if (state.task.loss != options.loss) {
    throw Error::in("cp_apr", "expected the loss of the checkpoint, " +
                                  std::string(to_string(state.task.loss)) + ", got " +
                                  std::string(to_string(options.loss)))
        .as(Error::Code::checkpoint);
  }
  CpAprOptions chosen = options;
  if (!state.task.kernel.empty()) chosen.mttkrp.kernel = state.task.kernel;
  return detail::with_memory_errors("cp_apr", [&] {
    return detail::run_cp_apr(exec, with_row_numbers(exec, tensor, "cp_apr"), chosen, observer,
                              &checkpoint.model, std::optional(std::move(state)));
  });
}

}  // namespace genten

#define GENTEN_ETI_CP_APR(PREFIX, SCALAR, ORDINAL, EXEC)                                        \
  PREFIX template genten::CpAprResult<SCALAR, EXEC> genten::cp_apr<SCALAR, ORDINAL, EXEC>(      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::CpAprOptions&, \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                            \
  PREFIX template genten::CpAprResult<SCALAR, EXEC> genten::cp_apr<SCALAR, ORDINAL, EXEC>(      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                              \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::CpAprOptions&,                        \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                            \
  PREFIX template genten::CpAprResult<SCALAR, EXEC> genten::cp_apr<SCALAR, ORDINAL, EXEC>(      \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                              \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&, const genten::CpAprOptions&,    \
      const genten::KtensorObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CP_APR, extern)
#endif
