// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How FactorUpdate launches teams of threads.

#include <genten/base/types.hpp>

namespace genten::detail {

inline constexpr unsigned device_update_threads = 256;

/// Threads of a team of FactorUpdate's launches; on hosts, whose teams have as many as there are
/// cores at most, one.
template <ExecutionSpace Exec>
inline constexpr unsigned update_threads = is_host_space<Exec> ? 1 : device_update_threads;

/// Lanes of the vectors of launch_with_vectors.
template <ExecutionSpace Exec>
inline constexpr int update_lanes = is_host_space<Exec> ? 1 : 32;

/// The number of the calling thread in a team of launch_with_vectors, each lane being one.
template <ExecutionSpace Exec, class Member>
[[nodiscard]] KOKKOS_FUNCTION std::size_t thread_of_vectors(const Member& team) {
  int own = 0;
  Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, update_lanes<Exec>),
                       [&](const int lane) { own = lane; });
  return static_cast<std::size_t>(team.team_rank() * update_lanes<Exec> + own);
}

/// What is asked for where `scratch` bytes are used: arrays in them are aligned.
inline std::size_t padded_scratch(std::size_t scratch) {
  return scratch + 64;
}

/// Runs `functor` by `league` teams that have `scratch` bytes each. Threads have registers such
/// that a multiprocessor takes two teams at least.
template <ExecutionSpace Exec, class Functor>
void launch_update(const Exec& exec, const char* label, const Functor& functor, std::size_t league,
                   std::size_t scratch, int lanes = 1) {
  const int threads = static_cast<int>(update_threads<Exec>) / lanes;
  Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<update_threads<Exec>, 2>> policy(
      exec, static_cast<int>(league), threads, lanes);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(padded_scratch(scratch))));
  Kokkos::parallel_for(label, policy, functor);
}
/// The same where the lanes of vectors are the threads.
template <ExecutionSpace Exec, class Functor>
void launch_with_vectors(const Exec& exec, const char* label, const Functor& functor,
                         std::size_t league, std::size_t scratch) {
  launch_update(exec, label, functor, league, scratch, update_lanes<Exec>);
}

}  // namespace genten::detail
