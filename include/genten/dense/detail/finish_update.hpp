// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices for short matrices: all that follows the new rows, by one team.

#include <genten/dense/detail/add_chunks.hpp>

namespace genten::detail {

/// Doubles that FinishUpdate has at least: they suffice to solve for 32 columns.
inline constexpr std::size_t least_finish_workspace = 2304;

/// Adds what the teams of UpdateRows have found, with the bits of AddChunks, and calls
/// last(team, workspace) for a workspace, of at least `least_finish_workspace` doubles, that begins
/// with the Gram matrix, column_max and dots. `Last` may do with it what it likes. The team is as
/// large as others, but has vectors.
template <ExecutionSpace Exec, class Last>
struct FinishUpdate {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  ChunkSums<Exec> sums;
  Last last;

  [[nodiscard]] KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    const std::size_t of_sums = sums.all_size();
    return (least_finish_workspace > of_sums ? least_finish_workspace : of_sums) * sizeof(double);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const workspace = static_cast<double*>(team.team_shmem().get_shmem(scratch_bytes()));
    sums.run_all(team, workspace, thread_of_vectors<Exec>(team));
    last(team, workspace);
  }
};

}  // namespace genten::detail
