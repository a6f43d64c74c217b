// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Coordinate descent of rows that the lanes of a device keep in their registers together.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/base/detail/column_tile.hpp>
#include <genten/dense/detail/coordinate_descent.hpp>

namespace genten::detail {

/// What a lane has of a row that all lanes share: `Width` columns and their residuals, as a
/// ShortRow has them all. Columns that a device reads at once are one lane's, the next ones the
/// next lane's. Every change of an element is told to all lanes.
template <class Scalar, int Width>
class SharedRow {
 public:
  using Columns = ColumnTile<Scalar, 16 / static_cast<int>(sizeof(Scalar))>;
  static constexpr int lanes = device_lanes_of_a_row;
  static constexpr int at_once = 16 / static_cast<int>(sizeof(Scalar));
  static constexpr int parts = Width / at_once;
  static_assert(Width % at_once == 0);

  /// The system's matrix is read where it lies; `diagonal` are its diagonal elements.
  KOKKOS_FORCEINLINE_FUNCTION SharedRow(const DescentSystem<Scalar>& system, const Scalar* diagonal,
                                        int lane)
      : m_system(system), m_diagonal(diagonal), m_lane(lane) {}

  /// Reads a row and its right-hand sides, and takes their product with the system off.
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Scalar* row, const Scalar* start,
                                         const Scalar* products, const Scalar* scale) {
    GENTEN_DEVICE_UNROLL
    for (int part = 0; part < parts; ++part) {
      const std::size_t first = column(part, m_lane);
      Columns x{}, right{};
      if (first < m_system.stride) {
        x = Columns::at(row + first);
        right = Columns::at(products + first);
      }
      GENTEN_DEVICE_UNROLL
      for (int e = 0; e < at_once; ++e) {
        const std::size_t r = first + static_cast<std::size_t>(e);
        const bool inside = r < m_system.rank;
        m_x[part * at_once + e] = inside ? x.element[e] * start[r] : Scalar(0);
        m_residual[part * at_once + e] = inside ? right.element[e] * scale[r] : Scalar(0);
      }
    }
    for_columns(
        [&](std::size_t r, int k, int owner) { take_off(r, value_of_lane(m_x[k], owner)); });
  }
  /// See RowDescent::violation; of this lane's columns.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Scalar violation() const {
    Scalar largest(0);
    GENTEN_DEVICE_UNROLL
    for (int k = 0; k < Width; ++k) {
      const std::size_t r = column(k / at_once, m_lane) + static_cast<std::size_t>(k % at_once);
      if (r < m_system.rank) largest = larger(largest, step_size(m_system, r, best(r, k) - m_x[k]));
    }
    return largest;
  }
  KOKKOS_FORCEINLINE_FUNCTION void descend() {
    Scalar limit(0), change(0);
    for (int sweep = 0; sweep < most_descent_sweeps; ++sweep) {
      if (sweep > 0 && !(limit < change)) break;
      change = Scalar(0);
      for_columns([&](std::size_t r, int k, int owner) {
        // All lanes compute what is the owner's to say, rather than wait for it.
        const Scalar now = best(r, k), by = value_of_lane(now - m_x[k], owner);
        if (owner == m_lane) m_x[k] = now;
        const Scalar size = step_size(m_system, r, by);
        change += size * size;
        take_off(r, by);
      });
      if (sweep == 0) limit = Scalar(least_change_squared) * change;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void store(Scalar* row) const {
    GENTEN_DEVICE_UNROLL
    for (int part = 0; part < parts; ++part) {
      const std::size_t first = column(part, m_lane);
      if (first >= m_system.stride) continue;
      Columns x;
      GENTEN_DEVICE_UNROLL
      for (int e = 0; e < at_once; ++e) x.element[e] = m_x[part * at_once + e];
      x.store(row + first);
    }
  }

 private:
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION static std::size_t column(int part, int lane) {
    return static_cast<std::size_t>((part * lanes + lane) * at_once);
  }
  /// body(r, k, owner) for all columns in order: the k-th of the lane `owner`.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_columns(const Body& body) const {
    GENTEN_DEVICE_UNROLL
    for (int part = 0; part < parts; ++part) {
      for (int owner = 0; owner < lanes; ++owner) {
        const std::size_t first = column(part, owner);
        if (first >= m_system.rank) return;
        GENTEN_DEVICE_UNROLL
        for (int e = 0; e < at_once; ++e) {
          const std::size_t r = first + static_cast<std::size_t>(e);
          if (r < m_system.rank) body(r, part * at_once + e, owner);
        }
      }
    }
  }
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Scalar best(std::size_t r, int k) const {
    return best_element(m_system, r, m_residual[k] + m_diagonal[r] * m_x[k], m_x[k]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void take_off(std::size_t r, Scalar by) {
    const Scalar* const line = m_system.gram + r * m_system.stride;
    GENTEN_DEVICE_UNROLL
    for (int part = 0; part < parts; ++part) {
      const std::size_t first = column(part, m_lane);
      if (first >= m_system.stride) continue;
      const Columns columns = Columns::at(line + first);
      GENTEN_DEVICE_UNROLL
      for (int e = 0; e < at_once; ++e) m_residual[part * at_once + e] -= columns.element[e] * by;
    }
  }

  const DescentSystem<Scalar>& m_system;
  const Scalar* m_diagonal;
  int m_lane;
  Scalar m_x[Width], m_residual[Width];
};

/// Improves rows, of each thread's lanes one, and takes the columns' statistics, a lane a column.
template <class Scalar, int Width, ExecutionSpace Exec>
struct LargeRankDescent {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<128, Width <= 16 ? 4 : 2>>;
  using Member = typename Policy::member_type;
  static constexpr int level = 0;                      ///< of scratch memory
  static constexpr int lanes = device_lanes_of_a_row;  ///< of a thread
  static constexpr std::size_t widest = static_cast<std::size_t>(Width) * lanes;  ///< columns

  DescentSystem<Scalar> system;
  const Scalar *start, *scale;
  Scalar* data = nullptr;
  const Scalar* products = nullptr;
  double* statistics = nullptr;  ///< of teams: see DeviceDescent
  std::size_t rows = 0, teams = 0;
  std::size_t tile = 1;  ///< rows, and threads of a team

  [[nodiscard]] std::size_t scratch_bytes() const {
    return sums() * sizeof(double) + 3 * system.stride * sizeof(Scalar) + 64;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t stride = system.stride, league = static_cast<std::size_t>(team.league_rank());
    const auto thread = static_cast<std::size_t>(team.team_rank());
    auto* const largest =
        static_cast<double*>(team.team_shmem().get_shmem(sums() * sizeof(double)));
    auto* const lines =
        static_cast<Scalar*>(team.team_shmem().get_shmem(3 * stride * sizeof(Scalar)));
    double* const dots = largest + stride;
    double* const absolute_sums = dots + stride;
    double* const violations = absolute_sums + stride;
    int lane = 0;
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](const int i) { lane = i; });
    const std::size_t worker = thread * lanes + static_cast<std::size_t>(lane);
    const std::size_t workers = tile * lanes;
    for (std::size_t i = worker; i < 3 * stride; i += workers) largest[i] = 0.0;
    for (std::size_t r = worker; r < system.rank; r += workers) {
      lines[r] = system.inverse[r];
      lines[stride + r] = system.root[r];
      lines[2 * stride + r] = system.gram[r * stride + r];
    }
    DescentSystem<Scalar> local = system;
    local.inverse = lines;
    local.root = lines + stride;
    double violation = 0.0;
    team.team_barrier();
    for (std::size_t first = league * tile; first < rows; first += teams * tile) {
      const std::size_t count = rows - first < tile ? rows - first : tile;
      if (thread < count) {
        SharedRow<Scalar, Width> row(local, lines + 2 * stride, lane);
        Scalar* const x = data + (first + thread) * stride;
        row.begin(x, start, products + (first + thread) * stride, scale);
        violation = larger(violation, static_cast<double>(row.violation()));
        row.descend();
        row.store(x);
      }
      team.team_barrier();
      for (std::size_t r = worker; r < system.rank; r += workers) {
        add_column(first, count, r, largest[r], dots[r], absolute_sums[r]);
      }
    }
    violations[worker] = violation;
    team.team_barrier();
    double* const own = statistics + league * descent_lines * stride;
    for (std::size_t i = worker; i < stride; i += workers) {
      own[i] = largest[i];
      own[stride + i] = dots[i];
      if (i > 0) own[2 * stride + i] = 0.0;
      own[3 * stride + i] = absolute_sums[i];
    }
    if (worker != 0) return;
    for (std::size_t w = 1; w < workers; ++w) violation = larger(violation, violations[w]);
    own[2 * stride] = violation;
  }

 private:
  KOKKOS_FUNCTION std::size_t sums() const { return 3 * system.stride + tile * lanes; }
  /// Rows that the team has just written, which are local.
  KOKKOS_FUNCTION void add_column(std::size_t first, std::size_t count, std::size_t r,
                                  double& largest, double& dot, double& sum) const {
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = (first + i) * system.stride + r;
      add_to_column(data[at], products[at], largest, dot, sum);
    }
  }
};

}  // namespace genten::detail
