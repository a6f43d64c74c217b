// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// StartsAhead: starts of CP-ALS that take turns, and others that run ahead of their turn beside
/// the one that has it.

#include <genten/cp/detail/starts/start_batch.hpp>
#include <genten/cp/iterate.hpp>

#include <algorithm>
#include <deque>
#include <functional>

namespace genten::detail {

/// Hands out starts in their order. Whoever has the turn is iterated by a Turn, as if it were
/// alone; the starts after it do the same sweeps beside it, as many at once as the problem's batch
/// says, and wait where they end.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
class StartsAhead {
 public:
  using Batch = StartBatch<Scalar, Ordinal, Exec, Rows>;
  using Start = typename Batch::Start;
  using Problem = typename Batch::Problem;
  /// Makes and begins the start of a number.
  using Make = std::function<std::unique_ptr<Start>(std::size_t number)>;
  using Stop = std::function<std::optional<StopReason>(const RunState&)>;

  /// For the starts from `first` up to `end`, each of which ends for the reasons of `stop`. `watch`
  /// has run since the call began.
  StartsAhead(const Exec& exec, Problem& problem, std::size_t first, std::size_t end, Make make,
              Stop stop, const Stopwatch& watch)
      : m_batch(exec, problem),
        m_next(first),
        m_end(end),
        m_most(Batch::possible ? problem.batch : 1),
        m_make(std::move(make)),
        m_stop(std::move(stop)),
        m_watch(watch) {}

  /// The next start, which has the turn until it is `done`; null where there is none.
  [[nodiscard]] std::unique_ptr<Start> take() {
    if (m_waiting.empty() && m_next < m_end) make_next();
    if (m_waiting.empty()) return nullptr;
    auto start = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_turn = start.get();
    return start;
  }
  void done(Start& start) {
    m_batch.remove(start);
    m_turn = nullptr;
  }
  /// No start begins any more.
  void close() { m_end = m_next; }
  /// Those that have begun go on one by one.
  void end_batch() {
    m_most = 1;
    m_batch.resize(0);
  }
  /// Lets a start go on alone.
  void leave(Start& start) { m_batch.remove(start); }

  /// A sweep of the start that has the turn, and of those beside it.
  [[nodiscard]] SweepOutcome sweep(Start& turn, std::size_t iteration, PhaseTimings& timings) {
    fill();
    if (!m_batch.holds(turn)) return turn.step->sweep(iteration, timings);
    SweepOutcome outcome;
    for (const auto& [start, reached] : m_batch.sweep(timings)) {
      if (start == &turn) {
        outcome = reached;
        continue;
      }
      record_sweep(start->state, reached, m_watch.seconds() - start->state.seconds_before);
      start->ended = m_stop(start->state);
      if (start->ended) m_batch.remove(*start);
    }
    return outcome;
  }

  /// Sweeps of all starts that have begun and whose turn has not come.
  [[nodiscard]] std::size_t sweeps_waiting() const {
    std::size_t sweeps = 0;
    for (const auto& start : m_waiting) sweeps += start->step->sweeps();
    return sweeps;
  }

 private:
  void make_next() {
    auto start = m_make(m_next++);
    // One that has nothing to do waits for its turn.
    if (m_most > 1) start->ended = m_stop(start->state);
    m_waiting.push_back(std::move(start));
  }
  /// Lets starts that have not ended take places, and new ones what is left. Those that have ended
  /// wait with all that they hold, so that there are never more than twice a batch. Where no two
  /// would be side by side, there is no batch.
  void fill() {
    const std::size_t held = m_waiting.size() + 1;
    const std::size_t room = 2 * m_most > held ? 2 * m_most - held : 0;
    std::size_t live = 1;
    for (const auto& start : m_waiting) live += start->ended ? 0 : 1;
    const std::size_t wanted = std::min(m_most, live + std::min(m_end - m_next, room));
    if (wanted < 2) return m_batch.resize(0);
    // A copy of all costs about as much as a sweep.
    if (wanted > m_batch.places() || 2 * wanted <= m_batch.places()) m_batch.resize(wanted);
    join(*m_turn);
    for (const auto& start : m_waiting) join(*start);
    while (m_batch.count() < wanted && m_next < m_end) {
      make_next();
      join(*m_waiting.back());
    }
  }
  void join(Start& start) {
    if (start.ended || m_batch.holds(start) || m_batch.count() == m_batch.places()) return;
    m_batch.add(start);
  }

  Batch m_batch;
  std::size_t m_next, m_end;
  std::size_t m_most;
  Make m_make;
  Stop m_stop;
  const Stopwatch& m_watch;
  std::deque<std::unique_ptr<Start>> m_waiting;
  Start* m_turn = nullptr;
};

/// The start that has the turn, as a SolverStep.
template <class Ahead>
struct Turn {
  using Model = typename Ahead::Start::Model;

  Ahead& ahead;
  typename Ahead::Start& start;

  [[nodiscard]] SweepOutcome sweep(std::size_t iteration, PhaseTimings& timings) {
    return ahead.sweep(start, iteration, timings);
  }
  [[nodiscard]] std::size_t restart() {
    ahead.leave(start);
    return start.step->restart();
  }
  [[nodiscard]] Model model() const { return start.step->model(); }
};

}  // namespace genten::detail
