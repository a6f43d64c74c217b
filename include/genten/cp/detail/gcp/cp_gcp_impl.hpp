// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/row_numbers.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/detail/check_checkpoint.hpp>
#include <genten/cp/detail/gcp/gcp_solver.hpp>
#include <genten/cp/detail/gcp/prepare_gcp.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>

namespace genten::detail {

/// The rest of a result, of the model that is returned.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void describe_gcp(const Exec& exec, const GcpCall<Scalar, Ordinal, Exec>& call,
                  const GcpProblem<Scalar, Exec>& problem, CpGcpResult<Scalar, Exec>& result) {
  result.loss = problem.loss;
  result.method = problem.method;
  result.zeros = problem.zeros;
  result.entries = problem.entries;
  result.holdout.entries = static_cast<offset_t>(problem.held_out);
  result.kernel = problem.kernel;
  result.tensor_norm = std::ldexp(problem.norm, problem.exponent);
  result.residual_error =
      16.0 * std::sqrt(std::numeric_limits<double>::epsilon()) * result.tensor_norm;
  for (std::size_t n = 0; n < problem.ridge.size(); ++n) {
    result.ridge.push_back(
        std::ldexp(problem.ridge[n], 2 * problem.exponent - 2 * problem.exponents[n]));
  }
  result.empty_rows = problem.empty_rows;
  const std::vector<double> weights = host_weights(exec, result.model);
  result.zero_components =
      static_cast<std::size_t>(std::count(weights.begin(), weights.end(), 0.0));
  result.warnings = problem.warnings;
  bool is_open = false;
  for (std::size_t n = 0; n < problem.ridge.size(); ++n) {
    is_open = is_open || (problem.is_free[n] && !problem.is_penalized(n) &&
                          problem.constraints[n].upper == RowConstraint::none);
  }
  const double largest = largest_possible_value(exec, result.model);
  if (is_open && is_flat_at(call.loss, largest)) {
    result.warnings.push_back({GcpDoubt::large_elements, -1, largest});
  }
  if (problem.zeros != ZeroSums::sampled || problem.exponent != 0) return;
  const StackedModel<Scalar, Exec> none(exec, result.model.dimensions(), result.model.rank());
  const double of_none = problem.objective->sums(exec, none.model()).objective;
  if (result.objective > of_none + 1e-9 * std::abs(of_none)) {  // more than rounding
    result.warnings.push_back({GcpDoubt::above_zero_model, -1, of_none});
  }
}

template <class Best, RealScalar Scalar, ExecutionSpace Exec>
void take_best(const GcpProblem<Scalar, Exec>& problem, Best& best,
               CpGcpResult<Scalar, Exec>& result) {
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
  result.holdout = {reached.outcome.holdout_rmse, reached.outcome.holdout_mae, 0};
  result.holdout_loss = problem.in_units(reached.holdout_loss);
  result.holdout_loss_error = problem.in_units(reached.holdout_loss_error);
  for (const double each : reached.holdout_losses) {
    result.holdout_losses.push_back(problem.in_units(each));
  }
  result.returned_iteration = reached.iteration;
  result.objective_error = reached.objective_error;
  result.objective_errors = reached.objective_errors;
  result.objectives = reached.objectives;
  result.gradients = reached.gradients;
  result.failed_epochs = reached.failed_epochs;
  result.best_start = best.run.start;
  result.history = std::move(best.run.history);
}

/// The state of the checkpoint. Throws Error where it is that of another run.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] GcpState<Scalar> resumed_gcp_state(const GcpCall<Scalar, Ordinal, Exec>& call) {
  auto state = read_state<GcpState<Scalar>>(call.checkpoint->state);
  check_same_run("cp_gcp", state, call.checkpoint->model, call.options);
  const auto loss = SavedLoss::of(call.loss);
  if (state.task.loss != loss) {
    throw Error("the checkpoint is of a run with the loss " + state.task.loss.text() +
                ", this one has " + loss.text())
        .as(Error::Code::checkpoint);
  }
  if (state.task.missing.has_value() != (call.missing != nullptr)) {
    throw Error(state.task.missing ? "the checkpoint is of a run with a list of missing entries"
                                   : "the checkpoint is of a run without a list of missing entries")
        .as(Error::Code::checkpoint);
  }
  return state;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires std::same_as<Ordinal, RowNumber>
[[nodiscard]] CpGcpResult<Scalar, Exec> run_cp_gcp(const Exec& exec,
                                                   const GcpCall<Scalar, Ordinal, Exec>& call) {
  call.check();
  return with_memory_errors("cp_gcp", [&] {
    const Stopwatch watch;
    PhaseTimings timings{"merge",     "split",    "norm",      "prepare", "setup",
                         "objective", "gradient", "direction", "loop",    "arrange"};
    CpGcpOptions options = call.options;
    options.method = chosen_method(call);
    std::optional<GcpState<Scalar>> resumed;
    if (call.checkpoint != nullptr) {
      resumed = resumed_gcp_state(call);
      options.mttkrp.kernel = resumed->task.kernel;
      // Steps of one method are none of another, which `automatic` may be on another device.
      options.method = resumed->task.method;
    }
    const double memory = require_gcp_memory(
        call.tensor, call.missing == nullptr ? 0 : call.missing->nnz(), call.loss.facts(), options);
    const GcpCall<Scalar, Ordinal, Exec> chosen{.tensor = call.tensor,
                                                .missing = call.missing,
                                                .loss = call.loss,
                                                .options = options,
                                                .observer = call.observer};
    auto problem = make_gcp_problem(exec, chosen, memory, timings);
    if (resumed) {
      check_same_tensor(resumed->task.tensor, problem.objective->fingerprint(exec));
      if (resumed->task.missing != problem.objective->missing_mark(exec)) {
        throw Error("the checkpoint is of another list of missing entries")
            .as(Error::Code::checkpoint);
      }
    }
    // Checkpoints have the caller's options.
    GcpSolver<Scalar, Exec> solver(exec, problem, call.loss, call.options, watch);
    SeveralStarts starts(solver, call.observer, timings, watch);
    if (resumed) {
      starts.resume(std::move(*resumed), call.checkpoint->model);
    } else {
      starts.run(call.guess);
    }
    CpGcpResult<Scalar, Exec> result;
    take_best(problem, starts.best(), result);
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
                                                       const GcpCall<Scalar, Ordinal, Exec>& call) {
  return with_memory_errors("cp_gcp", [&] {
    call.check();
    const auto tensor = with_row_numbers(exec, call.tensor, "cp_gcp");
    std::optional<Sptensor<Scalar, RowNumber, Exec>> missing;
    if (call.missing != nullptr) missing = with_row_numbers(exec, *call.missing, "cp_gcp");
    return run_cp_gcp<Scalar, RowNumber, Exec>(exec, {.tensor = tensor,
                                                      .missing = missing ? &*missing : nullptr,
                                                      .loss = call.loss,
                                                      .guess = call.guess,
                                                      .checkpoint = call.checkpoint,
                                                      .options = call.options,
                                                      .observer = call.observer});
  });
}

/// The same from the guess, whose rank counts.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpGcpResult<Scalar, Exec> run_cp_gcp_from_guess(const Exec& exec,
                                                              GcpCall<Scalar, Ordinal, Exec> call) {
  if (call.options.starts != 1) {
    throw Error::in("cp_gcp", "expected one start from a given initial guess, got " +
                                  std::to_string(call.options.starts))
        .as(Error::Code::guess);
  }
  if (call.guess->dimensions() != call.tensor.dimensions() || call.guess->rank() == 0) {
    throw Error::in("cp_gcp",
                    "expected an initial guess with the tensor's dimensions and at least one "
                    "component")
        .as(Error::Code::guess);
  }
  CpGcpOptions options = call.options;
  options.rank = call.guess->rank();
  return run_cp_gcp<Scalar, Ordinal, Exec>(exec, {.tensor = call.tensor,
                                                  .missing = call.missing,
                                                  .loss = call.loss,
                                                  .guess = call.guess,
                                                  .options = options,
                                                  .observer = call.observer});
}

}  // namespace genten::detail

namespace genten {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp<Scalar, Ordinal, Exec>(
      exec, {.tensor = tensor, .loss = loss, .options = options, .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const Ktensor<Scalar, Exec>& guess, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp_from_guess<Scalar, Ordinal, Exec>(
      exec,
      {.tensor = tensor, .loss = loss, .guess = &guess, .options = options, .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp<Scalar, Ordinal, Exec>(exec, {.tensor = tensor,
                                                          .loss = loss,
                                                          .checkpoint = &checkpoint,
                                                          .options = options,
                                                          .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const AnyLoss& loss,
    const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp<Scalar, Ordinal, Exec>(exec, {.tensor = tensor,
                                                          .missing = &missing,
                                                          .loss = loss,
                                                          .options = options,
                                                          .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const AnyLoss& loss,
    const Ktensor<Scalar, Exec>& guess, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp_from_guess<Scalar, Ordinal, Exec>(exec, {.tensor = tensor,
                                                                     .missing = &missing,
                                                                     .loss = loss,
                                                                     .guess = &guess,
                                                                     .options = options,
                                                                     .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const AnyLoss& loss,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer) {
  return detail::run_cp_gcp<Scalar, Ordinal, Exec>(exec, {.tensor = tensor,
                                                          .missing = &missing,
                                                          .loss = loss,
                                                          .checkpoint = &checkpoint,
                                                          .options = options,
                                                          .observer = observer});
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::vector<GcpWarning> slices_without_minimum(const Exec& exec,
                                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                               const Sptensor<Scalar, Ordinal, Exec>* missing,
                                               const LossFacts& loss, const CpGcpOptions& options) {
  const auto order = static_cast<std::size_t>(tensor.order());
  const auto bounds = detail::gcp_bounds(options, loss, tensor.order());
  const auto is_free = detail::free_modes(options, tensor.order());
  detail::OpenModes open;
  for (std::size_t n = 0; n < order; ++n) {
    const bool is_penalized =
        detail::number_of_mode("ridge", options.ridge, n, order, loss.default_ridge) > 0.0 ||
        detail::number_of_mode("l1", options.l1, n, order, 0.0) > 0.0;
    open.add(loss, bounds[n], is_free[n] && !is_penalized);
  }
  if (!open.any()) return {};
  auto distinct = sum_duplicates(exec, tensor).tensor;
  std::optional<Sptensor<Scalar, Ordinal, Exec>> away;
  if (missing != nullptr) {
    away = sum_duplicates(exec, *missing).tensor;
    distinct = detail::without_entries(exec, distinct, *away);
  }
  return detail::slice_warnings(exec, distinct, away ? &*away : nullptr,
                                options.unlisted == UnlistedEntries::missing, open);
}

}  // namespace genten

#define GENTEN_ETI_CP_GCP(PREFIX, SCALAR, ORDINAL, EXEC)                                     \
  PREFIX template std::vector<genten::GcpWarning> genten::slices_without_minimum(            \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                           \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>*, const genten::LossFacts&,              \
      const genten::CpGcpOptions&);                                                          \
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
      const genten::KtensorObserver<SCALAR, EXEC>&);                                         \
  PREFIX template genten::CpGcpResult<SCALAR, EXEC> genten::cp_gcp<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                           \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::AnyLoss&,                \
      const genten::CpGcpOptions&, const genten::KtensorObserver<SCALAR, EXEC>&);            \
  PREFIX template genten::CpGcpResult<SCALAR, EXEC> genten::cp_gcp<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                           \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::AnyLoss&,                \
      const genten::Ktensor<SCALAR, EXEC>&, const genten::CpGcpOptions&,                     \
      const genten::KtensorObserver<SCALAR, EXEC>&);                                         \
  PREFIX template genten::CpGcpResult<SCALAR, EXEC> genten::cp_gcp<SCALAR, ORDINAL, EXEC>(   \
      const EXEC&, const genten::Sptensor<SCALAR, ORDINAL, EXEC>&,                           \
      const genten::Sptensor<SCALAR, ORDINAL, EXEC>&, const genten::AnyLoss&,                \
      const genten::Checkpoint<genten::Ktensor<SCALAR, EXEC>>&, const genten::CpGcpOptions&, \
      const genten::KtensorObserver<SCALAR, EXEC>&);
