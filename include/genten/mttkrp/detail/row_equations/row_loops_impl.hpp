// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a thread of a host does for the systems of rows, for the instruction set that a source is
/// compiled for.

#include <genten/mttkrp/detail/row_equations/host_rows.hpp>
#include <genten/mttkrp/detail/row_equations/poisson_rows.hpp>
#include <genten/mttkrp/detail/row_equations/row_loops.hpp>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// Calls body(rows), rows being HostRows for vectors as wide as a line of a system allows.
template <class Scalar, class Body>
[[gnu::always_inline]] inline auto with_host_rows(const RowWork<Scalar>& work,
                                                  const EntryGather<Scalar>& gather, double* space,
                                                  const Body& body) {
  return with_system_width(
      work.rank, [&](auto width) __attribute__((always_inline)) {
        return body(
            HostRows<decltype(width)::value, Scalar>(work, gather, RowWorkspace(space, gather.line),
                                                     space + RowWorkspace::size(gather.line)));
      });
}

/// The same with PoissonRows.
template <class Scalar, class Body>
[[gnu::always_inline]] inline auto with_poisson_rows(const RowWork<Scalar>& work,
                                                     const EntryGather<Scalar>& gather,
                                                     double* space, CountFacts* facts,
                                                     const CountTerms& terms, const Body& body) {
  return with_system_width(
      work.rank, [&](auto width) __attribute__((always_inline)) {
        double* const row = space + RowWorkspace::size(gather.line);
        return body(PoissonRows<decltype(width)::value, Scalar>(
            work, gather, RowWorkspace(space, gather.line), row, row + (gather.line + 7) / 8 * 8,
            facts, terms));
      });
}

template <class Scalar>
const RowLoops<Scalar>& compiled_row_loops() {
  using Work = RowWork<Scalar>;
  using Gather = EntryGather<Scalar>;
  static constexpr RowLoops<Scalar> loops{
      [](const Work& work, const Gather& gather, double* space, const RowTask& task) {
        with_host_rows(work, gather, space, [&](const auto& rows) { rows.perform(task); });
      },
      [](const Work& work, const Gather& gather, double* space, const CutRow& row) {
        with_host_rows(work, gather, space, [&](const auto& rows) { rows.perform(row); });
      },
      [](const Work& work, const Gather& gather, double* space, offset_t row) {
        with_host_rows(work, gather, space,
                       [&](const auto& rows) { rows.perform_without_entries(row); });
      },
      [](const Work& work, const Gather& gather, double* space, const RowTask& task,
         const Scalar* own) {
        return with_host_rows(work, gather, space,
                              [&](const auto& rows) { return rows.squared_residual(task, own); });
      },
      [](const Work& work, const Gather& gather, double* space, CountFacts* facts,
         const CountTerms& terms, const RowTask& task) {
        return with_poisson_rows(work, gather, space, facts, terms,
                                 [&](const auto& rows) { return rows.perform(task); });
      },
      [](const Work& work, const Gather& gather, double* space, CountFacts* facts,
         const CountTerms& terms, const CutRow& row) {
        return with_poisson_rows(work, gather, space, facts, terms,
                                 [&](const auto& rows) { return rows.perform(row); });
      },
      [](const Work& work, const Gather& gather, double* space, const RowTask& task,
         const double* weights, const CountTerms& terms) {
        return with_poisson_rows(work, gather, space, nullptr, terms,
                                 [&](const auto& rows) { return rows.sums(task, weights); });
      }};
  return loops;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
