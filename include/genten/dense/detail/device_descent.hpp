// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RowDescent on devices: a launch that descends the rows, and those of FactorUpdate that add up.

#include <genten/base/detail/below.hpp>
#include <genten/dense/detail/coordinate_descent.hpp>
#include <genten/dense/detail/factor_update_device.hpp>
#include <genten/dense/detail/large_rank_descent.hpp>
#include <genten/dense/detail/small_rank_descent.hpp>

#include <algorithm>

namespace genten::detail {

/// Rows of any length: improves tiles of them, a thread each, and takes the columns' statistics,
/// then a thread a column. Tiles lie by columns where the team shares them.
template <class Scalar, ExecutionSpace Exec>
struct TiledDescent {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  static constexpr int lanes = 1;  ///< of a thread

  DescentSystem<Scalar> system;
  const Scalar *start, *scale;
  Scalar* data = nullptr;
  const Scalar* products = nullptr;
  double* statistics = nullptr;  ///< of teams: see DeviceDescent
  std::size_t rows = 0, teams = 0;
  std::size_t tile = 1;       ///< rows, and threads of a team
  bool share_system = false;  ///< teams copy the system to where the tile is
  int level = 0;              ///< of scratch memory

  /// From column to column of a tile: so that threads that read rows and such that read columns use
  /// all memory banks.
  KOKKOS_FUNCTION std::size_t pitch() const { return tile + 1; }
  KOKKOS_FUNCTION std::size_t sums() const { return 3 * system.stride + tile; }
  [[nodiscard]] std::size_t scratch_bytes() const {
    const std::size_t shared = share_system ? system.rank * system.stride : 0;
    return (2 * pitch() * system.rank + shared) * sizeof(Scalar) + sums() * sizeof(double) + 64;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const largest =
        static_cast<double*>(team.team_scratch(level).get_shmem(sums() * sizeof(double)));
    auto* const x = static_cast<Scalar*>(
        team.team_scratch(level).get_shmem(2 * pitch() * system.rank * sizeof(Scalar)));
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t stride = system.stride;
    double* const dots = largest + stride;
    double* const absolute_sums = dots + stride;
    double* const violations = absolute_sums + stride;
    for (std::size_t i = thread; i < sums(); i += tile) largest[i] = 0.0;
    DescentSystem<Scalar> local = system;
    if (share_system) {
      auto* const gram = static_cast<Scalar*>(
          team.team_scratch(level).get_shmem(system.rank * stride * sizeof(Scalar)));
      for (std::size_t i = thread; i < system.rank * stride; i += tile) gram[i] = system.gram[i];
      local.gram = gram;
    }
    for (std::size_t first = static_cast<std::size_t>(team.league_rank()) * tile; first < rows;
         first += teams * tile) {
      const std::size_t count = rows - first < tile ? rows - first : tile;
      team.team_barrier();
      load(first, count, thread, x);
      team.team_barrier();
      if (thread < count) descend(local, first + thread, x, thread, violations[thread]);
      team.team_barrier();
      store(first, count, thread, x);
      for (std::size_t r = thread; r < system.rank; r += tile) {
        add_column(first, count, r, x + r * pitch(), largest[r], dots[r], absolute_sums[r]);
      }
    }
    team.team_barrier();
    double* const own =
        statistics + static_cast<std::size_t>(team.league_rank()) * descent_lines * stride;
    for (std::size_t i = thread; i < stride; i += tile) {
      own[i] = largest[i];
      own[stride + i] = dots[i];
      if (i > 0) own[2 * stride + i] = 0.0;
      own[3 * stride + i] = absolute_sums[i];
    }
    if (thread != 0) return;
    double violation = 0.0;
    for (std::size_t t = 0; t < tile; ++t) violation = larger(violation, violations[t]);
    own[2 * stride] = violation;
  }

 private:
  KOKKOS_FUNCTION void load(std::size_t first, std::size_t count, std::size_t thread,
                            Scalar* x) const {
    const auto width = static_cast<unsigned>(system.rank);  // divisions of 64 bits are slow
    for (auto e = static_cast<unsigned>(thread); e < count * width;
         e += static_cast<unsigned>(tile)) {
      const unsigned i = e / width, r = e % width;
      x[r * pitch() + i] = data[(first + i) * system.stride + r] * start[r];
    }
  }
  KOKKOS_FUNCTION void store(std::size_t first, std::size_t count, std::size_t thread,
                             const Scalar* x) const {
    const auto width = static_cast<unsigned>(system.rank);
    for (auto e = static_cast<unsigned>(thread); e < count * width;
         e += static_cast<unsigned>(tile)) {
      const unsigned i = e / width, r = e % width;
      data[(first + i) * system.stride + r] = x[r * pitch() + i];
    }
  }
  KOKKOS_FUNCTION void descend(const DescentSystem<Scalar>& local, std::size_t row, Scalar* x,
                               std::size_t thread, double& largest) const {
    const Scalar* const right = products + row * system.stride;
    const Scalar* const factors = scale;
    Scalar violation[1];
    Descent<Scalar, 1, Scalar>(local, x + thread, x + pitch() * system.rank + thread, pitch())
        .run([=](std::size_t r, int) { return right[r] * factors[r]; }, violation);
    largest = larger(largest, static_cast<double>(violation[0]));
  }
  KOKKOS_FUNCTION void add_column(std::size_t first, std::size_t count, std::size_t r,
                                  const Scalar* column, double& largest, double& dot,
                                  double& sum) const {
    for (std::size_t i = 0; i < count; ++i) {
      add_to_column(column[i], products[(first + i) * system.stride + r], largest, dot, sum);
    }
  }
};

/// The pass of RowDescent; sums are taken in double, in an order that does not change from run to
/// run.
template <RealScalar Scalar, ExecutionSpace Exec>
struct DeviceDescent {
  Exec exec;
  Scalar* data;
  const Scalar* products;
  std::size_t rows, most_chunks;
  /// most_chunks x stride * stride for Gram matrices, then of each team, by columns, the largest
  /// elements, dots, the largest violation with zeros, and absolute sums.
  double* partial;

  void run(const DescentSystem<Scalar>& system, const Scalar* start, const Scalar* scale,
           double* gram, double* column_max, double* dots, double* violation,
           double* absolute_sums) const {
    const std::size_t stride = system.stride;
    double* const statistics = partial + most_chunks * stride * stride;
    std::size_t teams = 0;
    const auto descend = [&](auto task) {
      task.data = data, task.products = products, task.rows = rows;
      task.statistics = statistics;
      teams = run_by_teams(task);
    };
    if (stride <= 8) {
      descend(SmallRankDescent<Scalar, 8, Exec>{system, start, scale});
    } else if (stride <= 16) {
      descend(SmallRankDescent<Scalar, 16, Exec>{system, start, scale});
    } else if (stride <= 32) {
      descend(SmallRankDescent<Scalar, 32, Exec>{system, start, scale});
    } else if (!is_host_space<Exec> && stride <= LargeRankDescent<Scalar, 4, Exec>::widest) {
      descend(LargeRankDescent<Scalar, 4, Exec>{system, start, scale});
    } else if (!is_host_space<Exec> && stride <= LargeRankDescent<Scalar, 16, Exec>::widest) {
      descend(LargeRankDescent<Scalar, 16, Exec>{system, start, scale});
    } else {
      descend(TiledDescent<Scalar, Exec>{system, start, scale});
    }
    const DeviceUpdate<Scalar, Exec> update{exec,        data,   rows,        stride,
                                            system.rank, stride, most_chunks, partial};
    const std::size_t chunks = update.sum_grams();
    const AddChunks<Exec> add{
        {partial, statistics, chunks, teams, stride, system.rank, descent_lines},
        gram,
        {column_max, dots, violation, absolute_sums}};
    launch_update(exec, "genten::add_chunks", add, add.leagues(), add.scratch_bytes());
  }

 private:
  static constexpr std::size_t widest = is_host_space<Exec> ? 1 : 128;
  static constexpr std::size_t least = is_host_space<Exec> ? 1 : 32;

  /// Returns the number of teams.
  template <class Task>
  [[nodiscard]] std::size_t run_by_teams(Task task) const {
    shape(task);
    task.teams = std::clamp<std::size_t>((rows + task.tile - 1) / task.tile, 1, most_chunks);
    typename Task::Policy policy(exec, static_cast<int>(task.teams), static_cast<int>(task.tile),
                                 task.lanes);
    policy.set_scratch_size(
        task.level, Kokkos::PerTeam(static_cast<int>(padded_scratch(task.scratch_bytes()))));
    Kokkos::parallel_for("genten::row_descent", policy, task);
    return task.teams;
  }
  /// As many rows a team as its scratch memory holds.
  template <int Width>
  static void shape(SmallRankDescent<Scalar, Width, Exec>& task) {
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Exec>::scratch_size_max(0));
    task.tile = widest;
    while (task.tile > least && padded_scratch(task.scratch_bytes()) > most) task.tile /= 2;
  }
  template <int Width>
  static void shape(LargeRankDescent<Scalar, Width, Exec>& task) {
    task.tile = std::max<std::size_t>(1, widest / task.lanes);
  }
  /// So that two teams have it.
  static void shape(TiledDescent<Scalar, Exec>& task) {
    const auto most = static_cast<std::size_t>(Kokkos::TeamPolicy<Exec>::scratch_size_max(0)) / 2;
    for (const bool share : {true, false}) {
      for (task.tile = widest; task.tile >= least; task.tile /= 2) {
        task.share_system = share;
        if (padded_scratch(task.scratch_bytes()) <= most) return;
      }
    }
    task.tile = least;
    task.level = 1;
  }
};

}  // namespace genten::detail
