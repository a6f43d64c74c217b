// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices for short matrices: all that follows the new rows, in one launch.

#include <genten/dense/detail/add_chunks.hpp>
#include <genten/dense/detail/gram_chunks.hpp>

namespace genten::detail {

/// GramChunks and AddChunks by the same teams: the one that arrives last, whichever it is, adds
/// what all have found, with the bits of these, and calls last(team, workspace) for a workspace, of
/// at least Grams::workspace_size(), that begins with the Gram matrix, column_max and dots. `Last`
/// may do with it what it likes. Its teams are as large as others, but have vectors.
template <class Scalar, int Micro, ExecutionSpace Exec, class Last>
struct FinishUpdate {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Grams = GramChunks<Scalar, Micro, Exec>;

  Grams grams;
  ChunkSums<Exec> sums;
  unsigned* arrived;  ///< teams so far; 0 again in the end
  Last last;

  [[nodiscard]] KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    const std::size_t of_sums = sums.all_size(), of_grams = Grams::workspace_size();
    return (of_grams > of_sums ? of_grams : of_sums) * sizeof(double);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const workspace = static_cast<double*>(team.team_shmem().get_shmem(scratch_bytes()));
    const std::size_t thread = thread_of_vectors<Exec>(team);
    grams.run(team, static_cast<std::size_t>(team.league_rank()), workspace, thread);
    if (!is_last(team)) return;  // the same for the whole team
    sums.run_all(team, workspace, thread);
    last(team, workspace);
  }

 private:
  [[nodiscard]] KOKKOS_FUNCTION bool is_last(const Member& team) const {
    team.team_barrier();
    if (grams.chunks == 1) return true;
    Kokkos::memory_fence();  // each thread has written a part of the team's results
    team.team_barrier();
    unsigned before = 0;
    Kokkos::single(
        Kokkos::PerTeam(team),
        [&](unsigned& number) {
          number = Kokkos::atomic_fetch_add(arrived, 1U);
          if (number + 1 == grams.chunks) *arrived = 0;
        },
        before);
    Kokkos::memory_fence();
    return before + 1 == grams.chunks;
  }
};

}  // namespace genten::detail
