// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Launches of TeamRows, and the residuals of entries on devices.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/mttkrp/detail/row_equations/team_rows.hpp>

#include <span>

namespace genten::detail {

/// Threads of a team for systems of so many rows.
template <ExecutionSpace Exec>
[[nodiscard]] int row_team_size(std::size_t rank) {
  if constexpr (is_host_space<Exec>) return 1;
  return rank <= 16 ? 64 : rank <= 48 ? 128 : 256;
}

/// Queues a kernel of `rows`, a tag of TeamRows, with so many teams.
template <class Tag, ExecutionSpace Exec, class Rows>
void launch_row_teams(const char* label, const Exec& exec, std::size_t teams, Rows rows) {
  if (teams == 0) return;
  const std::size_t bytes = rows.scratch_bytes();
  // Several teams of a multiprocessor share what is near.
  using Policy = Kokkos::TeamPolicy<Exec, Tag>;
  rows.level = bytes <= static_cast<std::size_t>(Policy::scratch_size_max(0)) ? 0 : 1;
  Policy policy(exec, static_cast<int>(teams), row_team_size<Exec>(rows.work.rank));
  policy.set_scratch_size(rows.level, Kokkos::PerTeam(static_cast<int>(bytes)));
  Kokkos::parallel_for(label, policy, rows);
  fence(exec, label);
}

/// Calls use(rows) with TeamRows of the tiles that the rank wants.
template <RealScalar Scalar, ExecutionSpace Exec, class Use>
void with_row_teams(const Exec&, const ModeEntries<Scalar, Exec>& entries,
                    std::span<const FacMatrix<Scalar, Exec>> factors, int mode,
                    const RowWork<Scalar>& work, const Use& use) {
  const auto fill = [&](auto rows) {
    rows.work = work;
    rows.subscripts = entries.subscripts.data();
    rows.values = entries.values.data();
    rows.others = entries.others;
    rows.panel_entries = work.rank <= 32 ? 32 : 16;
    for (int n = 0; n < entries.others; ++n) {
      rows.factors[n] = factors[static_cast<std::size_t>(n < mode ? n : n + 1)].data();
    }
    use(rows);
  };
  if (work.rank <= 32) {
    fill(TeamRows<2, Scalar, Exec>{});
  } else {
    fill(TeamRows<4, Scalar, Exec>{});
  }
}

/// The sum of (value - model)^2 over the entries of a mode's order, a thread an entry.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] double entry_residuals(const Exec& exec, const ModeEntries<Scalar, Exec>& entries,
                                     std::span<const FacMatrix<Scalar, Exec>> factors, int mode) {
  Kokkos::Array<const Scalar*, max_order> rows{};
  const int others = entries.others;
  for (int n = 0; n < others; ++n) {
    rows[n] = factors[static_cast<std::size_t>(n < mode ? n : n + 1)].data();
  }
  const auto own = factors[static_cast<std::size_t>(mode)];
  const std::size_t stride = own.stride(), rank = own.columns();
  const auto subscripts = entries.subscripts;
  const auto values = entries.values;
  const auto row_numbers = entries.rows;
  const auto begins = entries.begins;
  const offset_t row_count = entries.row_count();
  return chunked_reduce<double>(
      "genten::entry_residuals", exec, entries.nnz(), KOKKOS_LAMBDA(const offset_t p) {
        offset_t low = 0, high = row_count;  // the last row that begins at p or before
        while (high - low > 1) {
          const offset_t middle = low + (high - low) / 2;
          (begins(middle) <= p ? low : high) = middle;
        }
        const Scalar* const row = own.row(row_numbers(low));
        double model = 0.0;
        for (std::size_t r = 0; r < rank; ++r) {
          Scalar product = Scalar(1);
          for (int n = 0; n < others; ++n)
            product *= rows[n][subscripts(p * others + n) * stride + r];
          model += static_cast<double>(product) * static_cast<double>(row[r]);
        }
        const double residual = static_cast<double>(values(p)) - model;
        return residual * residual;
      });
}

}  // namespace genten::detail
