// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/apr/cp_apr_step.hpp>

#include <memory>

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
  throw Error("cp_apr: expected an initial guess of finite numbers, none of them negative");
}

/// A plan for walks: by the kernel that is asked for or, for `auto`, by the first that takes the
/// tensor and fits into memory.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] MttkrpPlan<Scalar, Ordinal, Exec> make_walk_plan(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, std::size_t rank,
    MttkrpOptions options) {
  using Plan = MttkrpPlan<Scalar, Ordinal, Exec>;
  if (options.kernel != "auto") return Plan(exec, tensor, rank, options);
  if constexpr (is_host_space<Exec>) {
    try {
      options.kernel = kernels::Sorted::name;
      return Plan(exec, tensor, rank, options);
    } catch (const Error&) {  // subscripts of more bits than it packs, or too little memory
    }
  }
  options.kernel = kernels::Atomic::name;
  return Plan(exec, tensor, rank, options);
}

/// Throws Error of kind memory where models and sums of a run do not fit: the model, the guess, and
/// the copy that is returned, and Phi of the longest mode.
template <RealScalar Scalar, ExecutionSpace Exec>
void require_apr_memory(const std::vector<std::size_t>& dimensions, std::size_t rank) {
  double rows = 0.0, longest = 0.0;
  for (const std::size_t length : dimensions) {
    rows += static_cast<double>(length);
    longest = std::max(longest, static_cast<double>(length));
  }
  const auto row = static_cast<double>(padded_stride(rank, sizeof(Scalar)) * sizeof(Scalar));
  require_memory({.what = "CP-APR of rank " + std::to_string(rank),
                  .parts = {{"models", 3.0 * rows * row}, {"sums", longest * row}},
                  .available = available_memory<Exec>(),
                  .device = !is_host_space<Exec>});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> run_cp_apr(const Exec& exec,
                                     const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                     const Ktensor<Scalar, Exec>& guess,
                                     const CpAprOptions& options,
                                     const KtensorObserver<Scalar, Exec>& observer) {
  const Stopwatch watch;
  require_apr_memory<Scalar, Exec>(tensor.dimensions(), guess.rank());
  PhaseTimings timings{"merge",  "norm",      "prepare", "setup",  "walk",
                       "update", "objective", "loop",    "arrange"};
  CpAprProblem<Scalar, Ordinal, Exec> problem;
  problem.tensor = timings.time(exec, "merge", [&] { return sum_duplicates(exec, tensor).tensor; });
  timings.time(exec, "norm", [&] {
    if (const std::size_t count = value_sums(exec, problem.tensor).no_counts; count != 0) {
      throw Error("cp_apr: expected finite values, none of them negative, got " +
                  std::to_string(count) + " others");
    }
    problem.exponent = count_exponent(max_abs(exec, problem.tensor));
    if (problem.exponent != 0) {
      problem.tensor = times_power_of_two(exec, problem.tensor, -problem.exponent);
    }
    problem.norm = norm(exec, problem.tensor);
    problem.values = value_sums(exec, problem.tensor);
  });
  auto plan = timings.time(exec, "prepare", [&] {
    return make_walk_plan(exec, problem.tensor, guess.rank(), options.mttkrp);
  });
  using Step = CpAprStep<Scalar, Ordinal, Exec>;
  auto step = timings.time(
      exec, "setup", [&] { return std::make_unique<Step>(exec, problem, plan, options, guess); });
  RunState state;
  state.seconds_before = watch.seconds();
  CpAprResult<Scalar, Exec> result;
  result.stop_reason =
      iterate(*step, state,
              first_of(NonFinite{}, KktViolation{options.tolerance}, TimeLimit{options.time_limit},
                       IterationLimit{options.max_iterations}),
              timings, observer);
  result.model = timings.time(exec, "arrange", [&] { return step->model(); });
  result.iterations = state.history.size();
  result.tensor_norm = std::ldexp(problem.norm, problem.exponent);
  result.deviance = step->deviance();
  result.inner_iterations = step->inner_iterations();
  result.kernel = plan.kernel();
  const SweepOutcome& reached = step->reached();
  result.fit = reached.fit;
  result.residual_norm = reached.residual_norm;
  result.objective = reached.objective;
  result.kkt_violation = reached.kkt_violation;
  result.residual_error =
      16.0 * std::sqrt(std::numeric_limits<double>::epsilon()) * result.tensor_norm;
  result.history = state.history;
  result.starts = {
      {options.seed, result.fit, result.objective, result.iterations, result.stop_reason}};
  result.timings = timings.phases();
  result.timings.push_back({"total", std::max(watch.seconds(), timings.sum())});
  return result;
}

/// The random model that a run starts from.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] Ktensor<Scalar, Exec> random_counts(const Exec& exec,
                                                  const std::vector<std::size_t>& dimensions,
                                                  const CpAprOptions& options) {
  if (options.init != FactorKind::uniform) {
    throw Error("cp_apr: expected init uniform, whose numbers are not negative, got " +
                std::string(to_string(options.init)));
  }
  return random_ktensor<Scalar>(exec, dimensions, options.rank, options.seed, options.init);
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  check_ranges(options);
  if (tensor.order() == 0) throw Error("cp_apr: expected a tensor of order 1 or more, got order 0");
  return detail::with_memory_errors("cp_apr", [&] {
    return detail::run_cp_apr(exec, tensor,
                              detail::random_counts<Scalar>(exec, tensor.dimensions(), options),
                              options, observer);
  });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& guess, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  check_ranges(options);
  if (guess.dimensions() != tensor.dimensions() || guess.rank() == 0) {
    throw Error(
        "cp_apr: expected an initial guess with the tensor's dimensions and at least one "
        "component");
  }
  return detail::with_memory_errors("cp_apr", [&] {
    detail::require_nonnegative(exec, guess);
    return detail::run_cp_apr(exec, tensor, guess, options, observer);
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
      const genten::KtensorObserver<SCALAR, EXEC>&);

#ifdef GENTEN_ETI
GENTEN_ETI_TENSORS(GENTEN_ETI_CP_APR, extern)
#endif
