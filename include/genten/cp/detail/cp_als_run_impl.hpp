// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/detail/cp_als_run.hpp>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CpAlsRun<Scalar, Ordinal, Exec>::queue_mttkrp(Step& step) {
  Kokkos::Profiling::pushRegion("genten::mttkrp");
  step.begun.set(m_exec);
  // MTTKRP does not read the factor of its own mode, so it writes there.
  m_problem.plan->execute(m_exec, m_factors, step.mode, factor(step.mode), m_versions);
  step.contracted.set(m_exec);
  Kokkos::Profiling::popRegion();
  ++m_mttkrps;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CpAlsRun<Scalar, Ordinal, Exec>::queue_update(Step& step) {
  Kokkos::Profiling::pushRegion("genten::solve");
  const std::size_t count = m_algebra.solve(step.mode, m_transforms);
  m_update.run(m_exec, factor(step.mode), std::span(m_transforms).first(count));
  step.updated.set(m_exec);
  Kokkos::Profiling::popRegion();
  m_updated[step.mode] = true;
  m_versions[step.mode] = ++m_version;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CpAlsRun<Scalar, Ordinal, Exec>::scale(int mode) {
  m_timings.time(m_exec, "scale",
                 [&] { scale_columns(m_exec, factor(mode), m_algebra.take_correction(mode)); });
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CpAlsRun<Scalar, Ordinal, Exec>::sweep(bool first_sweep) {
  for (Step& step : m_steps) {
    queue_mttkrp(step);
    queue_update(step);
    m_algebra.absorb(step.mode, step.updated, m_update, first_sweep);
    if (first_sweep) scale(step.mode);
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CpAlsRun<Scalar, Ordinal, Exec>::add_times() {
  for (const Step& step : m_steps) {
    m_timings.add("mttkrp", step.contracted.seconds_since(step.begun));
    m_timings.add("solve", step.updated.seconds_since(step.contracted));
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
IterationRecord CpAlsRun<Scalar, Ordinal, Exec>::evaluate(std::size_t iteration,
                                                          const Stopwatch& watch) {
  const double norm = m_problem.tensor_norm;
  const AlsStatistics figures = m_algebra.figures();
  const double square = norm * norm + figures.model_norm_squared - 2.0 * figures.inner_product;
  IterationRecord record;
  record.iteration = iteration;
  // Rounding may leave a small negative number; not so a NaN, which std::max would hide.
  record.residual_norm = square < 0.0 ? 0.0 : std::sqrt(square);
  record.fit = fit_of(record.residual_norm, norm);
  record.fit_change = record.fit - fit();
  record.seconds = watch.seconds();
  return record;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
std::optional<StopReason> CpAlsRun<Scalar, Ordinal, Exec>::reason_to_stop(
    const IterationRecord& record) {
  if (!std::isfinite(record.fit)) return StopReason::non_finite;
  if (m_observer) {
    const CpAlsIteration<Scalar, Exec> iteration{m_start, record, m_problem.tensor_norm,
                                                 [this] { return model(); }};
    if (m_observer(iteration) == ObserverAction::stop) return StopReason::observer;
  }
  if (record.iteration > 1 && std::abs(record.fit_change) < m_options.tolerance) {
    return StopReason::converged;
  }
  if (m_options.time_limit > 0.0 && m_elapsed + record.seconds >= m_options.time_limit) {
    return StopReason::time_limit;
  }
  return std::nullopt;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
void CpAlsRun<Scalar, Ordinal, Exec>::iterate() {
  const Stopwatch watch;
  m_reason = StopReason::iteration_limit;
  for (std::size_t iteration = 1; iteration <= m_options.max_iterations; ++iteration) {
    if (m_problem.updates.empty()) break;
    Kokkos::Profiling::pushRegion("genten::iteration");
    sweep(iteration == 1);
    m_history.push_back(evaluate(iteration, watch));
    add_times();
    Kokkos::Profiling::popRegion();
    if (const auto reason = reason_to_stop(m_history.back())) {
      m_reason = *reason;
      break;
    }
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Ktensor<Scalar, Exec> CpAlsRun<Scalar, Ordinal, Exec>::stored_model() const {
  using Weights = typename Ktensor<Scalar, Exec>::weights_view;
  std::vector<Matrix> factors;
  for (int mode = 0; mode < order(); ++mode) factors.push_back(stored(mode));
  return {Weights("genten::weights", m_problem.rank), std::move(factors)};
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Ktensor<Scalar, Exec> CpAlsRun<Scalar, Ordinal, Exec>::normalized(
    Ktensor<Scalar, Exec> model) const {
  for (int mode = 0; mode < order(); ++mode) {
    scale_columns(m_exec, model.factor(mode), m_algebra.correction(mode));
  }
  set_weights(m_exec, model, m_algebra.weights());
  normalize(m_exec, model);
  return model;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
Ktensor<Scalar, Exec> CpAlsRun<Scalar, Ordinal, Exec>::with_all_rows(
    Ktensor<Scalar, Exec> model) const {
  const auto weights = model.weights();
  std::vector<Matrix> factors = model.factors();
  model = {};
  for (int mode = 0; mode < order(); ++mode) {
    if (whole(mode)) continue;
    Matrix& rows = factors[static_cast<std::size_t>(mode)];
    const Matrix all(m_exec, m_problem.dimensions[static_cast<std::size_t>(mode)], m_problem.rank);
    m_problem.relabeling.scatter_rows(m_exec, mode, rows, all);
    fence(m_exec, "genten::scatter_rows");
    rows = all;
  }
  return {weights, std::move(factors)};
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
CpAlsResult<Scalar, Exec> CpAlsRun<Scalar, Ordinal, Exec>::result(bool last_start) {
  CpAlsResult<Scalar, Exec> result;
  result.kernel = m_problem.plan->kernel();
  result.kernel_description = m_problem.plan->describe();
  result.kernel_choice = m_problem.plan->choice();
  const auto nnz = static_cast<double>(m_problem.plan->problem().nnz);
  // Models of long modes take more memory than all that was needed to find them.
  if (last_start) m_problem.plan.reset();
  m_timings.time(m_exec, "arrange", [&] {
    auto model = normalized(stored_model());
    m_factors.clear();
    if (m_reason != StopReason::non_finite) arrange(m_exec, model);
    result.model = with_all_rows(std::move(model));
  });
  result.stop_reason = m_reason;
  result.iterations = m_history.size();
  result.history = m_history;
  if (!m_history.empty()) {
    result.fit = m_history.back().fit;
    result.residual_norm = m_history.back().residual_norm;
  }
  result.tensor_norm = m_problem.tensor_norm;
  result.timings = m_timings.phases();
  result.rank_deficient_solves = m_algebra.rank_deficient_solves();
  const double seconds = result.seconds("mttkrp");
  if (seconds > 0.0) {
    const auto calls = static_cast<double>(m_mttkrps);
    const double width = order() * static_cast<double>(m_problem.rank);
    result.mttkrp_gflops = calls * width * nnz / seconds * 1e-9;
    result.mttkrp_gbytes =
        calls * nnz * 1e-9 / seconds * ((width + 3.0) * sizeof(Scalar) + order() * sizeof(Ordinal));
  }
  return result;
}

}  // namespace genten::detail
