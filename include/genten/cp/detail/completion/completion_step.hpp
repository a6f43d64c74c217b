// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CompletionStep: a sweep over all modes of a tensor with missing entries, and the model that it
/// improves. `Rows` says how rows are updated.

#include <genten/core/fill_random.hpp>
#include <genten/cp/detail/bounded_start.hpp>
#include <genten/cp/detail/completion/completion_state.hpp>
#include <genten/cp/detail/completion/known_rows.hpp>
#include <genten/cp/detail/finish_model.hpp>
#include <genten/cp/detail/initial_guess.hpp>
#include <genten/cp/detail/packed_model.hpp>
#include <genten/cp/iterate.hpp>

#include <optional>

namespace genten::detail {

/// What StartLengths wants to know of a factor.
template <RealScalar Scalar, ExecutionSpace Exec>
class MeasuredColumns {
 public:
  MeasuredColumns(const Exec& exec, const FacMatrix<Scalar, Exec>& factor)
      : m_gram(cross_gram(exec, factor, factor)),
        m_largest(column_norms(exec, factor, NormKind::inf)) {}

  [[nodiscard]] const HostMatrix& gram() const { return m_gram; }
  [[nodiscard]] auto column_max() const {
    return [this](std::size_t r) { return m_largest[r]; };
  }

 private:
  HostMatrix m_gram;
  std::vector<double> m_largest;
};

/// A SolverStep. Where entries are held out, its model is the one that has met them best so far.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Rows>
class CompletionStep {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = CompletionProblem<Scalar, Ordinal, Exec>;

  CompletionStep(const Exec& exec, Problem& problem, const CpCompletionOptions& options,
                 std::size_t rank)
      : m_exec(exec), m_problem(problem), m_options(options), m_rows(exec, problem, rank) {
    for (int n = 0; n < problem.order(); ++n) {
      m_factors.emplace_back(exec, problem.rows(n), rank);
      if (has_holdout()) m_best.emplace_back(exec, problem.rows(n), rank);
    }
  }

  /// Starts from random factors.
  void start_random(std::uint64_t seed) {
    m_beginning = Beginning{.seed = seed};
    begin();
  }
  /// Starts from a model, which is not changed.
  void start_from(const Model& guess) {
    m_beginning = Beginning{.guess = guess};
    begin();
  }
  /// Goes on from what `save` gave after so many iterations. Throws Error where that is of another
  /// problem.
  void start_at(CompletionStepState<Scalar> state, std::size_t iterations) {
    m_beginning = Beginning{.saved = std::move(state), .iterations = iterations};
    begin();
  }
  std::size_t restart() {
    begin();
    return m_beginning.iterations;
  }
  /// All that what follows depends on, after a sweep.
  [[nodiscard]] CompletionStepState<Scalar> save() const {
    fence(m_exec, "genten::completion_state");
    CompletionStepState<Scalar> state;
    for (const Matrix& factor : m_factors) state.factors.push_back(packed_elements(factor));
    if (is_best_kept()) {
      for (const Matrix& factor : m_best) state.best.push_back(packed_elements(factor));
    }
    state.reached = m_reached;
    state.ridge = m_problem.ridge.front();
    state.last_ridge = m_last_ridge;
    state.objective = m_objective;
    state.before = m_before;
    state.rank_deficient_solves = m_deficient;
    return state;
  }

  [[nodiscard]] SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings) {
    update_modes(timings);
    while (m_first.running() && m_first.repeats(component_norms())) {
      static_cast<void>(m_rows.take_violation());
      update_modes(timings);
    }
    const FactorCosts costs = timings.time(m_exec, "scale", [&] { return share_penalty(); });
    return timings.time(m_exec, "objective", [&] {
      const double square = m_rows.squared_residual(m_factors);
      SweepOutcome outcome = evaluate(square, costs.penalty);
      const double violation = m_rows.take_violation();
      outcome.kkt_violation = m_problem.norm > 0.0 ? violation / m_problem.norm : violation;
      m_before = std::exchange(m_objective, 0.5 * square + costs.penalty);
      m_last_ridge = m_problem.ridge.front();
      keep(iteration, outcome, costs);
      if (fits_ridge()) lower_ridge(square, costs.squares);
      return outcome;
    });
  }

  [[nodiscard]] Model model() const {
    fence(m_exec, "genten::completion_model");
    StoredModel<Scalar, Ordinal, Exec> stored{{}, std::vector<double>(rank(), 1.0)};
    const auto& factors = is_best_kept() ? m_best : m_factors;
    for (int n = 0; n < m_problem.order(); ++n) {
      auto& factor = stored.factors.emplace_back();
      factor.matrix = factors[static_cast<std::size_t>(n)];
      factor.correction.assign(rank(), 1.0);
      factor.dimension = m_problem.dimensions[static_cast<std::size_t>(n)];
      if (m_problem.relabeling) factor.rows = m_problem.relabeling->original_rows(n);
    }
    const auto& constraints = m_problem.constraints;
    const bool normalize = bounds_allow_scaling(constraints);
    return finish_model(m_exec, std::move(stored),
                        Finish{.fix_signs = bounds_allow_signs(constraints),
                               .exponent = m_problem.exponent,
                               .normalize = normalize,
                               .exponents = normalize ? std::vector<int>() : m_problem.exponents});
  }
  /// What the model's iteration has reached; nothing before the first, unless `measure_guess` was
  /// called.
  [[nodiscard]] const CompletionReached& reached() const { return m_reached; }
  /// Finds how well the guess fits, of a run that ends with it.
  void measure_guess() {
    if (m_reached.iteration != 0) return;
    const FactorCosts costs = share_penalty();
    m_rows.begin(m_factors);
    const double square = m_rows.squared_residual_of_guess(m_factors);
    take_reached(0, evaluate(square, costs.penalty), 0.5 * square + costs.penalty, costs);
  }
  [[nodiscard]] std::size_t rank_deficient_solves() const { return m_deficient; }
  /// Whether the last sweep has changed the objective by no more than this part of it, or than half
  /// of `rounding` of the tensor's squared norm. Not where the next one has a smaller ridge.
  [[nodiscard]] bool has_converged(double tolerance, double rounding) const {
    if (tolerance <= 0.0 || m_problem.ridge.front() < m_last_ridge) return false;
    const double change = std::abs(m_before - m_objective);
    return change <= std::max(tolerance * std::abs(m_objective),
                              0.5 * rounding * m_problem.norm * m_problem.norm);
  }

 private:
  /// Of the first: with it models of exact entries miss others by less than 1e-3 of their norm.
  static constexpr double least_ridge = 1e-3;
  static constexpr double most_fall = 0.7;  ///< of the ridge in a sweep
  /// Of the ridge in a sweep, lest it fall by millionths as long as the model changes.
  static constexpr double least_fall = 0.99;
  static constexpr double settled = 1e-3;  ///< change of the objective, as a part of it

  /// What it started from: the caller's guess, or what was saved, or random factors.
  struct Beginning {
    std::optional<Model> guess{};
    std::optional<CompletionStepState<Scalar>> saved{};
    std::size_t iterations = 0;  ///< that were done when it was saved
    std::uint64_t seed = 0;
  };

  /// Whether the model is one that an iteration has left.
  [[nodiscard]] bool is_best_kept() const { return has_holdout() && m_reached.iteration != 0; }
  [[nodiscard]] bool has_holdout() const { return m_problem.held_out.nnz() != 0; }
  [[nodiscard]] bool fits_ridge() const { return m_problem.first_ridge > 0.0; }
  [[nodiscard]] std::size_t rank() const { return m_factors.front().columns(); }

  void update_modes(PhaseTimings& timings) {
    for (int mode = 0; mode < m_problem.order(); ++mode) {
      m_deficient += m_rows.update(m_factors, mode, m_first.running(), timings);
    }
  }
  [[nodiscard]] std::vector<double> component_norms() const {
    std::vector<double> norms(rank(), 1.0);
    for (const Matrix& factor : m_factors) {
      const auto of_mode = column_norms(m_exec, factor, NormKind::two);
      for (std::size_t r = 0; r < norms.size(); ++r) norms[r] *= of_mode[r];
    }
    return norms;
  }

  void begin() {
    fence(m_exec, "genten::restart");
    m_deficient = 0;
    m_first = {};
    if (fits_ridge()) m_problem.take_ridge(m_problem.first_ridge);
    m_last_ridge = 0.0;
    m_objective = m_before = std::numeric_limits<double>::infinity();
    // Of the guess nothing is computed.
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    m_reached = {.outcome = {.fit = unknown, .residual_norm = unknown, .objective = unknown}};
    FactorCosts costs;
    if (m_beginning.saved) {
      take_saved(*m_beginning.saved);
    } else {
      if (m_beginning.guess) {
        take_guess(*m_beginning.guess);
      } else {
        take_random();
        const auto& constraints = m_problem.constraints;
        // Components come back where all modes have bounds of 0 alone.
        const bool may_lose = std::any_of(
            constraints.begin(), constraints.end(),
            [](const RowConstraint& each) { return each.is_linear() || !each.allows_scaling(); });
        if (may_lose) m_first.begin(is_penalized(constraints));
      }
      costs = share_penalty();
    }
    m_rows.begin(m_factors);
    if (m_beginning.guess && fits_ridge()) {
      take_ridge(ridge_of_noise(m_rows.squared_residual_of_guess(m_factors), costs.squares), 1.0);
    }
  }
  /// What the residuals ask for. Entries that are listed have told which rows there are.
  [[nodiscard]] double ridge_of_noise(double square, double squares) const {
    double rows = 0.0;
    for (const Matrix& factor : m_factors) rows += static_cast<double>(factor.rows());
    const double free = rows - static_cast<double>(m_problem.order()) + 1.0;  // but for scales
    return completion_ridge_of_noise(square, m_problem.entries, static_cast<double>(rank()) * free,
                                     squares);
  }
  /// Takes this ridge, or the least where it is below, unless that is above so much of the present.
  void take_ridge(double wanted, double most) {
    const double ridge = std::max(wanted, least_ridge * m_problem.first_ridge);
    if (ridge < most * m_problem.ridge.front()) m_problem.take_ridge(ridge);
  }
  /// After a sweep, once the model has settled: slowly, so that no component grows while others are
  /// yet to be found.
  void lower_ridge(double square, double squares) {
    const bool has_settled = std::abs(m_before - m_objective) < settled * m_objective;
    if (!has_settled && !(m_last_ridge < m_problem.first_ridge)) return;
    take_ridge(std::max(ridge_of_noise(square, squares), most_fall * m_last_ridge), least_fall);
  }
  void take_saved(const CompletionStepState<Scalar>& saved) {
    const auto unpack = [&](const std::vector<std::vector<Scalar>>& from, std::vector<Matrix>& to) {
      if (from.size() != to.size()) {
        throw Error::in("cp_completion", "the checkpoint's factors are not those of its tensor")
            .as(Error::Code::checkpoint);
      }
      for (std::size_t n = 0; n < to.size(); ++n) {
        to[n] = unpacked_matrix(m_exec, from[n], to[n].rows(), to[n].columns());
      }
    };
    unpack(saved.factors, m_factors);
    m_reached = saved.reached;
    if (fits_ridge()) m_problem.take_ridge(saved.ridge);
    m_last_ridge = saved.last_ridge;
    m_objective = saved.objective;
    m_before = saved.before;
    if (is_best_kept()) unpack(saved.best, m_best);
    m_deficient = saved.rank_deficient_solves;
  }
  void take_guess(const Model& model) {
    const auto guess = checked_guess(model);
    for (int n = 0; n < m_problem.order(); ++n) {
      const auto mode = static_cast<std::size_t>(n);
      if (m_problem.relabeling) {
        m_problem.relabeling->gather_rows(m_exec, n, guess.factors[mode], m_factors[mode]);
        fence(m_exec, "genten::take_guess");
      } else {
        genten::deep_copy(m_exec, m_factors[mode], guess.factors[mode]);
      }
      if (!takes_scaling()) continue;  // it has been taken out
      scale_columns(m_exec, m_factors[mode],
                    std::vector<double>(rank(), std::ldexp(1.0, -m_problem.exponents[mode])));
    }
  }
  [[nodiscard]] InitialGuess<Scalar, Exec> checked_guess(const Model& model) const {
    if (takes_scaling()) {
      auto guess = InitialGuess<Scalar, Exec>::of(m_exec, model);
      check_within(m_exec, guess, m_problem.constraints);
      return guess;
    }
    auto guess =
        counted_guess(m_exec, model, natural_mode_order(m_factors.size()), m_problem.exponents);
    check_within(m_exec, guess, m_problem.constraints);
    return guess;
  }
  /// Whether columns may be multiplied by positive numbers as far as bounds go.
  [[nodiscard]] bool takes_scaling() const { return bounds_allow_scaling(m_problem.constraints); }
  FactorCosts share_penalty() const {
    return m_problem.constraints.empty() ? detail::share_penalty(m_exec, m_factors, m_problem.ridge)
                                         : share_costs(m_exec, m_factors, m_problem.constraints);
  }
  /// Components of a random guess are as large as those of a model of the tensor may be: with a
  /// ridge, that matters.
  void take_random() {
    const double whole = m_problem.whole_norm() / std::sqrt(static_cast<double>(rank()));
    const double length = std::pow(whole, 1.0 / static_cast<double>(m_problem.order()));
    for (int n = 0; n < m_problem.order(); ++n) {
      const Matrix& factor = m_factors[static_cast<std::size_t>(n)];
      if (m_problem.relabeling) {
        fill_random(m_exec, factor, m_beginning.seed, n, m_options.init,
                    m_problem.relabeling->original_rows(n));
      } else {
        fill_random(m_exec, factor, m_beginning.seed, n, m_options.init);
      }
      if (!m_problem.constraints.empty()) {
        move_within(m_exec, factor, m_problem.constraints[static_cast<std::size_t>(n)]);
        continue;
      }
      std::vector<double> scales;
      for (const double norm : column_norms(m_exec, factor, NormKind::two)) {
        scales.push_back(norm > 0.0 ? length / norm : 1.0);
      }
      scale_columns(m_exec, factor, scales);
    }
    if (!m_problem.constraints.empty()) take_lengths();
  }
  /// Under constraints columns may be nearly parallel: there the model is as long as the tensor.
  void take_lengths() {
    StartLengths<Scalar> lengths(rank());
    for (std::size_t n = 0; n < m_factors.size(); ++n) {
      lengths.add(MeasuredColumns(m_exec, m_factors[n]), m_problem.constraints[n]);
    }
    const std::vector<double> factors = lengths.factors(m_problem.whole_norm());
    for (std::size_t n = 0; n < m_factors.size(); ++n) {
      // Bounds that forbid scaling forbid its rounding, too.
      if (factors[n] == 1.0) continue;
      scale_columns(m_exec, m_factors[n], std::vector<double>(rank(), factors[n]));
    }
  }

  [[nodiscard]] SweepOutcome evaluate(double square, double penalty) {
    const double residual = std::sqrt(square);
    SweepOutcome outcome{.fit = m_problem.norm > 0.0 ? 1.0 - residual / m_problem.norm
                                : residual == 0.0    ? 1.0
                                                     : 0.0,
                         .residual_norm = std::ldexp(residual, m_problem.exponent),
                         .objective = m_problem.on_scale(0.5 * square + penalty)};
    if (!has_holdout()) return outcome;
    const typename Model::weights_view ones("genten::weights", rank());
    Kokkos::deep_copy(m_exec, ones, Scalar(1));
    const ErrorSums sums = error_sums(m_exec, m_problem.held_out, Model(ones, m_factors));
    const auto entries = static_cast<double>(m_problem.held_out.nnz());
    outcome.holdout_rmse = std::ldexp(std::sqrt(sums.square / entries), m_problem.exponent);
    outcome.holdout_mae = std::ldexp(sums.magnitude / entries, m_problem.exponent);
    return outcome;
  }
  /// Takes the iteration for the model's unless another has met the held-out entries better.
  void keep(std::size_t iteration, const SweepOutcome& outcome, const FactorCosts& costs) {
    if (has_holdout()) {
      const bool is_worse = !(outcome.holdout_rmse < m_reached.outcome.holdout_rmse);
      if (m_reached.iteration != 0 && is_worse) return;
      for (std::size_t n = 0; n < m_factors.size(); ++n) {
        genten::deep_copy(m_exec, m_best[n], m_factors[n]);
      }
    }
    take_reached(iteration, outcome, m_objective, costs);
  }
  void take_reached(std::size_t iteration, const SweepOutcome& outcome, double objective,
                    const FactorCosts& costs) {
    m_reached.outcome = outcome;
    m_reached.penalty = m_problem.on_scale(costs.penalty);
    m_reached.objective = objective;
    m_reached.ridge = m_problem.ridge.front();
    m_reached.squares = costs.squares;
    m_reached.iteration = iteration;
  }

  Exec m_exec;
  Problem& m_problem;
  const CpCompletionOptions& m_options;
  Beginning m_beginning;
  FirstSweeps m_first;
  Rows m_rows;
  std::vector<Matrix> m_factors;
  std::vector<Matrix> m_best;  ///< where entries are held out
  CompletionReached m_reached;
  /// Of the last sweep, and the objective of the one before; of the tensor without its scale.
  double m_last_ridge = 0.0, m_objective = 0.0, m_before = 0.0;
  std::size_t m_deficient = 0;
};

}  // namespace genten::detail
