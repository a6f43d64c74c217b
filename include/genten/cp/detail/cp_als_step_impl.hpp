// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/cp/detail/cp_als_step.hpp>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
CpAlsStep<Scalar, Ordinal, Exec, Rows>::CpAlsStep(const Exec& exec, Problem& problem,
                                                  bool fix_signs)
    : m_exec(exec), m_problem(problem), m_finish{.fix_signs = fix_signs} {
  if constexpr (is_constrained()) {
    m_finish.fix_signs = fix_signs && bounds_allow_signs(problem.constraints);
    m_finish.normalize = bounds_allow_scaling(problem.constraints);
    m_finish.exponents = problem.exponents;
  }
  for (const std::size_t rows : problem.relabeling.dimensions()) {
    m_factors.emplace_back(rows, problem.rank);
  }
  make_rows();
  if (problem.is_accelerated) m_momentum.emplace(problem);
  for (const int mode : problem.updates) m_updates.push_back({.mode = mode});
  if (problem.processes.exchange().sends_beside()) m_side.emplace();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::make_rows() {
  if constexpr (is_constrained()) {
    m_rows.emplace(m_problem.constraints, m_problem.rank, m_problem.most_rows());
  } else {
    m_rows.emplace(m_problem.order(), m_problem.rank, m_problem.most_rows());
  }
  m_rows->join(m_problem.processes.exchange());
  m_rows->set_unit(m_problem.unit());
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::start_random(std::uint64_t seed, FactorKind kind) {
  m_beginning = Beginning{.seed = seed, .kind = kind};
  begin();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::start_from(const Model& guess) {
  m_beginning = Beginning{.guess = guess};
  begin();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::start_at(StepState<Scalar> state,
                                                      std::size_t iterations) {
  m_beginning = Beginning{.saved = std::move(state), .iterations = iterations};
  begin();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
std::size_t CpAlsStep<Scalar, Ordinal, Exec, Rows>::restart() {
  fence(m_exec, "genten::restart");
  // Padding must be zero again, too.
  for (Matrix& each : m_factors) {
    const std::size_t rows = each.rows();
    each = {};
    each = Matrix(rows, m_problem.rank);
  }
  make_rows();
  begin();
  return m_beginning.iterations;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::move_factors(const std::vector<Matrix>& to) {
  const auto columns =
      Kokkos::make_pair(std::size_t{0}, padded_stride(m_problem.rank, sizeof(Scalar)));
  for (std::size_t m = 0; m < m_factors.size(); ++m) {
    Kokkos::deep_copy(m_exec, Kokkos::subview(to[m].padded_view(), Kokkos::ALL(), columns),
                      Kokkos::subview(m_factors[m].padded_view(), Kokkos::ALL(), columns));
  }
  fence(m_exec, "genten::move_factors");
  m_factors = to;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::begin() {
  m_begun = m_beginning.saved.has_value();
  if (m_momentum) m_momentum->begin();
  // Where lengths of columns count, those of what it begins with do.
  const bool sized = m_problem.counts_lengths() || (is_constrained() && !m_beginning.guess);
  m_finish.exponent = m_begun || sized ? m_problem.exponent : 0;
  m_given.assign(m_factors.size(), std::nullopt);
  for (std::size_t m = 0; m < m_factors.size(); ++m) m_versions[m] = ++m_problem.version;
  if (m_beginning.saved) {
    begin_from(*m_beginning.saved);
  } else if (m_beginning.guess) {
    std::optional<InitialGuess<Scalar, Exec>> checked;
    m_problem.processes.together([&] { checked = checked_guess(*m_beginning.guess); });
    begin_from(*checked);
  } else {
    begin_randomly();
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
InitialGuess<Scalar, Exec> CpAlsStep<Scalar, Ordinal, Exec, Rows>::checked_guess(
    const Model& guess) const {
  auto checked = m_problem.counts_lengths()
                     ? counted_guess(m_exec, guess, m_problem.updates, m_problem.exponents)
                     : InitialGuess<Scalar, Exec>::of(m_exec, guess);
  check_within(m_exec, checked, m_problem.constraints);
  return checked;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::begin_randomly() {
  StartLengths<Scalar> lengths(m_problem.rank);
  for (int mode = 0; mode < m_problem.order(); ++mode) {
    fill_random(m_exec, factor(mode), m_beginning.seed, mode, m_beginning.kind,
                m_problem.relabeling.original_rows(mode));
    if constexpr (is_constrained()) {
      move_within(m_exec, factor(mode), m_problem.constraints[static_cast<std::size_t>(mode)]);
    }
    m_rows->measure(m_exec, mode, m_problem.own_rows(mode, factor(mode)));
    if constexpr (is_constrained()) {
      lengths.add(m_rows->measured(), m_problem.constraints[static_cast<std::size_t>(mode)]);
    }
  }
  if constexpr (is_constrained()) {
    std::vector<double> factors(m_factors.size(), 1.0);
    if (m_problem.counts_lengths()) {
      factors = lengths.factors(m_problem.tensor_norm);
    } else if (m_problem.value_size > 0.0 && !m_problem.updates.empty()) {
      // Numbers of [0, 1) become as large as the nonzeros, whatever their unit: coordinate descent
      // begins where the rows are. The mode that is updated first hands their length on.
      factors[static_cast<std::size_t>(m_problem.updates.front())] =
          std::ldexp(1.0, std::ilogb(m_problem.value_size));
    }
    for (int mode = 0; mode < m_problem.order(); ++mode) {
      const double length = factors[static_cast<std::size_t>(mode)];
      // Bounds that forbid scaling forbid its rounding, too.
      if (length == 1.0) continue;
      scale_columns(m_exec, factor(mode), std::vector<double>(m_problem.rank, length));
      m_rows->measure(m_exec, mode, m_problem.own_rows(mode, factor(mode)));
    }
    for (int mode = 0; mode < m_problem.order(); ++mode) {
      m_rows->begin(m_exec, mode, m_problem.own_rows(mode, factor(mode)), true);
    }
    m_rows->begin_first_sweeps();
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::begin_from(const InitialGuess<Scalar, Exec>& guess) {
  for (int mode = 0; mode < m_problem.order(); ++mode) {
    const Matrix& rows = guess.factors[static_cast<std::size_t>(mode)];
    // Rows without nonzeros count in the Gram matrix until the mode's first update clears them.
    m_rows->set_gram(mode, guess.grams[static_cast<std::size_t>(mode)]);
    if constexpr (is_constrained()) m_rows->begin(m_exec, mode, rows);
    m_problem.relabeling.gather_rows(m_exec, mode, rows, factor(mode));
    given(mode) = rows;
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::queue_mttkrp(ModeUpdate& update) {
  const ProfilingRegion region("genten::mttkrp");
  update.begun.set(m_exec);
  std::function<void()> early;
  if (m_side) early = [this, &update] { update.early.set(m_exec); };
  m_problem.plan->execute(m_exec, m_factors, update.mode,
                          m_rows->mttkrp_output(update.mode, factor(update.mode)), m_versions,
                          early);
  update.contracted.set(m_exec);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
typename Rows::Applied CpAlsStep<Scalar, Ordinal, Exec, Rows>::queue_rows(
    ModeUpdate& update, std::optional<typename Rows::Solved> solved) {
  const ProfilingRegion region("genten::solve");
  if (!solved) solved.emplace(m_rows->solve(update.mode));
  m_versions[update.mode] = ++m_problem.version;
  return m_rows->apply(m_exec, m_problem.own_rows(update.mode, factor(update.mode)),
                       std::move(*solved), update.rows);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::fold(ModeUpdate& update) {
  auto& processes = m_problem.processes.exchange();
  if (!processes.is_distributed()) return;
  const ProfilingRegion region("genten::fold");
  const Matrix rows = m_rows->mttkrp_output(update.mode, factor(update.mode));
  if (m_side) update.early.hold(to_processes());
  processes.send_parts(to_processes(), update.mode, rows);
  if (m_side) {
    update.sent.set(to_processes());
    update.sent.hold(m_exec);
  }
  processes.add_parts(m_exec, update.mode, rows);
  update.folded.set(m_exec);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::expand(ModeUpdate& update) {
  auto& processes = m_problem.processes.exchange();
  if (!processes.is_distributed()) return;
  const ProfilingRegion region("genten::expand");
  if (m_side) update.rows.written.hold(to_processes());
  processes.expand(to_processes(), update.mode, factor(update.mode));
  update.expanded.set(to_processes());
  if (m_side) update.expanded.hold(m_exec);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::settle(int mode, PhaseTimings& timings) {
  // The first sweep does not foresee weights: here stored columns get norm one.
  timings.time(m_exec, "scale",
               [&] { scale_columns(m_exec, factor(mode), m_rows->take_correction(mode)); });
  given(mode).reset();
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
SweepOutcome CpAlsStep<Scalar, Ordinal, Exec, Rows>::sweep(std::size_t iteration,
                                                           PhaseTimings& timings) {
  move_on(timings);
  update_modes(iteration == 1, timings);
  while (m_rows->end_sweep()) {
    add_times(timings);
    ++m_sweeps;
    update_modes(false, timings);
  }
  const SweepOutcome outcome = end_sweep();
  add_times(timings);
  return accept(outcome, timings);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
SweepOutcome CpAlsStep<Scalar, Ordinal, Exec, Rows>::end_sweep() {
  m_begun = true;
  m_finish.exponent = m_problem.exponent;
  ++m_sweeps;
  return m_problem.processes.agree(evaluate());
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::update_modes(bool first, PhaseTimings& timings) {
  for (ModeUpdate& update : m_updates) {
    // Of two chains of kernels that run beside each other, the longer one is queued first.
    std::optional<typename Rows::Solved> solved;
    if (m_rows->solves_early()) solved.emplace(m_rows->solve(update.mode));
    queue_mttkrp(update);
    fold(update);
    auto applied = queue_rows(update, std::move(solved));
    expand(update);
    m_rows->absorb(std::move(applied), first);
    if (!first) continue;
    // A device still computes: what `scale` would wait for is MTTKRP's time and the update's.
    update.rows.updated.wait();
    settle(update.mode, timings);
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::add_times(PhaseTimings& timings) const {
  const auto seconds_of_solve = [this](std::size_t k) {
    const ModeUpdate& update = m_updates[k];
    const double seconds = update.rows.updated.seconds_since(update.contracted);
    if (k + 1 == m_updates.size()) return seconds;
    // What runs beside the next MTTKRP counts as that.
    return std::min(seconds, m_updates[k + 1].begun.seconds_since(update.contracted));
  };
  for (std::size_t k = 0; k < m_updates.size(); ++k) {
    const ModeUpdate& update = m_updates[k];
    timings.add("mttkrp", update.contracted.seconds_since(update.begun));
    if (!m_problem.processes.are_distributed()) {
      timings.add("solve", seconds_of_solve(k));
      continue;
    }
    timings.add("fold", update.folded.seconds_since(update.contracted));
    timings.add("solve", update.rows.updated.seconds_since(update.folded));
    update.expanded.wait();
    // Where rows go beside the rest, they may be there before what is found in them.
    timings.add("expand", std::max(update.expanded.seconds_since(update.rows.updated), 0.0));
  }
  m_problem.processes.exchange().add_times(timings);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
SweepOutcome CpAlsStep<Scalar, Ordinal, Exec, Rows>::evaluate() const {
  const double norm = m_problem.tensor_norm;
  const AlsStatistics found = m_rows->statistics();
  const double square = norm * norm + found.model_norm_squared - 2.0 * found.inner_product;
  // Rounding may leave a small negative number; not so a NaN, which std::max would hide.
  const double residual = square < 0.0 ? 0.0 : std::sqrt(square);
  return {.fit = fit_of(residual, norm),
          .residual_norm = std::ldexp(residual, m_problem.exponent),
          .objective = on_scale(0.5 * residual * residual + found.penalty),
          .kkt_violation = norm > 0.0 ? found.violation / norm : found.violation};
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
StoredModel<Scalar, Ordinal, Exec> CpAlsStep<Scalar, Ordinal, Exec, Rows>::stored_model() const {
  if (m_beginning.guess && !m_begun && !m_problem.counts_lengths()) return stored_guess();
  StoredModel<Scalar, Ordinal, Exec> model{{}, m_rows->weights()};
  for (int mode = 0; mode < m_problem.order(); ++mode) {
    const auto n = static_cast<std::size_t>(mode);
    auto& stored = model.factors.emplace_back();
    stored.matrix = m_given[n].value_or(m_factors[n]);
    stored.correction = m_rows->correction(mode);
    stored.dimension = m_problem.dimensions[n];
    if (m_given[n]) continue;
    stored.rows = m_problem.relabeling.original_rows(mode);
    stored.own = m_problem.processes.exchange().own_rows(mode, stored.matrix.rows());
  }
  leave_given_to_first(model);
  return model;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
void CpAlsStep<Scalar, Ordinal, Exec, Rows>::leave_given_to_first(
    StoredModel<Scalar, Ordinal, Exec>& model) const {
  if (m_problem.processes.has_model()) return;
  for (auto& factor : model.factors) {
    if (!factor.own) factor.matrix = Matrix(m_exec, 0, m_problem.rank);
  }
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
StoredModel<Scalar, Ordinal, Exec> CpAlsStep<Scalar, Ordinal, Exec, Rows>::stored_guess() const {
  const Model& guess = *m_beginning.guess;
  StoredModel<Scalar, Ordinal, Exec> model{{}, host_weights(m_exec, guess)};
  const std::vector<double> ones(m_problem.rank, 1.0);
  for (const Matrix& rows : guess.factors()) {
    model.factors.push_back({rows, ones, rows.rows(), std::nullopt});
  }
  // The signs of weights belong to a factor.
  for (std::size_t r = 0; r < model.weights.size(); ++r) {
    model.factors.back().correction[r] = std::copysign(1.0, model.weights[r]);
    model.weights[r] = std::abs(model.weights[r]);
  }
  leave_given_to_first(model);
  return model;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
Ktensor<Scalar, Exec> CpAlsStep<Scalar, Ordinal, Exec, Rows>::model() const {
  return finish_whole(m_exec, stored_model(), m_finish, m_problem.gathered,
                      m_problem.processes.exchange());
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
StoredModel<Scalar, Ordinal, Exec> CpAlsStep<Scalar, Ordinal, Exec, Rows>::take_stored() {
  auto stored = stored_model();
  m_beginning = Beginning{};
  m_factors.clear();
  m_given.clear();
  return stored;
}

}  // namespace genten::detail
