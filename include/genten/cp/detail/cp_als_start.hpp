// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsStart: one of the starts of CP-ALS, in hand or done.

#include <genten/cp/detail/cp_als_step.hpp>
#include <genten/cp/detail/refine_residual.hpp>
#include <genten/cp/result.hpp>

#include <cmath>
#include <memory>
#include <optional>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
struct CpAlsStart {
  using Model = Ktensor<Scalar, Exec>;

  /// None where it was done before a checkpoint, which has its model.
  std::optional<CpAlsStep<Scalar, Ordinal, Exec, Rows>> step;
  std::optional<Model> finished;
  RunState state{};
  std::optional<StopReason> ended{};   ///< why, where it has ended before its turn
  std::size_t observed = 0;            ///< iterations that need not be shown to an observer
  CpAlsResult<Scalar, Exec> result{};  ///< what it has reached; no model, no history

  [[nodiscard]] Model model() const { return finished ? *finished : step->model(); }
  /// Its factors are used up.
  [[nodiscard]] Model take_model() { return finished ? *finished : step->take_model(); }
  /// The same of several ranks, whose own rows it gives to each.
  [[nodiscard]] ModelPart<Scalar, Exec> take_part(
      const Exec& exec, const CpAlsProblem<Scalar, Ordinal, Exec>& problem) {
    if (!finished) return step->take_part();
    return part_of_first(exec, problem.dimensions, problem.rank, *finished,
                         *problem.ranks.exchange);
  }

  /// What the iterations have reached, the residual as the last one gave it.
  [[nodiscard]] CpAlsResult<Scalar, Exec> reached(
      const CpAlsProblem<Scalar, Ordinal, Exec>& problem, StopReason reason) const {
    CpAlsResult<Scalar, Exec> reached;
    reached.stop_reason = reason;
    reached.iterations = state.history.size();
    reached.fit = state.fit();
    reached.tensor_norm = std::ldexp(problem.tensor_norm, problem.exponent);
    reached.rank_deficient_solves = step->rank_deficient_solves();
    reached.momentum_restarts = step->momentum_restarts();
    reached.penalty = step->penalty();
    if (state.history.empty()) return reached;
    reached.residual_norm = state.history.back().residual_norm;
    reached.objective = state.history.back().objective;
    reached.kkt_violation = state.history.back().kkt_violation;
    if constexpr (std::is_same_v<Scalar, double>) {
      const double size = problem.tensor_norm + step->component_norms();
      const double part = std::ldexp(reached.residual_norm, -problem.exponent) / size;
      const double error = size > 0.0 ? size * residual_error(part, double_sums_error) : 0.0;
      reached.residual_error = std::ldexp(error, problem.exponent);
    }
    return reached;
  }
};

/// A start that is done, for a checkpoint: with its model, or without where that is the
/// checkpoint's. Of several ranks all ask for it, and those without a model get none.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
[[nodiscard]] DoneState<Scalar> save_done(const Exec& exec,
                                          const CpAlsStart<Scalar, Ordinal, Exec, Rows>& start,
                                          bool with_model) {
  DoneState<Scalar> done{start.state,
                         start.result.stop_reason,
                         start.result.fit,
                         start.result.residual_norm,
                         start.result.residual_error,
                         start.result.residual_route,
                         start.result.rank_deficient_solves,
                         start.result.momentum_restarts,
                         start.result.objective,
                         start.result.penalty,
                         start.result.kkt_violation,
                         {}};
  if (!with_model) return done;
  const auto model = start.model();
  if (model.rank() == 0) return done;
  auto& weights = done.model.emplace_back();
  for (const double weight : host_weights(exec, model)) {
    weights.push_back(static_cast<Scalar>(weight));
  }
  for (const auto& factor : model.factors()) done.model.push_back(packed_elements(factor));
  return done;
}

/// The start that was saved. `model` is the checkpoint's. Ranks without models get it without.
template <RowUpdate Rows, RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::unique_ptr<CpAlsStart<Scalar, Ordinal, Exec, Rows>> restore_done(
    const Exec& exec, const CpAlsProblem<Scalar, Ordinal, Exec>& problem, DoneState<Scalar> done,
    const Ktensor<Scalar, Exec>& model) {
  auto start = std::make_unique<CpAlsStart<Scalar, Ordinal, Exec, Rows>>();
  auto& result = start->result;
  start->state = std::move(done.run);
  result.stop_reason = done.stop_reason;
  result.iterations = start->state.history.size();
  result.fit = done.fit;
  result.residual_norm = done.residual_norm;
  result.residual_error = done.residual_error;
  result.residual_route = done.residual_route;
  result.rank_deficient_solves = done.rank_deficient_solves;
  result.momentum_restarts = done.momentum_restarts;
  result.objective = done.objective;
  result.penalty = done.penalty;
  result.kkt_violation = done.kkt_violation;
  result.tensor_norm = std::ldexp(problem.tensor_norm, problem.exponent);
  if (!problem.ranks.has_model()) {
    start->finished.emplace();
    return start;
  }
  if (done.model.empty()) {
    start->finished = model;
    return start;
  }
  if (done.model.size() != problem.dimensions.size() + 1 ||
      done.model.front().size() != problem.rank) {
    throw Error::in("cp_als", "the model of a start that is done is not whole in the checkpoint")
        .as(Error::Code::checkpoint);
  }
  std::vector<FacMatrix<Scalar, Exec>> factors;
  for (std::size_t n = 0; n < problem.dimensions.size(); ++n) {
    factors.push_back(
        unpacked_matrix(exec, done.model[n + 1], problem.dimensions[n], problem.rank));
  }
  const auto& weights = done.model.front();
  start->finished.emplace(
      typename Ktensor<Scalar, Exec>::weights_view("genten::weights", problem.rank),
      std::move(factors));
  set_weights(exec, *start->finished, std::vector<double>(weights.begin(), weights.end()));
  return start;
}

}  // namespace genten::detail
