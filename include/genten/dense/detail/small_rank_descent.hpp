// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Coordinate descent of rows that fit a thread's registers, on devices.

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/below.hpp>
#include <genten/base/detail/column_tile.hpp>
#include <genten/dense/detail/coordinate_descent.hpp>

namespace genten::detail {

/// A row of at most `Width` columns, the rest zeros, in registers: its elements and its residual,
/// the right-hand side less the row's product with the system, which every change updates. All
/// loops have constant bounds, for otherwise arrays would lie in memory.
template <class Scalar, int Width>
class ShortRow {
 public:
  Scalar x[Width], residual[Width];  ///< the right-hand side, until `begin`

  /// `system` has the stride Width, zeros past its rank, and a matrix at the beginning of 16 bytes.
  KOKKOS_FORCEINLINE_FUNCTION explicit ShortRow(const DescentSystem<Scalar>& system)
      : m_system(system) {}

  /// Takes the product off.
  KOKKOS_FORCEINLINE_FUNCTION void begin() {
    GENTEN_DEVICE_UNROLL
    for (int r = 0; r < Width; ++r) take_off(r, x[r]);
  }
  /// See RowDescent::violation.
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Scalar violation() const {
    Scalar largest(0);
    GENTEN_DEVICE_UNROLL
    for (int r = 0; r < Width; ++r)
      largest = larger(largest, step_size(m_system, static_cast<std::size_t>(r), best(r) - x[r]));
    return largest;
  }
  KOKKOS_FORCEINLINE_FUNCTION void descend() {
    Scalar limit(0), change(0);
    for (int sweep = 0; sweep < most_descent_sweeps; ++sweep) {
      if (sweep > 0 && !(limit < change)) break;
      change = Scalar(0);
      GENTEN_DEVICE_UNROLL
      for (int r = 0; r < Width; ++r) {
        const Scalar now = best(r), by = now - x[r],
                     size = step_size(m_system, static_cast<std::size_t>(r), by);
        x[r] = now;
        change += size * size;
        take_off(r, by);
      }
      if (sweep == 0) limit = Scalar(least_change_squared) * change;
    }
  }

 private:
  [[nodiscard]] KOKKOS_FORCEINLINE_FUNCTION Scalar best(int r) const {
    const Scalar diagonal = m_system.gram[r * Width + r];
    return best_element(m_system, static_cast<std::size_t>(r), residual[r] + diagonal * x[r], x[r]);
  }
  KOKKOS_FORCEINLINE_FUNCTION void take_off(int r, Scalar by) {
    using Columns = ColumnTile<Scalar, 16 / static_cast<int>(sizeof(Scalar))>;
    constexpr int size = 16 / static_cast<int>(sizeof(Scalar));
    GENTEN_DEVICE_UNROLL
    for (int k = 0; k < Width; k += size) {
      const Columns columns = Columns::at(m_system.gram + r * Width + k);
      GENTEN_DEVICE_UNROLL
      for (int j = 0; j < size; ++j) residual[k + j] -= columns.element[j] * by;
    }
    // The system is read again by the next sweep: kept, it would take the registers of the row.
    asm volatile("" : : : "memory");
  }

  const DescentSystem<Scalar>& m_system;
};

/// Improves tiles of rows, a thread each, and takes the columns' statistics, a thread for a column
/// of some rows. Rows and right-hand sides come by whole lines, through memory that a team shares,
/// one after the other, so that more teams find room.
template <class Scalar, int Width, ExecutionSpace Exec>
struct SmallRankDescent {
  using Bounds = Kokkos::LaunchBounds<128, Width * sizeof(Scalar) <= 128 ? 4 : 2>;
  using Policy = Kokkos::TeamPolicy<Exec, Bounds>;
  using Member = typename Policy::member_type;
  static constexpr int level = 0;  ///< of scratch memory
  static constexpr int lanes = 1;  ///< of a thread
  static constexpr std::size_t width = Width;
  /// From row to row of a tile: threads that read rows and such that read columns then use all
  /// memory banks.
  static constexpr std::size_t pitch = width + 1;

  DescentSystem<Scalar> system;
  const Scalar *start, *scale;
  Scalar* data = nullptr;
  const Scalar* products = nullptr;
  double* statistics = nullptr;  ///< of teams: see DeviceDescent
  std::size_t rows = 0, teams = 0;
  std::size_t tile = 1;  ///< rows, and threads of a team

  /// Parts of a tile's rows, of each of which a thread looks at a column.
  KOKKOS_FUNCTION std::size_t parts() const { return tile < width ? 1 : tile / width; }
  KOKKOS_FUNCTION std::size_t sums() const { return 3 * parts() * width + tile; }
  KOKKOS_FUNCTION std::size_t scalars() const { return width * width + 4 * width + tile * pitch; }
  [[nodiscard]] std::size_t scratch_bytes() const {
    return scalars() * sizeof(Scalar) + sums() * sizeof(double) + 64;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const largest =
        static_cast<double*>(team.team_shmem().get_shmem(sums() * sizeof(double)));
    auto* const gram =
        static_cast<Scalar*>(team.team_shmem().get_shmem_aligned(scalars() * sizeof(Scalar), 16));
    Scalar* const lines = gram + width * width;
    Scalar* const shared = lines + 4 * width;
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t slots = parts() * width;
    double* const dots = largest + slots;
    double* const absolute_sums = dots + slots;
    double* const violations = absolute_sums + slots;
    for (std::size_t i = thread; i < sums(); i += tile) largest[i] = 0.0;
    const DescentSystem<Scalar> local = share_system(gram, lines, thread);
    const Scalar* const factors = lines + 2 * width;
    double violation = 0.0;
    for (std::size_t first = static_cast<std::size_t>(team.league_rank()) * tile; first < rows;
         first += teams * tile) {
      const std::size_t count = rows - first < tile ? rows - first : tile;
      const bool works = thread < count;
      Scalar* const own = shared + thread * pitch;
      ShortRow<Scalar, Width> row(local);
      team.team_barrier();
      load(products, first, count, thread, shared);
      team.team_barrier();
      if (works) {
        GENTEN_DEVICE_UNROLL
        for (int r = 0; r < Width; ++r) row.residual[r] = own[r] * factors[width + r];
      }
      team.team_barrier();
      load(data, first, count, thread, shared);
      team.team_barrier();
      if (works) {
        GENTEN_DEVICE_UNROLL
        for (int r = 0; r < Width; ++r) row.x[r] = own[r] * factors[r];
        row.begin();
        violation = larger(violation, static_cast<double>(row.violation()));
        row.descend();
        GENTEN_DEVICE_UNROLL
        for (int r = 0; r < Width; ++r) own[r] = row.x[r];
      }
      team.team_barrier();
      store(first, count, thread, shared);
      for (std::size_t slot = thread; slot < slots; slot += tile) {
        add_column(slot, first, count, shared, largest[slot], dots[slot], absolute_sums[slot]);
      }
    }
    violations[thread] = violation;
    team.team_barrier();
    write_sums(static_cast<std::size_t>(team.league_rank()), thread, largest);
  }

 private:
  /// Copies what all rows share, with zeros in columns past the rank.
  KOKKOS_FUNCTION DescentSystem<Scalar> share_system(Scalar* gram, Scalar* lines,
                                                     std::size_t thread) const {
    for (std::size_t i = thread; i < width * width; i += tile) {
      const std::size_t a = i / width, b = i % width;
      const bool inside = a < system.rank && b < system.rank;
      gram[i] = inside ? system.gram[a * system.stride + b] : Scalar(0);
    }
    for (std::size_t r = thread; r < width; r += tile) {
      const bool inside = r < system.rank;
      lines[r] = inside ? system.inverse[r] : Scalar(0);
      lines[width + r] = inside ? system.root[r] : Scalar(0);
      lines[2 * width + r] = inside ? start[r] : Scalar(0);
      lines[3 * width + r] = inside ? scale[r] : Scalar(0);
    }
    return {gram, width, width, lines, lines + width, system.l1, system.lower, system.upper};
  }
  KOKKOS_FUNCTION void load(const Scalar* from, std::size_t first, std::size_t count,
                            std::size_t thread, Scalar* to) const {
    // Not unrolled: elements in flight would take the registers of the row.
    for (int k = 0; k < Width; ++k) {
      const std::size_t e = thread + static_cast<std::size_t>(k) * tile, i = e / width;
      const std::size_t r = e % width;
      const bool inside = i < count && r < system.rank;
      to[i * pitch + r] = inside ? from[(first + i) * system.stride + r] : Scalar(0);
    }
  }
  KOKKOS_FUNCTION void store(std::size_t first, std::size_t count, std::size_t thread,
                             const Scalar* x) const {
    GENTEN_DEVICE_UNROLL
    for (int k = 0; k < Width; ++k) {
      const std::size_t e = thread + static_cast<std::size_t>(k) * tile, i = e / width;
      const std::size_t r = e % width;
      if (i < count && r < system.rank) data[(first + i) * system.stride + r] = x[i * pitch + r];
    }
  }
  /// Right-hand sides have been read a moment ago, so that they are local.
  KOKKOS_FUNCTION void add_column(std::size_t slot, std::size_t first, std::size_t count,
                                  const Scalar* x, double& largest, double& dot,
                                  double& sum) const {
    const std::size_t r = slot % width;
    if (r >= system.rank) return;
    const std::size_t span = (tile + parts() - 1) / parts();
    const std::size_t begin = slot / width * span;
    const std::size_t end = begin + span < count ? begin + span : count;
    for (std::size_t i = begin; i < end; ++i) {
      add_to_column(x[i * pitch + r], products[(first + i) * system.stride + r], largest, dot, sum);
    }
  }
  /// A team's results from those of its parts and threads, in order.
  KOKKOS_FUNCTION void write_sums(std::size_t league, std::size_t thread,
                                  const double* largest) const {
    const std::size_t slots = parts() * width, stride = system.stride;
    const double* const dots = largest + slots;
    const double* const absolute_sums = dots + slots;
    const double* const violations = absolute_sums + slots;
    double* const own = statistics + league * descent_lines * stride;
    for (std::size_t r = thread; r < stride; r += tile) {
      double most = 0.0, dot = 0.0, sum = 0.0;
      for (std::size_t part = 0; part < parts(); ++part) {
        most = larger(most, largest[part * width + r]);
        dot += dots[part * width + r];
        sum += absolute_sums[part * width + r];
      }
      own[r] = most;
      own[stride + r] = dot;
      if (r > 0) own[2 * stride + r] = 0.0;
      own[3 * stride + r] = sum;
    }
    if (thread != 0) return;
    double violation = 0.0;
    for (std::size_t t = 0; t < tile; ++t) violation = larger(violation, violations[t]);
    own[2 * stride] = violation;
  }
};

}  // namespace genten::detail
