// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// StartBatch: starts of CP-ALS whose sweeps run side by side.

#include <genten/cp/detail/cp_als_start.hpp>

#include <algorithm>
#include <vector>

namespace genten::detail {

/// Starts whose columns lie side by side in one wide matrix a mode: one traversal over the nonzeros
/// makes MTTKRP of all, one pass updates the rows of all. Each start gets the bits that it gets
/// alone: its columns are summed in the order of the plan, which is that of one start, and all else
/// is its own step's.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
class StartBatch {
 public:
  using Start = CpAlsStart<Scalar, Ordinal, Exec, Rows>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;

  /// Whether starts with such a row update can run side by side.
  static constexpr bool possible = std::is_same_v<Rows, LeastSquaresUpdate<Scalar, Exec>>;

  StartBatch(const Exec& exec, Problem& problem) : m_exec(exec), m_problem(problem) {
    for (const int mode : problem.updates) m_updates.push_back({.mode = mode});
  }

  [[nodiscard]] std::size_t count() const {
    return static_cast<std::size_t>(
        std::count_if(m_places.begin(), m_places.end(),
                      [](const Place& place) { return place.start != nullptr; }));
  }
  [[nodiscard]] std::size_t places() const { return m_places.size(); }
  [[nodiscard]] bool holds(const Start& start) const { return find(&start) != m_places.end(); }

  /// Takes a start, which has begun, to a free place, of which there is one.
  void add(Start& start) {
    Place& place = *find(nullptr);
    for (const Place& other : m_places) {
      if (other.start == nullptr) continue;
      start.step->rows().share_queue(other.start->step->rows());
      break;
    }
    place.start = &start;
    place.own = start.step->factors();
    start.step->move_factors(columns_of(static_cast<std::size_t>(&place - m_places.data())));
    for (std::size_t m = 0; m < m_factors.size(); ++m) m_versions[m] = ++m_problem.version;
  }
  /// Lets a start go on alone, if it is here.
  void remove(Start& start) {
    const auto place = find(&start);
    if (place == m_places.end()) return;
    start.step->move_factors(place->own);
    *place = {};
  }

  /// Makes it as large as so many starts: at least those that it holds, or none, so that all go on
  /// alone.
  void resize(std::size_t places) {
    if (places == m_places.size()) return;
    std::vector<Start*> held;
    for (const Place& place : m_places) {
      if (place.start != nullptr) held.push_back(place.start);
    }
    for (Start* const start : held) remove(*start);
    m_places.assign(places, {});
    m_factors.clear();
    m_memory.clear();
    if (places == 0) return;
    for (const std::size_t rows : m_problem.relabeling.dimensions()) {
      // A row more: that of the last place ends beyond those before it.
      m_memory.emplace_back(m_exec, rows + 1, places * width(), "genten::factors_side_by_side");
      const Matrix& all = m_memory.back();
      m_factors.emplace_back(View(all.data(), rows, all.stride()), all.columns());
    }
    for (Start* const start : held) add(*start);
  }

  /// A sweep of all starts; by place, what it has reached.
  struct Reached {
    Start* start = nullptr;
    SweepOutcome outcome{};
  };
  [[nodiscard]] std::vector<Reached> sweep(PhaseTimings& timings) {
    std::vector<typename Rows::Together> together;
    for (const Place& place : m_places) {
      if (place.start == nullptr) continue;
      together.push_back({&place.start->step->rows(), {}, place.start->state.history.empty()});
    }
    for (auto& update : m_updates) update_mode(update, together, timings);
    std::vector<Reached> reached;
    for (const Place& place : m_places) {
      if (place.start != nullptr) reached.push_back({place.start, place.start->step->end_sweep()});
    }
    for (const auto& update : m_updates) {
      timings.add("mttkrp", update.contracted.seconds_since(update.begun));
      timings.add("solve", update.rows.updated.seconds_since(update.contracted));
    }
    return reached;
  }

 private:
  using Matrix = FacMatrix<Scalar, Exec>;
  using View = typename Matrix::view_type;
  using ModeUpdate = typename CpAlsStep<Scalar, Ordinal, Exec, Rows>::ModeUpdate;
  struct Place {
    Start* start = nullptr;     ///< null: it is free
    std::vector<Matrix> own{};  ///< where the start's factors lie when it is alone
  };

  [[nodiscard]] auto find(const Start* start) const {
    return std::find_if(m_places.begin(), m_places.end(),
                        [start](const Place& place) { return place.start == start; });
  }
  [[nodiscard]] auto find(const Start* start) {
    return std::find_if(m_places.begin(), m_places.end(),
                        [start](const Place& place) { return place.start == start; });
  }
  /// Elements of a start's row.
  [[nodiscard]] std::size_t width() const { return padded_stride(m_problem.rank, sizeof(Scalar)); }
  [[nodiscard]] std::vector<Matrix> columns_of(std::size_t place) const {
    std::vector<Matrix> columns;
    for (const Matrix& wide : m_factors) {
      columns.emplace_back(View(wide.data() + place * width(), wide.rows(), wide.stride()),
                           m_problem.rank);
    }
    return columns;
  }

  void update_mode(ModeUpdate& update, std::vector<typename Rows::Together>& together,
                   PhaseTimings& timings) {
    const auto n = static_cast<std::size_t>(update.mode);
    {
      const ProfilingRegion region("genten::mttkrp");
      update.begun.set(m_exec);
      m_problem.plan->execute(m_exec, m_factors, update.mode, m_factors[n], m_versions);
      update.contracted.set(m_exec);
    }
    {
      const ProfilingRegion region("genten::solve");
      std::size_t k = 0;
      for (const Place& place : m_places) {
        if (place.start != nullptr) together[k++].rows = place.start->step->factors()[n];
      }
      Rows::update_together(m_exec, update.mode, together, update.rows.updated, m_tasks);
      m_versions[update.mode] = ++m_problem.version;
    }
    for (const Place& place : m_places) {
      if (place.start == nullptr || !place.start->state.history.empty()) continue;
      update.rows.updated.wait();
      place.start->step->settle(update.mode, timings);
    }
  }

  Exec m_exec;
  Problem& m_problem;
  std::vector<Place> m_places;
  std::vector<Matrix> m_memory, m_factors;  ///< mode by mode, of all places
  std::vector<ModeUpdate> m_updates;
  typename Rows::Tasks m_tasks;
  FactorVersions m_versions{};
};

}  // namespace genten::detail
