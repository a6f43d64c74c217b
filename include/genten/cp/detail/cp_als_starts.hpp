// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CpAlsStarts: CP-ALS from one or several initial guesses, of which the best is kept. `Rows` is
/// the RowUpdate of every start.

#include <genten/cp/detail/cp_als_start.hpp>
#include <genten/cp/detail/ranks/ranks_together.hpp>
#include <genten/cp/detail/starts/starts_ahead.hpp>
#include <genten/mttkrp/published_rates.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

namespace genten::detail {

template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
class CpAlsStarts {
 public:
  using Model = Ktensor<Scalar, Exec>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;

  /// `tensor` is the one that the problem was made from.
  CpAlsStarts(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, Problem& problem,
              const CpAlsOptions& options, const Observer<Model>& observer)
      : m_exec(exec),
        m_tensor(tensor),
        m_problem(problem),
        m_options(options),
        m_observer(observer) {}

  /// Iterates from the guess or, without one, from as many random ones as the options say. `watch`
  /// has run since the call began.
  void run(const Model* guess, PhaseTimings& timings, const Stopwatch& watch) {
    run_from(0, timings, watch, [&](Start& start) {
      if (guess != nullptr) {
        start.step->start_from(*guess);
      } else {
        start_random(start);
      }
    });
  }

  /// The same from where a checkpoint stands, whose model is `model`.
  void resume(CpAlsState<Scalar> state, const Model& model, PhaseTimings& timings,
              const Stopwatch& watch) {
    const std::size_t first = state.run.start;
    m_fingerprint = std::move(state.tensor);
    m_records = std::move(state.starts);
    m_problem.ranks.together([&] {
      if (!state.best) return;
      m_best = restore_done<Rows>(m_exec, m_problem, std::move(*state.best), model);
    });
    run_from(first, timings, watch, [&](Start& start) {
      if (start.state.start != first) {
        start_random(start);
        return;
      }
      start.state.history = std::move(state.run.history);
      start.step->start_at(std::move(state.step), start.state.history.size());
    });
  }

  /// All but the model and what concerns the whole call. The plan must still be there.
  [[nodiscard]] CpAlsResult<Scalar, Exec> result(const PhaseTimings& timings) const {
    CpAlsResult<Scalar, Exec> result = m_best->result;
    result.history = m_best->state.history;
    result.starts = m_records;
    result.best_start = m_best->state.start;
    result.kernel = m_problem.plan->kernel();
    result.kernel_description = m_problem.plan->describe();
    result.kernel_choice = m_problem.plan->choice();
    add_rates(result, timings.seconds("mttkrp"));
    return result;
  }

  /// The best start's model, whose factors are used up.
  [[nodiscard]] Model take_model() { return m_best->take_model(); }
  /// The same of several ranks, whose own rows it gives to each.
  [[nodiscard]] ModelPart<Scalar, Exec> take_part() { return m_best->take_part(m_exec, m_problem); }

 private:
  using Start = CpAlsStart<Scalar, Ordinal, Exec, Rows>;

  using Ahead = StartsAhead<Scalar, Ordinal, Exec, Rows>;
  using Begin = std::function<void(Start&)>;

  void run_from(std::size_t first, PhaseTimings& timings, const Stopwatch& watch,
                const Begin& begin) {
    const auto stop = criteria();
    Ahead ahead(
        m_exec, m_problem, first, m_options.starts,
        [&](std::size_t number) { return begun_start(number, begin, timings, watch); }, stop,
        watch);
    while (auto next = ahead.take()) {
      if (!next->ended) next->state.seconds_before = watch.seconds() - next->state.seconds();
      Turn<Ahead> turn{ahead, *next};
      std::optional<StopReason> reason = show_ahead(turn, timings);
      if (!reason) reason = iterate(turn, next->state, stop, timings, observer_of(turn));
      ahead.done(*next);
      timings.time("release", [&] { next->step->end_momentum(); });
      next->result = next->reached(m_problem, *reason);
      m_sweeps += next->step->sweeps();
      // Starts are compared by residuals with digits in them; a single one waits for its model.
      if (m_options.starts > 1 && !next->result.residual_is_certain() &&
          m_problem.ranks.exchange == nullptr) {
        timings.time(m_exec, "inner_product", [&] {
          refine_residual(m_exec, m_tensor, m_problem, next->step->model(), next->result);
        });
      }
      m_records.push_back({m_options.seed + next->state.start, next->result.fit,
                           next->result.objective, next->state.history.size(), *reason});
      timings.time("release", [&] { keep_better(std::move(next)); });
      // What ends a run from outside ends the whole search; time, with all that have begun.
      if (*reason == StopReason::observer) break;
      if (*reason == StopReason::time_limit) ahead.close();
    }
    m_sweeps += ahead.sweeps_waiting();
  }

  [[nodiscard]] std::unique_ptr<Start> begun_start(std::size_t number, const Begin& begin,
                                                   PhaseTimings& timings, const Stopwatch& watch) {
    auto start = timings.time(m_exec, "setup", [&] {
      std::unique_ptr<Start> made;
      m_problem.ranks.together([&] { made = make_start(number); });
      return made;
    });
    timings.time(m_exec, "gram", [&] {
      begin(*start);
      if (m_problem.ranks.exchange != nullptr) m_problem.ranks.exchange->add_times(timings);
    });
    start->observed = start->state.history.size();
    if (m_problem.ranks.agreement != nullptr) m_problem.ranks.agreement->agree();
    // A time limit is that of the call: what was spent before a checkpoint does not count.
    start->state.seconds_before = watch.seconds() - start->state.seconds();
    return start;
  }

  /// Shows the observer what a start has done before its turn as if it were doing it now: where the
  /// observer asks for a model that the start has left, or ends the run there, the start is taken
  /// back. Returns why the run ends, if it does.
  [[nodiscard]] std::optional<StopReason> show_ahead(Turn<Ahead>& turn, PhaseTimings& timings) {
    Start& start = turn.start;
    const std::vector<IterationRecord> done = start.state.history;
    if (!m_observer) return std::nullopt;
    for (std::size_t k = start.observed; k < done.size() && std::isfinite(done[k].fit); ++k) {
      bool left = k + 1 < done.size();
      const std::optional<StopReason> ends = left ? std::nullopt : start.ended;
      const auto take_back = [&] {
        if (!std::exchange(left, false)) return;
        start.ended.reset();
        repeat_iterations(turn, start.state, timings, k + 1);
        // Whoever asks again and again would have most sweeps done twice.
        if (++m_taken_back > 1) turn.ahead.end_batch();
      };
      Iteration<Model> seen{start.state.start, done[k], ends, {}, {}};
      seen.model = [&] {
        take_back();
        return turn.model();
      };
      seen.checkpoint = [&] {
        take_back();
        return make_checkpoint(start);
      };
      const auto action = timings.time("observer", [&] { return m_observer(seen); });
      if (action == ObserverAction::stop) {
        take_back();
        return StopReason::observer;
      }
      if (start.state.history.size() < done.size()) break;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::unique_ptr<Start> make_start(std::size_t number) const {
    auto start = std::make_unique<Start>();
    // Signs of the caller's factors are the caller's.
    start->step.emplace(m_exec, m_problem, m_options.fixed_modes.empty());
    start->state.start = number;
    return start;
  }
  void start_random(Start& start) const {
    start.step->start_random(m_options.seed + start.state.start, m_options.init);
  }
  [[nodiscard]] auto criteria() const {
    const std::size_t most = m_problem.updates.empty() ? 0 : m_options.max_iterations;
    // A fit ignores penalties.
    const bool constrained = !m_problem.constraints.empty();
    const double rounding = std::ldexp(m_problem.rounding(), 2 * m_problem.exponent);
    // Of accelerated sweeps some are taken back.
    const std::size_t window = m_problem.is_accelerated ? acceleration_window : 1;
    using Agreement = typename decltype(m_problem.ranks)::Agreement;
    const Agreement* const agreement = m_problem.ranks.agreement;
    const AgreedStop<Agreement> interrupted{agreement, &Agreement::interrupted,
                                            StopReason::observer};
    // By the clock of the rank that has reached its limit first.
    const AgreedStop<Agreement> late{agreement, &Agreement::time_is_up, StopReason::time_limit};
    return first_of(
        NonFinite{}, interrupted, FitChange{constrained ? 0.0 : m_options.tolerance, window},
        ObjectiveChange{constrained ? m_options.tolerance : 0.0, rounding, window},
        TimeLimit{agreement == nullptr ? m_options.time_limit : 0.0}, late, IterationLimit{most});
  }
  /// Whether the first is no worse than the second: what is reached, or where a run stands.
  template <class First, class Second>
  [[nodiscard]] bool no_worse(const First& first, const Second& second) const {
    if (m_problem.constraints.empty()) return first.fit >= second.fit;
    return first.objective <= second.objective;
  }
  void keep_better(std::unique_ptr<Start> next) {
    // Nothing is better than what is not a number.
    const bool better = !m_best || (no_worse(next->result, m_best->result) &&
                                    !no_worse(m_best->result, next->result));
    if (better) m_best = std::move(next);
  }

  /// The caller's observer, which sees checkpoints too. Where it asks for the model of an iteration
  /// that is not the start's last, it will of other starts: none runs ahead of that any more.
  [[nodiscard]] Observer<Model> observer_of(Turn<Ahead>& turn) {
    auto* const ranks = m_problem.ranks.exchange;
    if (ranks == nullptr && !m_observer) return {};
    const Observer<Model> observer =
        ranks == nullptr ? m_observer : observed_by_first(*ranks, m_observer);
    return [this, &turn, observer](const Iteration<Model>& seen) {
      Iteration<Model> iteration = seen;
      const auto asked = [&turn, last = seen.ends.has_value()] {
        if (!last) turn.ahead.end_batch();
      };
      iteration.model = [&seen, asked] {
        asked();
        return seen.model();
      };
      iteration.checkpoint = [this, &turn, asked] {
        asked();
        return make_checkpoint(turn.start);
      };
      return observer(iteration);
    };
  }
  [[nodiscard]] Checkpoint<Model> make_checkpoint(const Start& start) {
    const auto* const part = m_problem.ranks.part;
    if (!m_fingerprint)
      m_fingerprint = part != nullptr ? part->fingerprint : TensorFingerprint::of(m_exec, m_tensor);
    CpAlsState<Scalar> state{.options = m_options,
                             .kernel = std::string(m_problem.plan->kernel()),
                             .counts_tuples = m_problem.counts_tuples,
                             .tensor = *m_fingerprint,
                             .starts = m_records,
                             .best = {},
                             .run = start.state,
                             .step = start.step->save()};
    state.options.rank = m_problem.rank;
    const IterationRecord now =
        start.state.history.empty() ? IterationRecord{} : start.state.history.back();
    const bool best_is_done = m_best && no_worse(m_best->result, now);
    const Model model = best_is_done ? m_best->model() : start.step->model();
    if (m_best) state.best = save_done(m_exec, *m_best, !best_is_done);
    return {model, to_bytes(state)};
  }

  /// The published formulas, over all starts.
  void add_rates(CpAlsResult<Scalar, Exec>& result, double seconds) const {
    const auto calls = static_cast<double>(m_sweeps * m_problem.updates.size());
    const PublishedRates rates = published_rates(m_problem.plan->problem(), calls, seconds);
    std::array<double, 2> of_all = {rates.gflops, rates.gbytes};
    if (m_problem.ranks.exchange != nullptr) m_problem.ranks.exchange->combine(of_all, {});
    result.mttkrp_gflops = of_all[0];
    result.mttkrp_gbytes = of_all[1];
  }

  Exec m_exec;
  const Sptensor<Scalar, Ordinal, Exec>& m_tensor;
  Problem& m_problem;
  const CpAlsOptions& m_options;
  const Observer<Model>& m_observer;
  std::unique_ptr<Start> m_best;
  std::vector<StartRecord> m_records;  ///< of the starts that are done
  std::size_t m_sweeps = 0;            ///< of all starts of this call
  std::size_t m_taken_back = 0;        ///< starts that an observer has wanted as they were
  std::optional<TensorFingerprint> m_fingerprint;  ///< found when it is first wanted
};

}  // namespace genten::detail
