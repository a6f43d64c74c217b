// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SeveralStarts: a solver from one or several initial guesses, of which the best is kept, and its
/// checkpoints.

#include <genten/cp/detail/packed_model.hpp>
#include <genten/cp/iterate.hpp>
#include <genten/cp/result.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace genten::detail {

/// A start that is done, as data of the host.
template <class Scalar, class Reached>
struct FinishedStart {
  RunState run;
  Reached reached;
  /// Weights, then factors by rows, where the checkpoint's model is another one.
  std::vector<std::vector<Scalar>> model;
};

template <class T>
inline constexpr bool is_finished_start = false;
template <class Scalar, class Reached>
inline constexpr bool is_finished_start<FinishedStart<Scalar, Reached>> = true;

template <class Archive, class Self>
requires is_finished_start<std::remove_const_t<Self>>
void archive_members(Archive& archive, Self& done) {
  archive(done.run);
  archive(done.reached);
  archive(done.model);
}

/// What records have where entries are held out.
template <class Archive, OneOf<RunState> Self>
void archive_holdout(Archive& archive, Self& run) {
  for (auto& record : run.history) {
    archive(record.holdout_rmse);
    archive(record.holdout_mae);
  }
}

/// What `Solver` must offer:
///   Scalar, Exec, Model, Step, Reached (what a start has come to), State (of checkpoints, with
///   `starts`, `best`, `run` and `step`), finish_phase
///   exec(), starts(), dimensions(), rank()
///   make_step(), start_random(step, number), criteria(), take_model(step)
///   reached(step, run, reason), record(run, reached)
///   is_better(reached, best): whether the first is to take the place of the second
///   stays_best(best, step, run): whether the best is no worse than where a start stands
///   state(step, run): of a checkpoint, but for what is done
template <class Solver>
class SeveralStarts {
 public:
  using Scalar = typename Solver::Scalar;
  using Model = typename Solver::Model;
  using Step = typename Solver::Step;
  using Reached = typename Solver::Reached;
  using State = typename Solver::State;
  /// A start that has come to its end.
  struct Done {
    RunState run;
    Reached reached;
    Model model;
  };

  SeveralStarts(Solver& solver, const Observer<Model>& observer)
      : m_solver(solver), m_observer(observer) {}

  /// Iterates from what begin(step) begins with or, where that says false, from as many random
  /// guesses as the solver has starts. `watch` has run since the call began.
  template <class Begin>
  void run(PhaseTimings& timings, const Stopwatch& watch, const Begin& begin) {
    run_from(0, timings, watch, [&](Step& step, RunState& state) {
      if (!begin(step)) m_solver.start_random(step, state.start);
    });
  }

  /// The same from where a checkpoint stands, whose model is `model`.
  void resume(State state, const Model& model, PhaseTimings& timings, const Stopwatch& watch) {
    const std::size_t first = state.run.start;
    m_records = std::move(state.starts);
    if (state.best) {
      const auto& packed = state.best->model;
      m_best = Done{std::move(state.best->run), std::move(state.best->reached),
                    packed.empty() ? clone(m_solver.exec(), model)
                                   : unpacked_model(m_solver.exec(), packed, m_solver.dimensions(),
                                                    m_solver.rank())};
    }
    run_from(first, timings, watch, [&](Step& step, RunState& run) {
      if (run.start != first) {
        m_solver.start_random(step, run.start);
        return;
      }
      run.history = std::move(state.run.history);
      step.start_at(std::move(state.step), run.history.size());
    });
  }

  /// The best start that is done.
  [[nodiscard]] Done& best() { return *m_best; }
  /// Of the starts that are done.
  [[nodiscard]] const std::vector<StartRecord>& records() const { return m_records; }

 private:
  template <class Begin>
  void run_from(std::size_t first, PhaseTimings& timings, const Stopwatch& watch,
                const Begin& begin) {
    for (std::size_t start = first; start < m_solver.starts(); ++start) {
      RunState state{.start = start};
      auto step = timings.time(m_solver.exec(), "setup", [&] {
        auto made = m_solver.make_step();
        begin(*made, state);
        return made;
      });
      // A time limit is that of the call: what was spent before a checkpoint does not count.
      state.seconds_before = watch.seconds() - state.seconds();
      const StopReason reason =
          iterate(*step, state, m_solver.criteria(), timings, observer_of(*step, state));
      Reached reached = m_solver.reached(*step, state, reason);
      m_records.push_back(m_solver.record(state, reached));
      timings.time(m_solver.exec(), Solver::finish_phase, [&] {
        if (!m_best || m_solver.is_better(reached, m_best->reached)) {
          m_best.reset();  // before the next takes its memory
          m_best = Done{std::move(state), std::move(reached), m_solver.take_model(*step)};
        }
        step.reset();
      });
      // What ends a run from outside ends the whole search.
      if (reason == StopReason::observer || reason == StopReason::time_limit) break;
    }
  }

  /// The caller's observer, which sees checkpoints too.
  [[nodiscard]] Observer<Model> observer_of(const Step& step, const RunState& state) {
    if (!m_observer) return {};
    return [this, &step, &state](const Iteration<Model>& seen) {
      Iteration<Model> iteration = seen;
      iteration.checkpoint = [this, &step, &state] { return make_checkpoint(step, state); };
      return m_observer(iteration);
    };
  }
  [[nodiscard]] Checkpoint<Model> make_checkpoint(const Step& step, const RunState& run) {
    State state = m_solver.state(step, run);
    state.starts = m_records;
    const bool best_stays = m_best && m_solver.stays_best(m_best->reached, step, run);
    if (m_best) {
      state.best = FinishedStart<Scalar, Reached>{m_best->run, m_best->reached, {}};
      if (!best_stays) state.best->model = packed_model(m_solver.exec(), m_best->model);
    }
    return {best_stays ? clone(m_solver.exec(), m_best->model) : step.model(), to_bytes(state)};
  }

  Solver& m_solver;
  const Observer<Model>& m_observer;
  std::optional<Done> m_best;
  std::vector<StartRecord> m_records;
};

}  // namespace genten::detail
