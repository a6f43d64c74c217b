// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowEquations' coordinate descent.

#include <genten/mttkrp/detail/row_equations/launch_teams.hpp>
#include <genten/mttkrp/detail/row_equations/row_loops.hpp>
#include <genten/mttkrp/row_equations.hpp>

namespace genten {

template <RealScalar Scalar, ExecutionSpace Exec>
double RowEquations<Scalar, Exec>::coordinate_descent(const Exec& exec,
                                                      std::span<const Matrix> factors, int mode,
                                                      const RowConstraint& constraint,
                                                      const Matrix& rows) {
  return run_descent(exec, factors, mode, constraint, {}, rows);
}

template <RealScalar Scalar, ExecutionSpace Exec>
double RowEquations<Scalar, Exec>::coordinate_descent_without(
    const Exec& exec, std::span<const Matrix> factors, int mode, const RowConstraint& constraint,
    const Square& base, const Matrix& products, const Matrix& rows) {
  check(factors, mode, products);
  check_base(base);
  return run_descent(
      exec, factors, mode, constraint,
      {.sign = -1.0, .base = base.data(), .right = products.data(), .base_error = base_error()},
      rows);
}

template <RealScalar Scalar, ExecutionSpace Exec>
double RowEquations<Scalar, Exec>::run_descent(const Exec& exec, std::span<const Matrix> factors,
                                               int mode, const RowConstraint& constraint,
                                               detail::RowTerms<Scalar> terms, const Matrix& rows) {
  check(factors, mode, rows);
  if (m_violations.extent(0) == 0) {
    m_violations = detail::new_view<decltype(m_violations)>(
        "genten::row_violations", m_dimensions[static_cast<std::size_t>(longest_mode())]);
  }
  Kokkos::deep_copy(exec, m_violations, -1.0);
  detail::fence(exec, "genten::row_violations");
  terms.ridge = constraint.ridge;
  terms.descends = true;
  terms.rule = detail::ElementRule::of<Scalar>(constraint);
  terms.start = rows.data();
  const Work work = work_of(mode, terms, rows);
  if constexpr (is_host_space<Exec>) {
    if (!by_teams()) run_on_host(exec, factors, mode, work);
  }
  if (by_teams()) run_teams(exec, factors, mode, work);
  run_descent_without_entries(exec, factors, mode, work);
  double largest = 0.0;
  const double* const violations = work.violations;
  Kokkos::parallel_reduce(
      "genten::largest_violation",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<offset_t>>(exec, 0,
                                                             static_cast<offset_t>(rows.rows())),
      KOKKOS_LAMBDA(const offset_t i, double& most) {
        most = most < violations[i] ? violations[i] : most;
      },
      Kokkos::Max<double>(largest));
  return largest < 0.0 ? 0.0 : largest;
}

/// Where all rows have entries, nothing is left to do.
template <RealScalar Scalar, ExecutionSpace Exec>
void RowEquations<Scalar, Exec>::run_descent_without_entries(const Exec& exec,
                                                             std::span<const Matrix> factors,
                                                             int mode, const Work& work) {
  const auto all = m_dimensions[static_cast<std::size_t>(mode)];
  if (rows(mode) == static_cast<offset_t>(all)) return;
  const Entries& entries = m_entries[static_cast<std::size_t>(mode)];
  if constexpr (is_host_space<Exec>) {
    if (!by_teams()) {
      constexpr std::size_t rows_per_task = 64;
      const std::size_t line = detail::system_line(m_rank);
      const detail::EntryGather<Scalar> gather(entries, factors, mode, line);
      const Kokkos::Experimental::UniqueToken<Exec> token(exec);
      auto* const descend = detail::row_loops<Scalar>().perform_without_entries;
      detail::for_each_index(
          "genten::rows_without_entries", exec, (all + rows_per_task - 1) / rows_per_task,
          [&](const std::size_t task) {
            const auto mine = token.acquire();
            const std::size_t end = std::min(all, (task + 1) * rows_per_task);
            for (std::size_t row = task * rows_per_task; row < end; ++row) {
              if (work.violations[row] >= 0.0) continue;
              descend(work, gather, &m_workspace(mine, 0), static_cast<offset_t>(row));
            }
            token.release(mine);
          });
      return;
    }
  }
  detail::with_row_teams<Scalar>(exec, entries, factors, mode, work, [&](auto teams) {
    detail::launch_row_teams<typename decltype(teams)::WithoutEntries>(
        "genten::rows_without_entries", exec, all, teams);
  });
}

}  // namespace genten
