// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices for short matrices: all that follows the new rows, in one launch.

#include <genten/dense/detail/add_chunks.hpp>
#include <genten/dense/detail/gram_chunks.hpp>

#include <algorithm>

namespace genten::detail {

/// GramChunks and AddChunks by the same teams: the one that arrives last, whichever it is, adds
/// what all have found, with the bits of these, and calls last(team, gram, column_max, dots) for
/// results in memory that the team shares. `Last` takes some of that itself.
template <class Scalar, int Micro, ExecutionSpace Exec, class Last>
struct FinishUpdate {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Grams = GramChunks<Scalar, Micro, Exec>;

  Grams grams;
  AddChunks<Exec> add;
  unsigned* arrived;  ///< teams so far; 0 again in the end
  Last last;

  [[nodiscard]] std::size_t scratch_bytes() const {
    return std::max(Grams::scratch_bytes(), add.all_size() * sizeof(double));
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    constexpr std::size_t of_grams = Grams::workspace_size();
    const std::size_t of_sums = add.all_size(), size = of_grams > of_sums ? of_grams : of_sums;
    auto* const workspace =
        static_cast<double*>(team.team_shmem().get_shmem(size * sizeof(double)));
    grams.run(team, static_cast<std::size_t>(team.league_rank()), workspace);
    if (!is_last(team)) return;  // the same for the whole team
    add.run_all(team, workspace);
    const std::size_t rank = add.rank;
    const double* const largest = workspace + rank * rank;
    last(team, workspace, largest, largest + rank);
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
