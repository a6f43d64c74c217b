// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How FactorUpdate launches teams of threads.

#include <genten/base/types.hpp>

namespace genten::detail {

/// Threads of a team of FactorUpdate's launches; on hosts, whose teams have as many as there are
/// cores at most, one.
template <ExecutionSpace Exec>
inline constexpr unsigned update_threads = is_host_space<Exec> ? 1 : 256;

/// What is asked for where `scratch` bytes are used: arrays in them are aligned.
inline std::size_t padded_scratch(std::size_t scratch) {
  return scratch + 64;
}

/// Runs `functor` by `league` teams that have `scratch` bytes each.
template <ExecutionSpace Exec, class Functor>
void launch_update(const Exec& exec, const char* label, const Functor& functor, std::size_t league,
                   std::size_t scratch) {
  Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(league),
                                  static_cast<int>(update_threads<Exec>));
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(padded_scratch(scratch))));
  Kokkos::parallel_for(label, policy, functor);
}

}  // namespace genten::detail
