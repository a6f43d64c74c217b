// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// GcpStep: a step of projected L-BFGS, an epoch of Adam or a sweep of Newton's method by rows, and
/// the model that it improves.

#include <genten/cp/detail/gcp/adam.hpp>
#include <genten/cp/detail/gcp/balance_columns.hpp>
#include <genten/cp/detail/gcp/finish_gcp.hpp>
#include <genten/cp/detail/gcp/gcp_start.hpp>
#include <genten/cp/detail/gcp/lbfgs_direction.hpp>
#include <genten/cp/detail/gcp/newton_rows.hpp>
#include <genten/cp/detail/packed_model.hpp>
#include <genten/cp/iterate.hpp>

#include <algorithm>
#include <optional>

namespace genten::detail {

/// A SolverStep.
template <RealScalar Scalar, ExecutionSpace Exec>
class GcpStep {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Matrix = FacMatrix<Scalar, Exec>;
  using Problem = GcpProblem<Scalar, Exec>;

  /// `end` is asked within epochs whether the run ends from outside.
  GcpStep(const Exec& exec, Problem& problem, const CpGcpOptions& options, const GcpEnd& end)
      : m_exec(exec),
        m_problem(problem),
        m_options(options),
        m_end(end),
        m_limits(problem.limits()),
        m_x(exec, problem.dimensions, options.rank),
        m_gradient(exec, problem.dimensions, options.rank),
        m_trial(exec, problem.dimensions, options.rank),
        m_next_gradient(exec, problem.dimensions, options.rank),
        m_direction(exec, m_x.all().rows(), options.rank, "genten::lbfgs_direction"),
        m_pairs(exec, m_x.all().rows(), options.rank,
                problem.method == GcpMethod::lbfgs ? options.corrections : 0) {
    if (problem.method == GcpMethod::adam) {
      m_adam.emplace(exec, problem, options, m_x.all().rows());
    }
    if (problem.method == GcpMethod::rows) m_sweep_rows = sweeps_of_rows(exec, problem);
    if (has_holdout()) m_best = StackedModel<Scalar, Exec>(exec, problem.dimensions, options.rank);
    if (samples()) m_drawn = StackedModel<Scalar, Exec>(exec, problem.dimensions, options.rank);
  }

  void start_random(std::uint64_t seed) {
    m_beginning = GcpBeginning<Scalar, Exec>{.seed = seed};
    begin();
  }
  /// Throws Error for a guess outside the bounds, and where its objective is not finite.
  void start_from(const Model& guess) {
    m_beginning = GcpBeginning<Scalar, Exec>{.guess = guess};
    begin();
    if (std::isfinite(m_sums.objective)) return;
    throw Error::in(
        "cp_gcp", "expected an initial guess of finite loss, got " + number_text(m_sums.objective))
        .as(Error::Code::guess);
  }
  /// Goes on from what `save` gave after so many iterations. Throws Error where that is of another
  /// problem.
  void start_at(GcpStepState<Scalar> state, std::size_t iterations) {
    m_beginning = GcpBeginning<Scalar, Exec>{.saved = std::move(state), .iterations = iterations};
    begin();
  }
  std::size_t restart() {
    begin();
    return m_beginning.iterations;
  }
  /// Of an epoch that was ended from outside its beginning.
  [[nodiscard]] GcpStepState<Scalar> save() const {
    return m_unfinished ? *m_unfinished : save_at(m_x);
  }
  [[nodiscard]] SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings) {
    if (m_adam) run_epoch(iteration, timings);
    if (m_sweep_rows) sweep_rows(iteration, timings);
    if (!m_adam && !m_sweep_rows) move(timings);
    timings.time(m_exec, "direction", [&] { measure(); });
    m_reached.iteration = iteration;
    ++m_sample.steps;
    if (samples()) m_errors.push_back(m_reached.objective_error);
    if (has_holdout()) timings.time(m_exec, "objective", [&] { test_model(); });
    return m_reached.outcome;
  }

  [[nodiscard]] Model model() const {
    return finished_gcp_model(m_exec, m_problem, (has_holdout() ? m_best : m_x).model());
  }
  /// What the model has reached.
  [[nodiscard]] GcpReached reached() const {
    GcpReached reached = has_holdout() ? m_holdout.best : m_reached;
    reached.objective_errors = m_errors;
    if (!has_holdout()) return reached;
    reached.stalled = m_reached.stalled;
    reached.objectives = m_reached.objectives;
    reached.gradients = m_reached.gradients;
    reached.failed_epochs = m_reached.failed_epochs;
    reached.holdout_losses = m_holdout.losses;
    return reached;
  }
  /// Whether the last search found no lower objective.
  [[nodiscard]] bool is_stalled() const { return m_reached.stalled; }
  /// Whether nothing is better than the point, since the gradient is 0.
  [[nodiscard]] bool is_stationary() const { return m_reached.outcome.kkt_violation == 0.0; }
  /// Whether new samples of zeros tell of no gain any more.
  [[nodiscard]] bool gains_nothing() const { return m_sample.without_gain >= 2; }
  /// Whether the last of them told of a loss.
  [[nodiscard]] bool has_lost() const { return m_sample.lost; }
  /// Why the last epoch was ended from outside, if it was.
  [[nodiscard]] std::optional<StopReason> ended() const { return m_ended; }
  /// Measures the model by a sample that no step has seen, and takes steps back that it tells of a
  /// loss by. Epochs are judged when they end.
  void measure_anew() {
    if (!samples() || has_holdout()) return;
    if (!m_adam && m_sample.steps != 0) {
      judge_steps();
      if (m_sample.lost) write_gradient(m_exec, m_problem, m_x.model(), m_gradient.model());
    } else {
      draw_zeros();
      sum_terms();
    }
    m_reached.stalled = false;
    measure();
  }
  /// The last steps, in which the loss over held-out entries has not fallen.
  [[nodiscard]] std::size_t steps_without_progress() const { return m_holdout.since; }

 private:
  [[nodiscard]] GcpStepState<Scalar> save_at(const StackedModel<Scalar, Exec>& x) const {
    fence(m_exec, "genten::gcp_state");
    GcpStepState<Scalar> state{.factors = packed_elements(x.all()),
                               .pairs = {},
                               .first_objective = m_first_objective,
                               .stalled = m_reached.stalled,
                               .objectives = m_reached.objectives,
                               .gradients = m_reached.gradients,
                               .best = {},
                               .drawn_from = {},
                               .sample = m_sample,
                               .epochs = m_adam ? m_adam->epochs() : GcpEpochs(),
                               .objective_errors = m_errors,
                               .holdout = m_holdout};
    if (has_holdout()) state.best = packed_elements(m_best.all());
    if (samples()) state.drawn_from = packed_elements(m_drawn.all());
    if (m_adam)
      state.pairs = {packed_elements(m_adam->moment(0)), packed_elements(m_adam->moment(1))};
    for (std::size_t k = 0; k < m_pairs.count(); ++k) {
      state.pairs.push_back(packed_elements(m_pairs.step(k)));
      state.pairs.push_back(packed_elements(m_pairs.slope(k)));
    }
    return state;
  }

  void begin() {
    fence(m_exec, "genten::restart");
    m_pairs.clear();
    if (m_adam) m_adam->begin(m_exec);
    m_ended = std::nullopt;
    m_unfinished = std::nullopt;
    m_reached = {};
    m_holdout = {};
    m_sample = {};
    m_errors.clear();
    m_reached.iteration = m_beginning.iterations;
    if (m_beginning.saved) {
      load(*m_beginning.saved);
    } else if (m_beginning.guess) {
      start_of_guess(m_exec, m_problem, *m_beginning.guess, m_x.model());
    } else {
      random_start(m_exec, m_problem, m_beginning.seed, m_options.init, m_x.model());
    }
    if (samples()) m_beginning.saved ? draw_again() : draw_zeros();
    m_sums = m_problem.objective->sums(m_exec, m_x.model());
    write_gradient(m_exec, m_problem, m_x.model(), m_gradient.model());
    if (!m_beginning.saved) {
      m_first_objective = m_sums.objective;
      m_reached.objectives = m_reached.gradients = 1;
    }
    measure();
    if (has_holdout() && !m_beginning.saved) {
      test_model();
      m_holdout.losses.clear();  // the guess is no step
      m_holdout.since = 0;
    }
  }
  void load(const GcpStepState<Scalar>& saved) {
    const std::size_t rows = m_x.all().rows(), columns = m_options.rank;
    saved.require_pairs(2 * (m_adam ? 1 : m_options.corrections));
    const auto copy = [&](const std::vector<Scalar>& from, const Matrix& to) {
      genten::deep_copy(m_exec, to, unpacked_matrix(m_exec, from, rows, columns));
    };
    copy(saved.factors, m_x.all());
    if (m_adam) m_adam->begin(m_exec, saved.epochs);
    m_reached.failed_epochs = saved.epochs.failed;
    for (std::size_t k = 0; m_adam && k < saved.pairs.size(); ++k) {
      copy(saved.pairs[k], m_adam->moment(k));
    }
    for (std::size_t k = 0; !m_adam && k < saved.pairs.size(); k += 2) {
      m_pairs.add([&](const Matrix& step, const Matrix& slope) {
        copy(saved.pairs[k], step);
        copy(saved.pairs[k + 1], slope);
      });
    }
    m_first_objective = saved.first_objective;
    m_reached.stalled = saved.stalled;
    m_reached.objectives = saved.objectives;
    m_reached.gradients = saved.gradients;
    if (samples()) {
      copy(saved.drawn_from, m_drawn.all());
      m_sample = saved.sample;
      m_errors = saved.objective_errors;
    }
    if (!has_holdout()) return;
    copy(saved.best, m_best.all());
    m_holdout = saved.holdout;
  }

  [[nodiscard]] PointAndSlope<Scalar, Exec> here() const {
    return {m_x.all(), m_gradient.all(), m_limits};
  }

  /// A step of L-BFGS.
  void move(PhaseTimings& timings) {
    if (samples() && (m_sample.steps >= m_sample.most_steps || m_reached.stalled)) {
      renew_sample(timings);
    }
    if (m_is_lopsided) static_cast<void>(balance(timings));
    if (is_stationary() || search(timings)) return;
    m_reached.stalled = true;
    if (m_pairs.count() != 0) {
      m_pairs.clear();  // the gradient itself may still lead down
      m_reached.stalled = !search(timings);
    }
    if (m_reached.stalled && balance(timings)) m_reached.stalled = !search(timings);
  }
  /// False where columns stay as they are.
  [[nodiscard]] bool balance(PhaseTimings& timings) {
    if (!balance_columns(m_exec, m_problem, m_x.model())) return false;
    m_pairs.clear();
    timings.time(m_exec, "objective", [&] { sum_terms(); });
    find_gradient(timings);
    timings.time(m_exec, "direction", [&] { measure(); });
    return true;
  }
  /// An epoch of Adam, or its part before the run ends from outside, which is undone unless it
  /// lowers the objective.
  void run_epoch(std::size_t number, PhaseTimings& timings) {
    genten::deep_copy(m_exec, m_trial.all(), m_x.all());
    const bool is_whole = timings.time(m_exec, "gradient", [&] {
      return m_adam->run_epoch(m_exec, number, m_x, m_next_gradient.all(), [&] {
        m_ended = m_end();
        return m_ended.has_value();
      });
    });
    if (!is_whole) m_unfinished = save_at(m_trial);
    const LossSums before = timings.time(m_exec, "objective", [&] {
      const LossSums sums = m_sums;
      if (samples()) return sum_anew();
      sum_terms();
      return sums;
    });
    if (m_sums.objective < before.objective) {
      m_adam->keep();
    } else {
      genten::deep_copy(m_exec, m_x.all(), m_trial.all());
      m_sums = before;
      if (is_whole) m_adam->fail();
      m_reached.failed_epochs = m_adam->epochs().failed;
      m_reached.stalled = m_adam->has_failed();
      if (!samples()) return;
      timings.time(m_exec, "objective", [&] { sum_terms(); });
    }
    find_gradient(timings);
  }

  /// Newton's steps of all rows, which are undone where the objective does not fall: rounding hides
  /// what is left then.
  void sweep_rows(std::size_t iteration, PhaseTimings& timings) {
    genten::deep_copy(m_exec, m_trial.all(), m_x.all());
    const LossSums before = m_sums;
    timings.time(m_exec, "direction", [&] { m_sweep_rows(m_x.model(), iteration); });
    timings.time(m_exec, "objective", [&] { sum_terms(); });
    if (!(m_sums.objective < before.objective)) {
      genten::deep_copy(m_exec, m_x.all(), m_trial.all());
      m_sums = before;
      m_reached.stalled = true;
      return;
    }
    find_gradient(timings);
  }

  /// The zeros that are drawn by the model as it is.
  void draw_zeros() {
    ++m_sample.drawn;
    m_sample.steps = 0;
    genten::deep_copy(m_exec, m_drawn.all(), m_x.all());
    draw_again();
  }
  void draw_again() {
    m_problem.objective->draw_zeros(m_exec, m_drawn.model(),
                                    random_bits(m_options.seed, sample_stream, m_sample.drawn));
  }
  void sum_terms() {
    ++m_reached.objectives;
    m_sums = m_problem.objective->sums(m_exec, m_x.model());
  }
  void find_gradient(PhaseTimings& timings) {
    timings.time(m_exec, "gradient", [&] {
      ++m_reached.gradients;
      write_gradient(m_exec, m_problem, m_x.model(), m_gradient.model());
    });
  }
  /// Sums over zeros that no step has seen, drawn by the model as it is, so that what has been
  /// raised is among them; returns what the model of `m_trial` has over the same.
  LossSums sum_anew() {
    draw_zeros();
    ++m_reached.objectives;
    const LossSums before = m_problem.objective->sums(m_exec, m_trial.model());
    sum_terms();
    return before;
  }
  /// Judges the steps by a new sample. Where it tells of a loss, they have followed what the last
  /// one did not show: they are taken back, and the next one stands for half as many.
  void judge_steps() {
    genten::deep_copy(m_exec, m_trial.all(), m_drawn.all());  // where they began
    const LossSums before = sum_anew();
    const double gain = before.objective - m_sums.objective;
    const double least = std::max(std::hypot(before.error, m_sums.error),
                                  m_options.tolerance * std::abs(m_sums.objective));
    m_sample.lost = gain < 0.0;
    if (gain > least) {
      m_sample.without_gain = 0;
    } else if (!m_sample.lost || m_sample.most_steps == 1) {
      ++m_sample.without_gain;
    }
    if (m_sample.lost) {
      genten::deep_copy(m_exec, m_x.all(), m_trial.all());
      m_pairs.clear();
      m_sample.most_steps = std::max<std::size_t>(1, m_sample.most_steps / 2);
      draw_zeros();
      sum_terms();
    }
    m_reached.stalled = false;
  }
  /// Goes on with another sample.
  void renew_sample(PhaseTimings& timings) {
    timings.time(m_exec, "objective", [&] { judge_steps(); });
    find_gradient(timings);
    timings.time(m_exec, "direction", [&] { measure(); });
  }

  /// Moves to a point of a lower objective; false where none is found.
  [[nodiscard]] bool search(PhaseTimings& timings) {
    const auto at = here();
    timings.time(m_exec, "direction",
                 [&] { m_pairs.write(m_exec, at, first_length(), m_direction); });
    double length = 1.0;
    for (int tries = 0; tries < most_tries; ++tries) {
      const double along = timings.time(m_exec, "direction", [&] {
        return move_point(m_exec, at, m_direction, length, m_trial.all());
      });
      if (!(along < 0.0)) return false;  // no descent, or no move
      const LossSums sums = timings.time(m_exec, "objective", [&] {
        ++m_reached.objectives;
        return m_problem.objective->sums(m_exec, m_trial.model());
      });
      const double change = sums.objective - m_sums.objective;
      if (change < 0.0 && change <= sufficient * along) {
        accept(sums, timings);
        return true;
      }
      // Where a parabola through both values has its minimum, half as far each time near log 0.
      const double shrink = -0.5 * along / (change - along);
      length *= shrink > 0.1 && tries < tries_of_parabolas ? std::min(shrink, 0.5) : 0.1;
    }
    return false;
  }
  void accept(const LossSums& sums, PhaseTimings& timings) {
    timings.time(m_exec, "gradient", [&] {
      ++m_reached.gradients;
      write_gradient(m_exec, m_problem, m_trial.model(), m_next_gradient.model());
    });
    timings.time(m_exec, "direction", [&] {
      m_pairs.add([&](const Matrix& step, const Matrix& slope) {
        subtract(m_exec, m_trial.all(), m_x.all(), step);
        subtract(m_exec, m_next_gradient.all(), m_gradient.all(), slope);
      });
    });
    std::swap(m_x, m_trial);
    std::swap(m_gradient, m_next_gradient);
    m_sums = sums;
  }
  /// Of a step along the gradient that changes the factors by a tenth.
  [[nodiscard]] double first_length() const {
    return m_slope_norm > 0.0 ? 0.1 * std::max(m_factor_norm, 1e-3) / m_slope_norm : 0.0;
  }

  /// What the point as it stands has reached.
  void measure() {
    const auto at = here();
    double slope_square = 0.0, factor_square = 0.0, unscaled_square = 0.0;
    double largest = 0.0, scale_difference = -1.0, longest = 0.0, shortest = 0.0;
    for (int n = 0; n < m_problem.order(); ++n) {
      const auto mode = static_cast<std::size_t>(n);
      if (!m_problem.is_free[mode]) continue;
      const ModeMeasure found = measure_mode(m_exec, at, n);
      const double slope = std::sqrt(found.projected_square), size = std::sqrt(found.square);
      slope_square += found.projected_square;
      factor_square += found.square;
      longest = std::max(longest, size);
      shortest = shortest == 0.0 ? size : std::min(shortest, size);
      unscaled_square += std::ldexp(found.projected_square, -2 * m_problem.exponents[mode]);
      const double product = slope * size;
      if (!(product <= largest)) largest = product;  // keeps NaN
      if (m_problem.constraints[mode].allows_scaling()) {
        scale_difference = std::max(scale_difference, std::abs(found.product));
      }
      const double elements =
          static_cast<double>(m_problem.dimensions[mode]) * static_cast<double>(m_options.rank);
      m_limits.near[n] = 1e-6 * size / std::sqrt(elements);
    }
    m_slope_norm = std::sqrt(slope_square);
    m_factor_norm = std::sqrt(factor_square);
    m_is_lopsided = longest > most_apart * shortest;
    const double size = std::max(std::abs(m_sums.objective), 1e-3 * std::abs(m_first_objective));
    GcpReached& reached = m_reached;
    reached.outcome.kkt_violation = largest == 0.0 ? 0.0 : largest / size;
    reached.projected_gradient = m_problem.in_units(std::sqrt(unscaled_square));
    reached.scale_equation = scale_difference < 0.0 ? std::numeric_limits<double>::quiet_NaN()
                                                    : m_problem.in_units(scale_difference);
    reached.outcome.objective = m_problem.in_units(m_sums.objective);
    reached.objective_error = m_problem.in_units(m_sums.error);
    reached.penalty = m_problem.in_units(m_sums.penalty);
    write_residual(m_exec, m_problem, m_x.model(), m_sums, reached.outcome);
    if (!std::isfinite(m_sums.objective) || !std::isfinite(largest)) {
      reached.outcome.fit = std::numeric_limits<double>::quiet_NaN();
    }
  }
  [[nodiscard]] bool samples() const { return m_problem.zeros == ZeroSums::sampled; }
  [[nodiscard]] bool has_holdout() const { return m_problem.held_out > 0.0; }
  /// Finds the loss over held-out entries, and keeps the model if that is the least so far.
  void test_model() {
    const HoldoutSums sums = m_problem.objective->holdout(m_exec, m_x.model());
    const double n = m_problem.held_out, mean = sums.value / n;
    const double spread = std::max(0.0, sums.value_square - n * mean * mean);
    m_reached.holdout_loss = mean;
    m_reached.holdout_loss_error = std::sqrt(spread / (n * std::max(1.0, n - 1.0)));
    m_reached.outcome.holdout_rmse = std::ldexp(std::sqrt(sums.square / n), m_problem.exponent);
    m_reached.outcome.holdout_mae = std::ldexp(sums.magnitude / n, m_problem.exponent);
    m_holdout.losses.push_back(m_reached.holdout_loss);
    const double least = m_holdout.best.holdout_loss;
    const bool is_best = std::isnan(least) || m_reached.holdout_loss < least;
    const bool is_progress = m_reached.holdout_loss < m_holdout.to_beat;
    m_holdout.since = is_progress ? 0 : m_holdout.since + 1;
    if (is_progress) {
      m_holdout.to_beat = m_reached.holdout_loss - 0.01 * m_reached.holdout_loss_error;
    }
    if (!is_best) return;
    m_holdout.best = m_reached;
    genten::deep_copy(m_exec, m_best.all(), m_x.all());
  }

  static constexpr int most_tries = 40, tries_of_parabolas = 10;
  static constexpr double most_apart = 10.0;  ///< of norms: 100 took 2.6 and 1.6 times the steps
  static constexpr std::uint64_t sample_stream = 0x73616d706c65;  ///< no mode's random numbers
  /// The part of the decrease that the gradient promises which is enough.
  static constexpr double sufficient = 1e-4;

  Exec m_exec;
  Problem& m_problem;
  const CpGcpOptions& m_options;
  const GcpEnd& m_end;
  GcpBeginning<Scalar, Exec> m_beginning;
  GcpLimits m_limits;
  StackedModel<Scalar, Exec> m_x, m_gradient, m_trial, m_next_gradient;
  StackedModel<Scalar, Exec> m_best;  ///< where entries are held out
  Matrix m_direction;
  LbfgsPairs<Scalar, Exec> m_pairs;
  std::optional<Adam<Scalar, Exec>> m_adam;
  SweepOfRows<Scalar, Exec> m_sweep_rows;
  std::optional<StopReason> m_ended;  ///< of the last epoch, if it was ended from outside,
  std::optional<GcpStepState<Scalar>> m_unfinished;  ///< and where it began
  LossSums m_sums;
  double m_first_objective = 0.0;
  double m_slope_norm = 0.0, m_factor_norm = 0.0;
  bool m_is_lopsided = false;  ///< norms of factors are far apart
  GcpReached m_reached;
  GcpHoldout m_holdout;
  StackedModel<Scalar, Exec> m_drawn;  ///< that the sample of zeros was drawn by
  GcpSample m_sample;
  std::vector<double> m_errors;  ///< of the objective, one a step
};

}  // namespace genten::detail
