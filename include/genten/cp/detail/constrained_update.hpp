// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ConstrainedUpdate: the row update under penalties and bounds.

#include <genten/core/column_norms.hpp>
#include <genten/cp/detail/balance_norms.hpp>
#include <genten/cp/detail/bounded_start.hpp>
#include <genten/cp/detail/least_squares_update.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/dense/row_descent.hpp>

#include <cmath>
#include <optional>
#include <vector>

namespace genten::detail {

/// Each mode by its RowConstraint: by coordinate descent from the old rows where there are bounds
/// or an l1 penalty, so that MTTKRP goes to a matrix of its own; elsewhere, also with a ridge, as
/// LeastSquaresUpdate does it. A RowUpdate.
///
/// Under constraints that a column's scaling does not touch, stored columns are normalized as those
/// of LeastSquaresUpdate are, but no column of zeros gets the weight 0, from which it could not
/// come back. Under all others columns are as long as they are found: penalties see that they are
/// not too long. But each mode only shortens its own columns, given the others', and so they would
/// share the length of a component by small steps, sweep after sweep; after a sweep it is shared
/// at once, where all modes that may be scaled have a penalty, as far as bounds let it be.
template <RealScalar Scalar, ExecutionSpace ExecSpace>
class ConstrainedUpdate : public LeastSquaresUpdate<Scalar, ExecSpace> {
 public:
  using Base = LeastSquaresUpdate<Scalar, ExecSpace>;
  using typename Base::Applied;
  using typename Base::Event;
  using typename Base::Exec;
  using typename Base::Matrix;
  using typename Base::Solved;

  /// For as many modes as there are constraints; `most_rows` is the most of any mode.
  ConstrainedUpdate(const std::vector<RowConstraint>& constraints, std::size_t rank,
                    std::size_t most_rows)
      : Base(static_cast<int>(constraints.size()), rank, most_rows,
             allow_scaling(constraints) ? ColumnScaling::revivable : ColumnScaling::none),
        m_constraints(constraints),
        m_rank(rank),
        m_penalties(constraints.size(), 0.0),
        m_violations(constraints.size(), std::numeric_limits<double>::quiet_NaN()) {
    if (descends(constraints)) m_descent.emplace(rank, most_rows);
  }

  /// Whether rows of any mode descend by coordinates, which takes a matrix for MTTKRP.
  [[nodiscard]] static bool descends(const std::vector<RowConstraint>& constraints) {
    return std::any_of(constraints.begin(), constraints.end(),
                       [](const RowConstraint& each) { return !each.is_linear(); });
  }
  /// Bytes that such an object takes where factors lie, but for that matrix.
  [[nodiscard]] static double memory(const std::vector<RowConstraint>& constraints,
                                     std::size_t rank, std::size_t most_rows) {
    const double linear = Base::memory(static_cast<int>(constraints.size()), rank, most_rows);
    return descends(constraints) ? linear + Descent::memory(rank, most_rows) : linear;
  }

  /// Notes the penalty of a mode's initial factor: all of its rows, or those of this process.
  void begin(const Exec& exec, int mode, const Matrix& rows, bool of_process = false) {
    const auto of_norms = [&](NormKind kind, auto power) {
      double sum = 0.0;
      for (const double norm : column_norms(exec, rows, kind)) sum += power(norm);
      return sum;
    };
    double& penalty = m_penalties[static_cast<std::size_t>(mode)];
    penalty = 0.0;
    if (of(mode).ridge > 0.0) {
      penalty +=
          0.5 * of(mode).ridge * of_norms(NormKind::two, [](double norm) { return norm * norm; });
    }
    if (of(mode).l1 > 0.0) {
      penalty += of(mode).l1 * of_norms(NormKind::one, [](double norm) { return norm; });
    }
    if (of_process) this->processes().combine({&penalty, 1}, {});
  }

  /// The sweeps that follow are the FirstSweeps of a random start. Bounds alone, in all modes, need
  /// none: there columns of zeros come back in any sweep.
  void begin_first_sweeps() {
    const bool linear = std::any_of(m_constraints.begin(), m_constraints.end(),
                                    [](const RowConstraint& each) { return each.is_linear(); });
    // Where no mode descends nothing is clipped, and one sweep is enough.
    const bool may_lose = is_penalized(m_constraints) && m_descent;
    if (linear || !allow_scaling(m_constraints)) m_first.begin(may_lose);
  }

  [[nodiscard]] Matrix mttkrp_output(int mode, const Matrix& rows) const {
    return is_linear(mode) ? rows : m_descent->products_of(rows);
  }
  [[nodiscard]] Solved solve(int mode) {
    const double ridge = m_first.running() ? 0.0 : of(mode).ridge;
    if (is_linear(mode)) return Base::solve(mode, ridge);
    return this->algebra().write_system(mode, m_descent->system, ridge);
  }
  [[nodiscard]] Applied apply(const Exec& exec, const Matrix& rows, Solved solved,
                              RowEvents<Event>& events) {
    const int mode = solved.mode;
    if (is_linear(mode)) return this->apply_and_sum(exec, rows, std::move(solved), events);
    RowConstraint constraint = of(mode);
    if (m_first.running()) constraint.ridge = constraint.l1 = 0.0;
    m_descent->pass.run(exec, rows, m_descent->products_of(rows), m_descent->system, constraint);
    events.written.set(exec);
    this->queue_combine(exec, m_descent->pass);
    // Passes without an l1 penalty do not sum what it will cost.
    m_first_sums.clear();
    if (of(mode).l1 > constraint.l1) m_first_sums = column_norms(exec, rows, NormKind::one);
    events.updated.set(exec);
    return Applied(std::move(solved), events.updated);
  }
  void absorb(Applied applied, bool first_sweep) {
    const int mode = applied.mode;
    // The host reads what the pass has found before another takes its place.
    applied.updated.wait();
    if (is_linear(mode)) {
      this->combine(applied, this->pass());
      note_costs(mode, this->pass(), [](std::size_t) { return 0.0; });
      Base::absorb_combined(std::move(applied), first_sweep);
      return;
    }
    const auto& pass = m_descent->pass;
    this->combine(applied, pass);
    if (m_first_sums.empty()) {
      note_costs(mode, pass, pass.absolute_sums());
    } else {
      this->processes().combine(m_first_sums, {});
      note_costs(mode, pass, [this](std::size_t r) { return m_first_sums[r]; });
    }
    // Later, modes that are linear have none.
    if (!of(mode).is_linear()) m_violations[static_cast<std::size_t>(mode)] = pass.violation();
    this->algebra().absorb(std::move(applied), pass, first_sweep);
  }

  /// Returns whether the sweep is to be repeated, one of the FirstSweeps; else shares the length of
  /// each component among the modes that were updated, exactly.
  [[nodiscard]] bool end_sweep() {
    if (m_first.running()) {
      double repeats = m_first.repeats(component_norms()) ? 1.0 : 0.0;
      this->processes().take_first({&repeats, 1});
      if (repeats == 1.0) return true;
      m_first.end();
    }
    share_lengths();
    return false;
  }

  [[nodiscard]] AlsStatistics statistics() const {
    AlsStatistics found = Base::statistics();
    for (const double penalty : m_penalties) found.penalty += penalty;
    for (const double violation : m_violations) {
      found.violation = std::fmax(found.violation, violation);  // NaN where there is none
    }
    return found;
  }
  [[nodiscard]] AlgebraState save() const {
    AlgebraState state = Base::save();
    state.penalties = m_penalties;
    state.violations = m_violations;
    return state;
  }
  void restore(const AlgebraState& state) {
    Base::restore(state);
    if (state.penalties.size() != m_penalties.size() ||
        state.violations.size() != m_violations.size()) {
      throw Error::in("cp_als", "the checkpoint does not have the penalties of its modes")
          .as(Error::Code::checkpoint);
    }
    m_penalties = state.penalties;
    m_violations = state.violations;
  }

 private:
  /// What coordinate descent takes.
  struct Descent {
    RowEquation<Scalar, Exec> system;
    RowDescent<Scalar, Exec> pass;
    Matrix products;  ///< as many rows as the longest mode

    Descent(std::size_t rank, std::size_t most_rows)
        : system(rank), pass(rank, most_rows), products(most_rows, rank, "genten::products") {}
    [[nodiscard]] static double memory(std::size_t rank, std::size_t most_rows) {
      const auto row = static_cast<double>(padded_stride(rank, sizeof(Scalar))) * sizeof(Scalar);
      const bool device = !is_host_space<Exec>;
      return RowDescent<Scalar, Exec>::memory(rank, most_rows) +
             array_bytes(static_cast<double>(rank) * row, device) +
             static_cast<double>(RowEquation<Scalar, Exec>::lines * rank * sizeof(Scalar));
    }
    /// The first of its rows, as many as there are of a mode.
    [[nodiscard]] Matrix products_of(const Matrix& rows) const {
      return products.first_rows(rows.rows());
    }
  };

  [[nodiscard]] const RowConstraint& of(int mode) const {
    return m_constraints[static_cast<std::size_t>(mode)];
  }
  /// Whether the mode's rows are solved for in the sweep in hand.
  [[nodiscard]] bool is_linear(int mode) const {
    return of(mode).is_linear() && !(m_first.running() && m_descent);
  }
  /// Penalties go with unscaled columns, so that the new ones, as stored, count; so do bounds.
  template <class Pass, class Column>
  void note_costs(int mode, const Pass& pass, const Column& absolute_sums) {
    const auto n = static_cast<std::size_t>(mode);
    m_costs[n].assign(m_rank, {});
    m_penalties[n] = 0.0;
    m_squares[n].assign(m_rank, 0.0);
    for (std::size_t r = 0; r < m_rank; ++r) {
      ColumnCost& cost = m_costs[n][r];
      const double square = pass.gram()(r, r);
      if (of(mode).ridge > 0.0) cost.square = 0.5 * of(mode).ridge * square;
      if (of(mode).l1 > 0.0) cost.linear = of(mode).l1 * absolute_sums(r);
      cost.most = most_length<Scalar>(of(mode), pass.column_max()(r));
      m_penalties[n] += cost.square + cost.linear;
      m_squares[n][r] = square;
    }
  }
  /// Of what the modes' last updates have stored.
  [[nodiscard]] std::vector<double> component_norms() const {
    std::vector<double> norms(m_rank, 1.0);
    for (const std::vector<double>& squares : m_squares) {
      for (std::size_t r = 0; r < squares.size(); ++r) norms[r] *= std::sqrt(squares[r]);
    }
    return norms;
  }
  void share_lengths() {
    const std::size_t order = m_constraints.size();
    std::vector<std::size_t> modes;
    for (std::size_t n = 0; n < order; ++n) {
      if (m_costs[n].empty() || !bounds_allow_lengths(m_constraints[n])) continue;
      if (is_penalized(m_constraints[n])) {
        modes.push_back(n);
      } else if (bounds_allow_scaling({m_constraints[n]})) {
        return;  // it may take all of the length, and costs nothing
      }
    }
    std::vector<double> factors(order * m_rank, 1.0), of_modes(modes.size());
    std::vector<ColumnCost> costs(modes.size());
    bool any = false;
    for (std::size_t r = 0; r < m_rank; ++r) {
      for (std::size_t k = 0; k < modes.size(); ++k) costs[k] = m_costs[modes[k]][r];
      any = balance_norms(costs, of_modes) || any;
      for (std::size_t k = 0; k < modes.size(); ++k) factors[modes[k] * m_rank + r] = of_modes[k];
    }
    if (!any) return;
    this->algebra().rescale(factors);
    for (const std::size_t n : modes) {
      m_penalties[n] = 0.0;
      for (std::size_t r = 0; r < m_rank; ++r) {
        const double factor = factors[n * m_rank + r];
        m_penalties[n] += factor * (factor * m_costs[n][r].square + m_costs[n][r].linear);
      }
    }
  }

  std::vector<RowConstraint> m_constraints;
  std::size_t m_rank;
  FirstSweeps m_first;
  std::vector<double> m_first_sums;  ///< of the last update, if it was one of theirs and has an l1
  /// By mode and column, as the mode's last update left it; of modes that stay as they are, none.
  std::vector<std::vector<ColumnCost>> m_costs =
      std::vector<std::vector<ColumnCost>>(m_constraints.size());
  /// By mode and column, as the mode's last update has stored it, its squared norm.
  std::vector<std::vector<double>> m_squares =
      std::vector<std::vector<double>>(m_constraints.size());
  std::vector<double> m_penalties;   ///< by mode, as the factors now are
  std::vector<double> m_violations;  ///< by mode, before its last update
  std::optional<Descent> m_descent;
};

}  // namespace genten::detail
