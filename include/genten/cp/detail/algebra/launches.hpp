// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How the R x R side of ALS launches teams of threads.

#include <genten/dense/factor_update.hpp>

#include <algorithm>

namespace genten::detail {

/// What a team is to have of the memory that its threads share, which is nearer: all, or nothing
/// where it would take so much that MTTKRP had to make room for it.
[[nodiscard]] inline std::size_t scratch_if_small(std::size_t bytes) {
  constexpr std::size_t most = std::size_t{40} << 10;
  return bytes <= most ? bytes : 0;
}

/// Runs `functor` by a team a row.
template <ExecutionSpace Exec, class Functor>
void launch_by_rows(const Exec& exec, const char* label, const Functor& functor, int rows) {
  constexpr int threads = is_host_space<Exec> ? 1 : 128;
  Kokkos::parallel_for(label, Kokkos::TeamPolicy<Exec>(exec, rows, threads, 1), functor);
}

/// Runs it by one team a league, as large as a matrix of so many columns has use for, with so much
/// scratch memory.
template <ExecutionSpace Exec, class Functor>
void launch_for_rank(const Exec& exec, int rank, const char* label, const Functor& functor,
                     int league, std::size_t scratch) {
  using Policy = Kokkos::TeamPolicy<Exec>;
  const int lanes = std::min(32, Policy::vector_length_max());
  // Teams of hosts, which tests alone have, spin where they wait.
  const int most =
      is_host_space<Exec>
          ? 1
          : Policy(exec, league, 1, lanes).team_size_max(functor, Kokkos::ParallelForTag());
  Policy policy(exec, league, std::min((rank + 1) / 2, most), lanes);
  if (scratch != 0) {
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(padded_scratch(scratch))));
  }
  Kokkos::parallel_for(label, policy, functor);
}

}  // namespace genten::detail
