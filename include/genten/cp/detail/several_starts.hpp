// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SeveralStarts: a solver from one or several initial guesses, of which the best is kept, and its
/// checkpoints.

#include <genten/cp/detail/packed_model.hpp>
#include <genten/cp/detail/starts/starts_state.hpp>
#include <genten/cp/iterate.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace genten::detail {

/// A sweep of a start that is to be done.
template <class Step>
struct NextSweep {
  Step* step = nullptr;
  std::size_t iteration = 0;  ///< from 1
  SweepOutcome outcome{};     ///< once it is done
};

/// Of measures whose least is the best: any number is better than NaN.
[[nodiscard]] inline bool is_lower(double measure, double best) {
  return measure < best || (std::isnan(best) && !std::isnan(measure));
}

/// What most solvers say to SeveralStarts: one start is live at a time, in one process, and of a
/// start that has ended a model is kept. All that is here may be said otherwise.
template <RealScalar S, ExecutionSpace E>
class SolverOfStarts {
 public:
  using Scalar = S;
  using Exec = E;
  using Model = Ktensor<Scalar, Exec>;
  /// What is kept of the best start that has ended.
  using Kept = Model;
  static constexpr const char* begin_phase = "setup";

  explicit SolverOfStarts(const Exec& exec) : m_exec(exec) {}

  [[nodiscard]] const Exec& exec() const { return m_exec; }
  /// How many starts may be live at once.
  [[nodiscard]] std::size_t places() const { return 1; }
  /// A sweep of all live starts, by their numbers.
  template <class Step>
  void sweep_together(std::span<NextSweep<Step>> sweeps, PhaseTimings& timings) {
    for (auto& each : sweeps) each.outcome = each.step->sweep(each.iteration, timings);
  }
  /// The start is swept alone from now on.
  template <class Step>
  void leave(Step& /*step*/) {}
  /// After a start has begun, in the phase `begin_phase`.
  void begun(PhaseTimings& /*timings*/) {}
  /// Runs what may throw on one of several processes.
  template <class Body>
  void together(const Body& body) const {
    body();
  }
  [[nodiscard]] Observer<Model> observed(const Observer<Model>& observer) const { return observer; }

  /// Of a checkpoint's model.
  [[nodiscard]] Kept kept(Model model) const { return model; }
  [[nodiscard]] Model model_of(const Kept& kept) const { return clone(m_exec, kept); }
  /// A live start's iterations as a checkpoint has them.
  template <class Step>
  [[nodiscard]] RunState saved_run(const Step& /*step*/, const RunState& run) const {
    return run;
  }

 private:
  Exec m_exec;
};

/// Starts begin in the order of their numbers, as places are free. Then in turn all live starts are
/// swept, by the solver, and each in order of its number is recorded, shown to the observer, and
/// ended where there is a reason. What a start does depends on no other one, so that its numbers
/// are those that it would have alone.
///
/// What `Solver`, a SolverOfStarts, says besides:
///   Step, Reached (what a start has come to), State (of checkpoints, with `starts`, which are left
///   to SeveralStarts), finish_phase
///   starts(), dimensions(), rank()
///   make_step(), start_random(step, number), criteria(step), keep(step)
///   reached(step, run, reason) of a start that has ended, record(run, reached)
///   standing(step, run): what matters to is_better of a start that has not ended
///   is_better(reached, best): whether the first is to take the place of the second
///   state(): of a checkpoint, but for the starts
template <class Solver>
class SeveralStarts {
 public:
  using Exec = typename Solver::Exec;
  using Model = typename Solver::Model;
  using Step = typename Solver::Step;
  using Reached = typename Solver::Reached;
  using State = typename Solver::State;
  /// A start that has come to its end.
  struct Ended {
    RunState run;
    Reached reached;
    typename Solver::Kept model;
  };

  /// `watch` has run since the call began.
  SeveralStarts(Solver& solver, const Observer<Model>& observer, PhaseTimings& timings,
                const Stopwatch& watch)
      : m_solver(solver),
        m_observer(solver.observed(observer)),
        m_timings(timings),
        m_watch(watch) {}

  /// Iterates from the guess or, without one, from as many random ones as the solver has starts.
  void run(const Model* guess) {
    m_guess = guess;
    run_all();
  }
  /// The same from where a checkpoint stands, whose model is `model`.
  void resume(State state, const Model& model) {
    auto& starts = state.starts;
    m_records = std::move(starts.records);
    m_waiting.assign(std::make_move_iterator(starts.live.begin()),
                     std::make_move_iterator(starts.live.end()));
    m_solver.together([&] {
      if (!starts.best) return;
      auto& [run, reached, packed] = *starts.best;
      m_best = Ended{
          std::move(run), std::move(reached),
          m_solver.kept(packed.empty() ? clone(m_solver.exec(), model)
                                       : unpacked_model(m_solver.exec(), packed,
                                                        m_solver.dimensions(), m_solver.rank()))};
    });
    run_all();
  }

  /// The best start.
  [[nodiscard]] Ended& best() { return *m_best; }
  /// Of all starts that have begun.
  [[nodiscard]] const std::vector<StartRecord>& records() const { return m_records; }

 private:
  using Criteria = decltype(std::declval<Solver&>().criteria(std::declval<const Step&>()));
  using Saved = typename decltype(State::starts.live)::value_type;
  struct Live {
    RunState run{};
    std::unique_ptr<Step> step{};
    std::optional<StepLoop<Step, Criteria>> loop{};
    bool is_shown = true;  ///< what it has done last
  };

  void run_all() {
    for (fill(); !m_live.empty(); fill()) {
      sweep();
      settle();
    }
  }
  /// Lets starts begin until all places are taken by some that go on.
  void fill() {
    while (has_next()) {
      while (has_next()) begin_next();
      settle();
    }
  }
  [[nodiscard]] bool has_next() const {
    if (m_live.size() >= m_solver.places()) return false;
    return !m_waiting.empty() || (!m_stopped && m_records.size() < m_solver.starts());
  }
  void begin_next() {
    std::optional<Saved> saved;
    if (!m_waiting.empty()) {
      saved = std::move(m_waiting.front());
      m_waiting.pop_front();
    }
    Live& start = m_live.emplace_back();
    start.run.start = saved ? saved->run.start : m_records.size();
    if (!saved) m_records.emplace_back();
    start.step = m_timings.time(m_solver.exec(), "setup", [&] { return m_solver.make_step(); });
    m_timings.time(m_solver.exec(), Solver::begin_phase, [&] {
      if (saved) {
        start.run.history = std::move(saved->run.history);
        start.is_shown = saved->is_shown;
        start.step->start_at(std::move(saved->step), start.run.history.size());
      } else if (m_guess != nullptr) {
        start.step->start_from(*m_guess);
      } else {
        m_solver.start_random(*start.step, start.run.start);
      }
      m_solver.begun(m_timings);
    });
    // A time limit is that of the call: what was spent before a checkpoint does not count.
    start.run.seconds_before = m_watch.seconds() - start.run.seconds();
    start.loop.emplace(*start.step, start.run, m_solver.criteria(*start.step));
  }
  void sweep() {
    m_timings.time("loop", [&] {
      const ProfilingRegion region("genten::iteration");
      std::vector<NextSweep<Step>> sweeps;
      for (Live& each : m_live) {
        sweeps.push_back({each.step.get(), each.run.history.size() + 1});
      }
      m_solver.sweep_together(std::span(sweeps), m_timings);
      auto done = sweeps.begin();
      for (Live& each : m_live) {
        each.loop->record((done++)->outcome);
        each.is_shown = false;
      }
    });
  }
  /// Shows what starts have done, and lets go of those that have ended.
  void settle() {
    // A checkpoint has finite numbers alone.
    finish_if([](const Live& each) { return each.loop->ends() == StopReason::non_finite; });
    for (const Live& each : m_live) {
      // Time and interruptions end all starts.
      const auto reason = each.loop->ends();
      if (reason == StopReason::observer || reason == StopReason::time_limit) stop(*reason);
    }
    for (Live& each : m_live) {
      if (m_stopped && !each.loop->ends()) each.loop->end(*m_stopped);
      if (std::exchange(each.is_shown, true)) continue;
      const auto action =
          each.loop->show(m_observer, m_timings, [this] { return make_checkpoint(); });
      if (action != ObserverAction::stop) continue;
      each.loop->end(StopReason::observer);
      stop(StopReason::observer);
    }
    for (Live& each : m_live) {
      if (m_stopped && !each.loop->ends()) each.loop->end(*m_stopped);
    }
    finish_if([](const Live& each) { return each.loop->ends().has_value(); });
  }
  void stop(StopReason reason) {
    if (!m_stopped) m_stopped = reason;
  }
  template <class Which>
  void finish_if(const Which& has_ended) {
    m_live.remove_if([&](Live& each) {
      if (!has_ended(each)) return false;
      finish(each);
      return true;
    });
  }
  void finish(Live& start) {
    m_solver.leave(*start.step);
    const StopReason reason = start.loop->finish(m_timings);
    Reached reached = m_solver.reached(*start.step, start.run, reason);
    m_records[start.run.start] = m_solver.record(start.run, reached);
    m_timings.time(m_solver.exec(), Solver::finish_phase, [&] {
      if (takes_best(start.run.start, reached)) {
        m_best.reset();  // before the next takes its memory
        m_best =
            Ended{std::move(start.run), std::move(reached), m_solver.keep(std::move(start.step))};
      }
      start.step.reset();
    });
  }
  /// Of equally good ones the first, whenever it has ended.
  [[nodiscard]] bool takes_best(std::size_t number, const Reached& reached) const {
    if (!m_best || m_solver.is_better(reached, m_best->reached)) return true;
    return number < m_best->run.start && !m_solver.is_better(m_best->reached, reached);
  }

  /// Of starts that wait for a place, as a run of fewer places has gone on with them, the models do
  /// not count.
  [[nodiscard]] Checkpoint<Model> make_checkpoint() {
    State state = m_solver.state();
    auto& [records, best, live] = state.starts;
    records = m_records;
    const Live* better = nullptr;  // than the best that has ended
    std::optional<Reached> most;
    if (m_best) most = m_best->reached;
    for (const Live& each : m_live) {
      live.push_back({m_solver.saved_run(*each.step, each.run), each.step->save(), each.is_shown});
      Reached now = m_solver.standing(*each.step, each.run);
      if (most && !m_solver.is_better(now, *most)) continue;
      most = std::move(now);
      better = &each;
    }
    live.insert(live.end(), m_waiting.begin(), m_waiting.end());
    if (m_best) best = {m_best->run, m_best->reached, {}};
    if (better == nullptr) return {m_solver.model_of(m_best->model), to_bytes(state)};
    if (m_best) best->model = packed_model(m_solver.exec(), m_solver.model_of(m_best->model));
    return {better->step->model(), to_bytes(state)};
  }

  Solver& m_solver;
  Observer<Model> m_observer;
  PhaseTimings& m_timings;
  const Stopwatch& m_watch;
  const Model* m_guess = nullptr;
  std::list<Live> m_live;       ///< by number
  std::deque<Saved> m_waiting;  ///< of a checkpoint, by number, for a place
  std::optional<Ended> m_best;
  std::vector<StartRecord> m_records;   ///< by number, of live starts without meaning
  std::optional<StopReason> m_stopped;  ///< what ends all starts, if it has come
};

}  // namespace genten::detail
