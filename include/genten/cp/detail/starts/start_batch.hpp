// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// StartBatch: starts of CP-ALS whose sweeps run side by side.

#include <genten/cp/detail/cp_als_step.hpp>
#include <genten/cp/detail/several_starts.hpp>

#include <algorithm>
#include <span>
#include <vector>

namespace genten::detail {

/// Starts whose columns lie side by side in one wide matrix a mode: one traversal over the nonzeros
/// makes MTTKRP of all, one pass updates the rows of all. Each start gets the bits that it gets
/// alone: its columns are summed in the order of the plan, which is that of one start, and all else
/// is its own step's.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec, RowUpdate Rows>
class StartBatch {
 public:
  using Step = CpAlsStep<Scalar, Ordinal, Exec, Rows>;
  using Problem = CpAlsProblem<Scalar, Ordinal, Exec>;

  /// Whether starts with such a row update can run side by side.
  static constexpr bool possible = std::is_same_v<Rows, LeastSquaresUpdate<Scalar, Exec>>;

  StartBatch(const Exec& exec, Problem& problem) : m_exec(exec), m_problem(problem) {
    for (const int mode : problem.updates) m_updates.push_back({.mode = mode});
  }

  [[nodiscard]] std::size_t places() const { return m_places.size(); }

  /// Makes it as large as so many starts need, which are at least those that it holds. Where no two
  /// would be side by side it holds none, and they go on alone.
  void resize_for(std::size_t starts) {
    const std::size_t places = starts < 2 ? 0 : starts;
    // A copy of all costs about as much as a sweep.
    if (places == m_places.size()) return;
    if (places < m_places.size() && 2 * places > m_places.size()) return;
    std::vector<Step*> held;
    for (const Place& place : m_places) {
      if (place.step != nullptr) held.push_back(place.step);
    }
    for (Step* const step : held) remove(*step);
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
    for (Step* const step : held) add(*step);
  }
  /// Lets a start go on alone, if it is here.
  void remove(Step& step) {
    const auto place = find(&step);
    if (place == m_places.end()) return;
    step.move_factors(place->own);
    *place = {};
  }

  /// A sweep of all that it holds, which are these, or will be: they find a place first.
  void sweep(std::span<NextSweep<Step>> sweeps, PhaseTimings& timings) {
    for (const auto& each : sweeps) {
      if (find(each.step) == m_places.end()) add(*each.step);
    }
    std::vector<typename Rows::Together> together;
    for (const auto& each : sweeps) {
      together.push_back({&each.step->rows(), {}, each.iteration == 1});
    }
    for (auto& update : m_updates) update_mode(update, sweeps, together, timings);
    for (auto& each : sweeps) each.outcome = each.step->end_sweep();
    for (const auto& update : m_updates) {
      timings.add("mttkrp", update.contracted.seconds_since(update.begun));
      timings.add("solve", update.rows.updated.seconds_since(update.contracted));
    }
  }

 private:
  using Matrix = FacMatrix<Scalar, Exec>;
  using View = typename Matrix::view_type;
  using ModeUpdate = typename Step::ModeUpdate;
  struct Place {
    Step* step = nullptr;       ///< null: it is free
    std::vector<Matrix> own{};  ///< where the start's factors lie when it is alone
  };

  [[nodiscard]] auto find(const Step* step) {
    return std::find_if(m_places.begin(), m_places.end(),
                        [step](const Place& place) { return place.step == step; });
  }
  /// Brings a start, which has begun, to a free place, of which there is one.
  void add(Step& step) {
    Place& place = *find(nullptr);
    for (const Place& other : m_places) {
      if (other.step == nullptr) continue;
      step.rows().share_queue(other.step->rows());
      break;
    }
    place.step = &step;
    place.own = step.factors();
    step.move_factors(columns_of(static_cast<std::size_t>(&place - m_places.data())));
    for (std::size_t m = 0; m < m_factors.size(); ++m) m_versions[m] = ++m_problem.version;
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

  void update_mode(ModeUpdate& update, std::span<const NextSweep<Step>> sweeps,
                   std::vector<typename Rows::Together>& together, PhaseTimings& timings) {
    const auto n = static_cast<std::size_t>(update.mode);
    {
      const ProfilingRegion region("genten::mttkrp");
      update.begun.set(m_exec);
      m_problem.plan->execute(m_exec, m_factors, update.mode, m_factors[n], m_versions);
      update.contracted.set(m_exec);
    }
    {
      const ProfilingRegion region("genten::solve");
      for (std::size_t k = 0; k < sweeps.size(); ++k) {
        together[k].rows = sweeps[k].step->factors()[n];
      }
      Rows::update_together(m_exec, update.mode, together, update.rows.updated, m_tasks);
      m_versions[update.mode] = ++m_problem.version;
    }
    for (const auto& each : sweeps) {
      if (each.iteration != 1) continue;
      update.rows.updated.wait();
      each.step->settle(update.mode, timings);
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
