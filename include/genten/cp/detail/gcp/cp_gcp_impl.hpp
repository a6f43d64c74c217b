// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/detail/check_checkpoint.hpp>
#include <genten/cp/detail/gcp/gcp_solver.hpp>
#include <genten/cp/detail/gcp/gcp_warnings.hpp>
#include <genten/cp/detail/gcp/loss_gradient_impl.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct GcpObjectiveOf final : GcpObjective<Scalar, Exec> {
  using Model = Ktensor<Scalar, Exec>;

  Sptensor<Scalar, Ordinal, Exec> given;  ///< without duplicates, in its own scale
  LossGradient<Scalar, Ordinal, Exec> evaluate;

  GcpObjectiveOf(Sptensor<Scalar, Ordinal, Exec> tensor,
                 LossGradient<Scalar, Ordinal, Exec> gradient_of)
      : given(std::move(tensor)), evaluate(std::move(gradient_of)) {}
  LossSums sums(const Exec& exec, const Model& model) override {
    return evaluate.sums(exec, model);
  }
  void gradient(const Exec& exec, const Model& model, const Model& gradient,
                const std::vector<bool>& wanted) override {
    evaluate.gradient(exec, model, gradient, wanted);
  }
  TensorMark mark(const Exec& exec) override { return TensorMark::of(exec, given); }
};

/// What a call of cp_gcp is about; null: none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
struct GcpCall {
  const Sptensor<Scalar, Ordinal, Exec>& tensor;
  const AnyLoss& loss;
  const CpGcpOptions& options;
  const KtensorObserver<Scalar, Exec>& observer;
  const Ktensor<Scalar, Exec>* guess = nullptr;
  const Checkpoint<Ktensor<Scalar, Exec>>* checkpoint = nullptr;
};

/// By mode, whether its factor is sought. Throws Error for modes that there are not.
[[nodiscard]] inline std::vector<bool> free_modes(const CpGcpOptions& options, int order) {
  std::vector<bool> is_free(static_cast<std::size_t>(order), true);
  for (const int mode : options.fixed_modes) {
    if (mode < 0 || mode >= order) throw Error::no_such_mode("option fixed-modes", mode, order);
    is_free[static_cast<std::size_t>(mode)] = false;
  }
  return is_free;
}

/// The bounds of the options, and those of the loss. Throws Error where they contradict.
[[nodiscard]] inline std::vector<RowConstraint> gcp_bounds(const CpGcpOptions& options,
                                                           const LossFacts& loss, int order) {
  CpAlsOptions of_rows;
  of_rows.nonnegative = options.nonnegative;
  of_rows.lower = options.lower;
  of_rows.upper = options.upper;
  auto bounds = row_constraints(of_rows, static_cast<std::size_t>(order));
  if (loss.lower != 0.0) return bounds;
  for (std::size_t n = 0; n < bounds.size(); ++n) {
    RowConstraint& each = bounds[n];
    const bool is_given = each.lower > -RowConstraint::none;
    if ((is_given && each.lower < 0.0) || each.upper < 0.0) {
      throw Error("loss " + loss.text() +
                  ": its model must not be negative: expected bounds of at "
                  "least 0 for mode " +
                  std::to_string(n + 1) + " (counted from 1), got " +
                  number_text(each.upper < 0.0 ? each.upper : each.lower));
    }
    each.lower = std::max(each.lower, 0.0);
  }
  return bounds;
}

/// Takes the scale of the data out of bounds and penalties, as 2^exponents[n] of the factors.
template <RealScalar Scalar, ExecutionSpace Exec>
void take_scale_out(GcpProblem<Scalar, Exec>& problem) {
  const int order = problem.order(), part = problem.exponent / order;
  int rest = problem.exponent - part * order;
  for (std::size_t n = 0; n < problem.dimensions.size(); ++n) {
    const int sign = rest > 0 ? 1 : rest < 0 ? -1 : 0;
    rest -= sign;
    const int exponent = part + sign;
    problem.exponents.push_back(exponent);
    RowConstraint& bounds = problem.constraints[n];
    bounds.lower = std::ldexp(bounds.lower, -exponent);
    bounds.upper = std::ldexp(bounds.upper, -exponent);
    problem.ridge[n] = std::ldexp(problem.ridge[n], 2 * exponent - 2 * problem.exponent);
  }
}

/// Throws Error of kind memory where the vectors of L-BFGS do not fit; returns what they leave.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
double require_gcp_memory(const Sptensor<Scalar, Ordinal, Exec>& tensor,
                          const CpGcpOptions& options) {
  double rows = 0.0;
  for (const std::size_t length : tensor.dimensions()) rows += static_cast<double>(length);
  const double model =
      rows * sizeof(Scalar) * static_cast<double>(padded_stride(options.rank, sizeof(Scalar)));
  const double models =
      2.0 * static_cast<double>(options.corrections) + (options.starts > 1 ? 6.0 : 5.0);
  const double free = available_memory<Exec>(), limit = options.memory_available;
  const MemoryRequest request{.what = "GCP of rank " + std::to_string(options.rank),
                              .parts = {{"models and steps", models * model}},
                              .available = limit > 0.0 ? std::min(free, limit) : free,
                              .allowed = limit > 0.0,
                              .device = !is_host_space<Exec>,
                              .remedy = "fewer corrections take less"};
  require_memory(request);
  return request.available - total_bytes(request.parts);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] GcpProblem<Scalar, Exec> make_gcp_problem(const Exec& exec,
                                                        const GcpCall<Scalar, Ordinal, Exec>& call,
                                                        double memory, PhaseTimings& timings) {
  using Objective = GcpObjectiveOf<Scalar, Ordinal, Exec>;
  const CpGcpOptions& options = call.options;
  GcpProblem<Scalar, Exec> problem;
  const auto distinct =
      timings.time(exec, "merge", [&] { return sum_duplicates(exec, call.tensor).tensor; });
  const int order = distinct.order();
  problem.loss = call.loss.facts();
  problem.dimensions = distinct.dimensions();
  problem.is_free = free_modes(options, order);
  problem.constraints = gcp_bounds(options, problem.loss, order);
  check_bounds_as<Scalar>(problem.constraints);
  problem.may_scale_start = allow_scaling(problem.constraints);
  problem.is_link = problem.loss.lower != 0.0 && !call.loss.scales();
  problem.unlisted_are_missing = options.unlisted == UnlistedEntries::missing;
  for (std::size_t n = 0; n < problem.dimensions.size(); ++n) {
    problem.ridge.push_back(number_of_mode("ridge", options.ridge, n, problem.dimensions.size(),
                                           problem.loss.default_ridge));
  }
  auto scaled = timings.time(exec, "norm", [&] {
    require_loss_data(exec, distinct, problem.loss);
    const double largest = max_abs(exec, distinct);
    problem.exponent = call.loss.scales() && largest > 0.0 ? std::ilogb(largest) : 0;
    take_scale_out(problem);
    auto tensor =
        problem.exponent == 0 ? distinct : times_power_of_two(exec, distinct, -problem.exponent);
    problem.norm = norm(exec, tensor);
    return tensor;
  });
  timings.time(exec, "prepare", [&] {
    const AnyLoss loss =
        problem.exponent == 0 ? call.loss : call.loss.scaled(std::ldexp(1.0, -problem.exponent));
    LossGradient<Scalar, Ordinal, Exec> evaluate(exec, scaled, options.rank, loss,
                                                 {.unlisted = options.unlisted,
                                                  .ridge = problem.ridge,
                                                  .most_operations = options.most_operations,
                                                  .memory_available = memory,
                                                  .mttkrp = options.mttkrp});
    problem.zeros = evaluate.zeros();
    problem.entries = evaluate.entries();
    problem.kernel = evaluate.kernel();
    for (int n = 0; problem.unlisted_are_missing && n < order; ++n) {
      problem.listed.push_back(count_by_row(exec, scaled, n, false));
    }
    problem.objective = std::make_shared<Objective>(distinct, std::move(evaluate));
    problem.warnings = slice_warnings(exec, distinct, problem);
  });
  return problem;
}

/// The rest of a result, of the model that is returned.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void describe_gcp(const Exec& exec, const GcpCall<Scalar, Ordinal, Exec>& call,
                  const GcpProblem<Scalar, Exec>& problem, CpGcpResult<Scalar, Exec>& result) {
  result.loss = problem.loss;
  result.zeros = problem.zeros;
  result.entries = problem.entries;
  result.kernel = problem.kernel;
  result.tensor_norm = std::ldexp(problem.norm, problem.exponent);
  result.residual_error =
      16.0 * std::sqrt(std::numeric_limits<double>::epsilon()) * result.tensor_norm;
  for (std::size_t n = 0; n < problem.ridge.size(); ++n) {
    result.ridge.push_back(
        std::ldexp(problem.ridge[n], 2 * problem.exponent - 2 * problem.exponents[n]));
  }
  for (const auto& listed : problem.listed) {
    result.empty_rows += chunked_reduce<offset_t>(
        "genten::empty_rows", exec, static_cast<offset_t>(listed.extent(0)),
        KOKKOS_LAMBDA(const offset_t i) { return offset_t{listed(i) == 0 ? 1 : 0}; });
  }
  const std::vector<double> weights = host_weights(exec, result.model);
  result.zero_components =
      static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
  result.warnings = problem.warnings;
  bool is_open = false;
  for (std::size_t n = 0; n < problem.ridge.size(); ++n) {
    is_open = is_open || (problem.is_free[n] && problem.ridge[n] == 0.0 &&
                          problem.constraints[n].upper == RowConstraint::none);
  }
  const double largest = largest_possible_value(exec, result.model);
  if (is_open && is_flat_at(call.loss, largest)) {
    result.warnings.push_back({GcpDoubt::large_elements, -1, largest});
  }
}

template <class Best, RealScalar Scalar, ExecutionSpace Exec>
void take_best(Best& best, CpGcpResult<Scalar, Exec>& result) {
  const GcpReached& reached = best.reached;
  result.model = best.model;
  result.stop_reason = reached.stop_reason;
  result.iterations = best.run.history.size();
  result.fit = reached.outcome.fit;
  result.residual_norm = reached.outcome.residual_norm;
  result.objective = reached.outcome.objective;
  result.penalty = reached.penalty;
  result.kkt_violation = reached.outcome.kkt_violation;
  result.projected_gradient = reached.projected_gradient;
  result.scale_equation = reached.scale_equation;
  result.stalled = reached.stalled;
  result.objectives = reached.objectives;
  result.gradients = reached.gradients;
  result.best_start = best.run.start;
  result.history = std::move(best.run.history);
}

/// The state of the checkpoint. Throws Error where it is that of another run.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] GcpState<Scalar> resumed_gcp_state(const GcpCall<Scalar, Ordinal, Exec>& call) {
  auto state = read_state<GcpState<Scalar>>(call.checkpoint->state);
  check_same_options(state.options, call.options);
  const auto loss = SavedLoss::of(call.loss);
  if (state.loss != loss) {
    throw Error("the checkpoint is of a run with the loss " + state.loss.text() +
                ", this one has " + loss.text());
  }
  if (call.checkpoint->model.dimensions() != state.tensor.dimensions ||
      call.checkpoint->model.rank() != call.options.rank ||
      state.run.start >= call.options.starts) {
    throw Error("cp_gcp: the model and the state of the checkpoint do not belong together");
  }
  return state;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires std::same_as<Ordinal, RowNumber>
[[nodiscard]] CpGcpResult<Scalar, Exec> run_cp_gcp(const Exec& exec,
                                                   GcpCall<Scalar, Ordinal, Exec> call) {
  check_ranges(call.options);
  if (call.tensor.order() == 0) {
    throw Error("cp_gcp: expected a tensor of order 1 or more, got order 0");
  }
  return with_memory_errors("cp_gcp", [&] {
    const Stopwatch watch;
    PhaseTimings timings{"merge",    "norm",      "prepare", "setup",  "objective",
                         "gradient", "direction", "loop",    "arrange"};
    const double memory = require_gcp_memory(call.tensor, call.options);
    std::optional<GcpState<Scalar>> resumed;
    CpGcpOptions options = call.options;
    if (call.checkpoint != nullptr) {
      resumed = resumed_gcp_state(call);
      options.mttkrp.kernel = resumed->kernel;
    }
    const GcpCall<Scalar, Ordinal, Exec> chosen{call.tensor, call.loss, options, call.observer};
    auto problem = make_gcp_problem(exec, chosen, memory, timings);
    if (resumed) check_same_tensor(resumed->tensor, problem.objective->mark(exec));
    // Checkpoints have the caller's options.
    GcpSolver<Scalar, Exec> solver(exec, problem, call.loss, call.options);
    SeveralStarts starts(solver, call.observer);
    if (resumed) {
      starts.resume(std::move(*resumed), call.checkpoint->model, timings, watch);
    } else {
      starts.run(timings, watch, [&](auto& step) {
        if (call.guess != nullptr) step.start_from(*call.guess);
        return call.guess != nullptr;
      });
    }
    CpGcpResult<Scalar, Exec> result;
    take_best(starts.best(), result);
    result.starts = starts.records();
    timings.time(exec, "arrange", [&] { describe_gcp(exec, call, problem, result); });
    result.timings = timings.phases();
    result.timings.push_back({"total", std::max(watch.seconds(), timings.sum())});
    return result;
  });
}

/// The same of subscripts of 64 bits.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires(!std::same_as<Ordinal, RowNumber>)
    [[nodiscard]] CpGcpResult<Scalar, Exec> run_cp_gcp(const Exec& exec,
                                                       GcpCall<Scalar, Ordinal, Exec> call) {
  return with_memory_errors("cp_gcp", [&] {
    const auto tensor = with_row_numbers(exec, call.tensor, "cp_gcp");
    return run_cp_gcp<Scalar, RowNumber, Exec>(
        exec, {tensor, call.loss, call.options, call.observer, call.guess, call.checkpoint});
  });
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp<Scalar, Ordinal, Exec>(exec, {tensor, loss, options, observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const Ktensor<Scalar, Exec>& guess, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  if (options.starts != 1) {
    throw Error("cp_gcp: expected one start from a given initial guess, got " +
                std::to_string(options.starts));
  }
  if (guess.dimensions() != tensor.dimensions() || guess.rank() == 0) {
    throw Error(
        "cp_gcp: expected an initial guess with the tensor's dimensions and at least one "
        "component");
  }
  CpGcpOptions of_guess = options;
  of_guess.rank = guess.rank();
  return detail::run_cp_gcp<Scalar, Ordinal, Exec>(exec,
                                                   {tensor, loss, of_guess, observer, &guess});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp<Scalar, Ordinal, Exec>(
      exec, {tensor, loss, options, observer, nullptr, &checkpoint});
}

template <RealScalar Scalar, ExecutionSpace Exec>
CpGcpOptions checkpoint_gcp_options(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::read_state<detail::GcpState<Scalar>>(checkpoint.state).options;
}

template <RealScalar Scalar, ExecutionSpace Exec>
AnyLoss checkpoint_gcp_loss(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  const auto loss = detail::read_state<detail::GcpState<Scalar>>(checkpoint.state).loss;
  if (loss.is_listed) return AnyLoss::named(loss.name, loss.parameter);
  throw Error("the checkpoint is of a run with the loss " + loss.text() +
              ", expected one of the library: a caller's own is to be given again");
}

template <RealScalar Scalar, ExecutionSpace Exec>
bool is_gcp_checkpoint(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::state_name(checkpoint.state) == detail::GcpState<Scalar>::expected_name;
}

}  // namespace genten

#define GENTEN_ETI_CP_GCP(PREFIX, SCALAR, ORDINAL, EXEC)                                     \
  PREFIX template genten::CpGcpResult<SCALAR, EXEC> genten::cp_gcp<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::AnyLoss&,   \
      const genten::CpGcpOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);            \
  PREFIX template genten::CpGcpResult<SCALAR, EXEC> genten::cp_gcp<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::AnyLoss&,   \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::CpGcpOptions&,                     \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                         \
  PREFIX template genten::CpGcpResult<SCALAR, EXEC> genten::cp_gcp<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::AnyLoss&,   \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&, const genten::CpGcpOptions&, \
      const genten::KtensorObserver<SCALAR, EXEC>&);
