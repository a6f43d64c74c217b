// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// NewtonRows: sweeps of Newton's method, row by row.

// Before its parts, which need what it declares.
#include <genten/cp/project_rows.hpp>

#include <genten/base/detail/even_chunks.hpp>
#include <genten/cp/detail/balance_norms.hpp>
#include <genten/cp/detail/gcp/gcp_problem.hpp>
#include <genten/cp/detail/project/entries_by_row.hpp>
#include <genten/cp/detail/project/solve_row.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <type_traits>
#include <vector>

namespace genten::detail {

/// The rows of a factor depend on the other factors alone, so that each is a small problem of its
/// own: some steps of Newton's method from where it stands, by the solver of project_rows. They
/// have the same bits for every number of threads.
template <RealScalar Scalar>
class NewtonRows {
 public:
  using Model = Ktensor<Scalar, HostExec>;

  explicit NewtonRows(const GcpProblem<Scalar, HostExec>& problem)
      : m_problem(problem), m_entries(problem.objective->entries_to_draw()) {
    const bool lists_missing = !problem.unlisted_are_missing && m_entries.missing;
    for (int n = 0; n < problem.order(); ++n) {
      m_listed.emplace_back(m_entries.listed, n);
      if (lists_missing) m_missing.emplace_back(*m_entries.missing, n);
    }
  }

  /// Takes steps of each factor that is not fixed in its turn, for the `number`th time.
  void sweep(const HostExec& exec, const Model& model, std::size_t number) const {
    const auto free = std::count(m_problem.is_free.begin(), m_problem.is_free.end(), true);
    const std::size_t steps = free > 1 && number <= short_sweeps ? 1 : most_steps;
    for (int n = 0; n < m_problem.order(); ++n) {
      if (m_problem.is_free[static_cast<std::size_t>(n)]) take_steps(exec, model, n, steps);
    }
    balance(model);
  }

 private:
  void take_steps(const HostExec& exec, const Model& model, int mode, std::size_t steps) const {
    const auto n = static_cast<std::size_t>(mode);
    const std::size_t rank = model.rank();
    ProjectOptions options;
    const GcpLimits limits = m_problem.limits();  // bounds as elements have them
    options.constraint.lower = limits.lower[mode];
    options.constraint.upper = limits.upper[mode];
    options.constraint.ridge = m_problem.ridge[n];
    options.constraint.l1 = m_problem.l1[n];
    options.unlisted =
        m_problem.zeros == ZeroSums::none ? UnlistedEntries::missing : UnlistedEntries::zeros;
    options.max_iterations = steps;
    options.starts = 1;
    options.explain = false;
    options.most_operations = std::numeric_limits<double>::infinity();  // the run has been allowed
    auto others = other_factors(model, mode, std::vector<double>(rank, 1.0));
    others.complete();
    const RowProblem task(m_entries.loss, std::move(others), options);
    const FacMatrix<Scalar, HostExec>& factor = model.factor(mode);
    for_each_index("genten::newton_rows", exec, factor.rows(), [&](const std::size_t i) {
      RowEntries entries;
      m_listed[n].take(i, entries.subscripts, &entries.values);
      if (!m_missing.empty()) m_missing[n].take(i, entries.missing, nullptr);
      std::vector<double> row(rank);
      for (std::size_t r = 0; r < rank; ++r) row[r] = static_cast<double>(factor(i, r));
      static_cast<void>(solve_row(task, entries, row));
      for (std::size_t r = 0; r < rank; ++r) factor(i, r) = static_cast<Scalar>(row[r]);
    });
  }

  /// Moves length between the columns of a component to where penalties are least: rows alone come
  /// there slowly.
  void balance(const Model& model) const {
    std::vector<int> modes;
    for (int n = 0; n < m_problem.order(); ++n) {
      const auto mode = static_cast<std::size_t>(n);
      if (!m_problem.is_free[mode]) continue;
      if (!m_problem.is_penalized(mode) || !bounds_allow_lengths(m_problem.constraints[mode])) {
        return;
      }
      modes.push_back(n);
    }
    std::vector<ColumnCost> costs(modes.size());
    std::vector<double> factors(modes.size());
    for (std::size_t r = 0; r < model.rank(); ++r) {
      for (std::size_t k = 0; k < modes.size(); ++k) {
        const auto mode = static_cast<std::size_t>(modes[k]);
        const auto& factor = model.factor(modes[k]);
        double square = 0.0, sum = 0.0, largest = 0.0;
        for (std::size_t i = 0; i < factor.rows(); ++i) {
          const auto element = static_cast<double>(factor(i, r));
          square += element * element;
          sum += std::abs(element);
          largest = std::max(largest, std::abs(element));
        }
        costs[k] = {0.5 * m_problem.ridge[mode] * square, m_problem.l1[mode] * sum,
                    most_length<Scalar>(m_problem.constraints[mode], largest)};
      }
      if (!balance_norms(costs, factors)) continue;
      for (std::size_t k = 0; k < modes.size(); ++k) {
        const auto& factor = model.factor(modes[k]);
        for (std::size_t i = 0; i < factor.rows(); ++i) {
          factor(i, r) = static_cast<Scalar>(static_cast<double>(factor(i, r)) * factors[k]);
        }
      }
    }
  }

  /// Of a row each time: the other factors change next.
  static constexpr std::size_t most_steps = 4;
  /// Rows that are best for random factors lead to minima far above the least: of 24 runs (odds and
  /// counts, 4 components, 12 guesses each) 2 ended 20 % above it, and none since the first sweeps
  /// take one step of a row.
  static constexpr std::size_t short_sweeps = 2;

  const GcpProblem<Scalar, HostExec>& m_problem;
  GcpEntries<Scalar, HostExec> m_entries;
  std::vector<RowsOfEntries<Scalar, RowNumber>> m_listed, m_missing;  ///< by mode
};

/// Improves the factors of a model in turn; the number of times counts from 1.
template <RealScalar Scalar, ExecutionSpace Exec>
using SweepOfRows = std::function<void(const Ktensor<Scalar, Exec>& model, std::size_t number)>;

/// On hosts; elsewhere make_gcp_problem has refused it.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] SweepOfRows<Scalar, Exec> sweeps_of_rows(const Exec& exec,
                                                       const GcpProblem<Scalar, Exec>& problem) {
  if constexpr (std::is_same_v<Exec, HostExec>) {
    const auto rows = std::make_shared<NewtonRows<Scalar>>(problem);
    return [exec, rows](const Ktensor<Scalar, Exec>& model, std::size_t number) {
      rows->sweep(exec, model, number);
    };
  } else {
    return {};
  }
}

}  // namespace genten::detail
