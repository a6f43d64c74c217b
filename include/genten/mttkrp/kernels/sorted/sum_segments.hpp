// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How devices sum what pieces of nonzeros carry.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/column_tile.hpp>

namespace genten::detail {

/// The group of `lanes` neighbouring threads that a thread is of. Divisions of 64 bits are slow.
[[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION offset_t group_of(offset_t thread, int lanes) {
  return thread >> 31 == 0 ? static_cast<std::uint32_t>(thread) / static_cast<std::uint32_t>(lanes)
                           : thread / lanes;
}

/// One launch: teams sum segments of a level of a CarryPlan. A thread has `Width` columns of every
/// `Shares`-th entry of a segment, so that a long one is not waited for long; neighbouring threads
/// have neighbouring columns.
template <class Scalar, int Width, int Shares, ExecutionSpace Exec>
struct SumSegments {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Columns = ColumnTile<Scalar, Width>;
  static constexpr int in_flight = 8;
  /// Teams of hosts, which tests alone have, are one thread, which does what several would.
  static constexpr bool alone = is_host_space<Exec>;
  static constexpr int items = alone ? 1 : 256 / Shares;  ///< of a team: columns of a segment each

  const offset_t* begins;
  const offset_t* targets;
  offset_t first_segment, segments;  ///< that this launch sums
  int lanes;                         ///< items of a segment
  std::size_t stride;
  Scalar* carries;
  Scalar* output;

  /// Queues it on `exec`.
  void queue(const Exec& exec) const {
    const offset_t teams = (segments * lanes + items - 1) / items;
    Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(teams), alone ? 1 : items * Shares, 1);
    policy.set_scratch_size(
        0, Kokkos::PerTeam(static_cast<int>(items * (Shares - 1) * sizeof(Columns) + 64)));
    Kokkos::parallel_for("genten::sum_segments", policy, *this);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const sums =
        static_cast<Columns*>(team.team_shmem().get_shmem(items * (Shares - 1) * sizeof(Columns)));
    const int in_team = team.team_rank() % items, share = team.team_rank() / items;
    const offset_t item = static_cast<offset_t>(team.league_rank()) * items + in_team;
    const offset_t in_launch = group_of(item, lanes);
    const offset_t segment = first_segment + in_launch;
    const std::size_t column = static_cast<std::size_t>(item - in_launch * lanes) * Width;
    const bool valid = in_launch < segments;
    Columns sum{};
    offset_t target = 0;
    if (valid) {
      const offset_t begin = begins[segment], end = begins[segment + 1];
      target = targets[segment];
      add(begin + share, end, column, sum);
      for (int s = 1; alone && s < Shares; ++s) {
        add(begin + s, end, column, sums[s - 1] = Columns{});
      }
    }
    if (share != 0) sums[(share - 1) * items + in_team] = sum;
    team.team_barrier();
    if (!valid || share != 0) return;
    for (int s = 1; s < Shares; ++s) {
      const Columns more = sums[(s - 1) * items + in_team];
      for (int j = 0; j < Width; ++j) sum.element[j] += more.element[j];
    }
    Scalar* const to = target >= 0 ? output + static_cast<std::size_t>(target) * stride
                                   : carries + static_cast<std::size_t>(-1 - target) * stride;
    sum.store(to + column);
  }

 private:
  /// Adds every `Shares`-th entry from p to `end`. Loads of a batch are all on their way before the
  /// first is added: none of them depends on a condition, behind which a compiler would put it.
  KOKKOS_FUNCTION void add(offset_t p, offset_t end, std::size_t column, Columns& sum) const {
    for (; p + (in_flight - 1) * Shares < end; p += in_flight * Shares) {
      add_batch<in_flight>(p, column, sum);
    }
    for (; p + Shares < end; p += 2 * Shares) add_batch<2>(p, column, sum);
    if (p < end) add_batch<1>(p, column, sum);
  }
  template <int Size>
  KOKKOS_FUNCTION void add_batch(offset_t p, std::size_t column, Columns& sum) const {
    Columns terms[Size];
    GENTEN_DEVICE_UNROLL
    for (int u = 0; u < Size; ++u) {
      terms[u] = Columns::at(carries + static_cast<std::size_t>(p + u * Shares) * stride + column);
    }
    GENTEN_DEVICE_UNROLL
    for (int u = 0; u < Size; ++u) {
      for (int j = 0; j < Width; ++j) sum.element[j] += terms[u].element[j];
    }
  }
};

}  // namespace genten::detail
