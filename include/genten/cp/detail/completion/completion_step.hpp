// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CompletionStep: a sweep over all modes of a tensor with missing cells, and the model that it
/// improves. `Rows` says how rows are updated.

#include <genten/core/fill_random.hpp>
#include <genten/cp/detail/completion/known_rows.hpp>
#include <genten/cp/detail/finish_model.hpp>
#include <genten/cp/detail/initial_guess.hpp>
#include <genten/cp/iterate.hpp>

#include <optional>

namespace genten::detail {

/// A SolverStep. Where cells are held out, its model is the one that has met them best so far.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, class Rows>
class CompletionStep {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = CompletionProblem<Scalar, Ordinal, Exec>;

  /// Starts from `guess` or, where there is none, from random factors of that seed.
  CompletionStep(const Exec& exec, Problem& problem, const CpCompletionOptions& options,
                 std::size_t rank, const Model* guess, std::uint64_t seed)
      : m_exec(exec),
        m_problem(problem),
        m_options(options),
        m_guess(guess),
        m_seed(seed),
        m_rows(exec, problem, rank) {
    for (int n = 0; n < problem.order(); ++n) {
      m_factors.emplace_back(exec, problem.rows(n), rank);
      if (has_holdout()) m_best.emplace_back(exec, problem.rows(n), rank);
    }
    begin();
  }

  std::size_t restart() {
    begin();
    return 0;
  }

  [[nodiscard]] SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings) {
    for (int mode = 0; mode < m_problem.order(); ++mode) {
      m_deficient += m_rows.update(m_factors, mode, timings);
    }
    const double penalty = timings.time(
        m_exec, "scale", [&] { return share_penalty(m_exec, m_factors, m_problem.ridge); });
    return timings.time(m_exec, "objective", [&] {
      const SweepOutcome outcome = evaluate(m_rows.squared_residual(m_factors), penalty);
      keep(iteration, outcome, penalty);
      return outcome;
    });
  }

  [[nodiscard]] Model model() const {
    fence(m_exec, "genten::completion_model");
    StoredModel<Scalar, Ordinal, Exec> stored{{}, std::vector<double>(rank(), 1.0)};
    const auto& factors = has_holdout() && m_kept ? m_best : m_factors;
    for (int n = 0; n < m_problem.order(); ++n) {
      auto& factor = stored.factors.emplace_back();
      factor.matrix = factors[static_cast<std::size_t>(n)];
      factor.correction.assign(rank(), 1.0);
      factor.dimension = m_problem.dimensions[static_cast<std::size_t>(n)];
      if (m_problem.relabeling) factor.rows = m_problem.relabeling->original_rows(n);
    }
    return finish_model(m_exec, std::move(stored), Finish{.exponent = m_problem.exponent});
  }
  /// What the model's iteration has reached; nothing before the first.
  [[nodiscard]] const SweepOutcome& reached() const { return m_reached; }
  /// The model's iteration; 0 before the first.
  [[nodiscard]] std::size_t reached_iteration() const { return m_kept ? m_iteration : 0; }
  /// Of what is reached.
  [[nodiscard]] double penalty() const { return m_penalty; }
  [[nodiscard]] std::size_t rank_deficient_solves() const { return m_deficient; }

 private:
  [[nodiscard]] bool has_holdout() const { return m_problem.held_out.nnz() != 0; }
  [[nodiscard]] std::size_t rank() const { return m_factors.front().columns(); }

  void begin() {
    fence(m_exec, "genten::restart");
    m_kept = false;
    m_deficient = 0;
    // Of the guess nothing is computed.
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    m_reached = {.fit = unknown, .residual_norm = unknown, .objective = unknown};
    m_penalty = 0.0;
    if (m_guess != nullptr) {
      take_guess();
    } else {
      take_random();
    }
    share_penalty(m_exec, m_factors, m_problem.ridge);
    m_rows.begin(m_factors);
  }
  void take_guess() {
    const auto guess = InitialGuess<Scalar, Exec>::of(m_exec, *m_guess);
    for (int n = 0; n < m_problem.order(); ++n) {
      const auto mode = static_cast<std::size_t>(n);
      if (m_problem.relabeling) {
        m_problem.relabeling->gather_rows(m_exec, n, guess.factors[mode], m_factors[mode]);
        fence(m_exec, "genten::take_guess");
      } else {
        genten::deep_copy(m_exec, m_factors[mode], guess.factors[mode]);
      }
      scale_columns(m_exec, m_factors[mode],
                    std::vector<double>(rank(), std::ldexp(1.0, -m_problem.exponents[mode])));
    }
  }
  /// Components of a random guess are as large as those of a model of the tensor may be: with a
  /// ridge, that matters.
  void take_random() {
    const double whole = m_problem.whole_norm() / std::sqrt(static_cast<double>(rank()));
    const double length = std::pow(whole, 1.0 / static_cast<double>(m_problem.order()));
    for (int n = 0; n < m_problem.order(); ++n) {
      const Matrix& factor = m_factors[static_cast<std::size_t>(n)];
      if (m_problem.relabeling) {
        fill_random(m_exec, factor, m_seed, n, m_options.init,
                    m_problem.relabeling->original_rows(n));
      } else {
        fill_random(m_exec, factor, m_seed, n, m_options.init);
      }
      std::vector<double> scales;
      for (const double norm : column_norms(m_exec, factor, NormKind::two)) {
        scales.push_back(norm > 0.0 ? length / norm : 1.0);
      }
      scale_columns(m_exec, factor, scales);
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
    const auto cells = static_cast<double>(m_problem.held_out.nnz());
    outcome.holdout_rmse = std::ldexp(std::sqrt(sums.square / cells), m_problem.exponent);
    outcome.holdout_mae = std::ldexp(sums.magnitude / cells, m_problem.exponent);
    return outcome;
  }
  /// Takes the iteration for the model's unless another has met the held-out cells better.
  void keep(std::size_t iteration, const SweepOutcome& outcome, double penalty) {
    if (has_holdout()) {
      if (m_kept && !(outcome.holdout_rmse < m_reached.holdout_rmse)) return;
      for (std::size_t n = 0; n < m_factors.size(); ++n) {
        genten::deep_copy(m_exec, m_best[n], m_factors[n]);
      }
    }
    m_reached = outcome;
    m_penalty = m_problem.on_scale(penalty);
    m_iteration = iteration;
    m_kept = true;
  }

  Exec m_exec;
  Problem& m_problem;
  const CpCompletionOptions& m_options;
  const Model* m_guess;
  std::uint64_t m_seed;
  Rows m_rows;
  std::vector<Matrix> m_factors;
  std::vector<Matrix> m_best;  ///< where cells are held out
  bool m_kept = false;
  std::size_t m_iteration = 0;
  SweepOutcome m_reached;
  double m_penalty = 0.0;
  std::size_t m_deficient = 0;
};

}  // namespace genten::detail
