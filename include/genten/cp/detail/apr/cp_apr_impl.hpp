// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/allocation.hpp>
#include <genten/base/detail/eti.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/apr/cp_apr_step.hpp>

namespace genten::detail {

/// Throws Error where a model has a negative number.
template <RealScalar Scalar, ExecutionSpace Exec>
void require_nonnegative(const Exec& exec, const Ktensor<Scalar, Exec>& model) {
  bool negative = false;
  for (const double weight : host_weights(exec, model)) negative = negative || !(weight >= 0.0);
  for (const auto& factor : model.factors()) {
    for (const ColumnRange& range : column_ranges(exec, factor)) {
      negative = negative || !(range.lowest >= 0.0);
    }
  }
  if (negative) throw Error("cp_apr: expected an initial guess without negative numbers");
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAprResult<Scalar, Exec> run_cp_apr(const Exec& exec,
                                     const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                     const Ktensor<Scalar, Exec>& guess,
                                     const CpAprOptions& options,
                                     const KtensorObserver<Scalar, Exec>& observer) {
  const Stopwatch watch;
  PhaseTimings timings{"merge",  "norm",      "prepare", "setup",  "walk",
                       "update", "objective", "loop",    "arrange"};
  CpAprProblem<Scalar, Ordinal, Exec> problem;
  problem.tensor = timings.time(exec, "merge", [&] { return sum_duplicates(exec, tensor).tensor; });
  timings.time(exec, "norm", [&] {
    problem.norm = norm(exec, problem.tensor);
    problem.values = value_sums(exec, problem.tensor);
    // The paper's floor, for counts; small numbers have a smaller one.
    problem.floor = static_cast<Scalar>(1e-10 * std::min(1.0, max_abs(exec, problem.tensor)));
  });
  if (!(problem.values.least >= 0.0)) {
    throw Error("cp_apr: expected values that are not negative, got " +
                std::to_string(problem.values.least));
  }
  MttkrpOptions mttkrp = options.mttkrp;
  if (mttkrp.kernel == "auto") mttkrp.kernel = is_host_space<Exec> ? "sorted" : "atomic";
  auto plan = timings.time(exec, "prepare", [&] {
    return MttkrpPlan<Scalar, Ordinal, Exec>(exec, problem.tensor, guess.rank(), mttkrp);
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
  result.tensor_norm = problem.norm;
  result.deviance = step->deviance();
  result.inner_iterations = step->inner_iterations();
  result.kernel = plan.kernel();
  if (!state.history.empty()) {
    const IterationRecord& last = state.history.back();
    result.fit = last.fit;
    result.residual_norm = last.residual_norm;
    result.objective = last.objective;
    result.kkt_violation = last.kkt_violation;
  }
  result.residual_error = 16.0 * std::sqrt(std::numeric_limits<double>::epsilon()) * problem.norm;
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
