// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// FactorUpdate on devices, second launch for wide rows, and RowDescent for all: Gram matrices of
/// row chunks.

#include <genten/dense/detail/update_teams.hpp>

namespace genten::detail {

/// Gram matrices of row chunks, in panels of at most 64 x 64 entries: every thread keeps `Micro` x
/// `Micro` of them for a share of the rows.
template <class Scalar, int Micro, ExecutionSpace Exec>
struct GramChunks {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr std::size_t threads = update_threads<Exec>;
  static constexpr std::size_t panel = 64;
  static constexpr std::size_t tile_elements = 2048;

  const Scalar* data;
  double* partial;  ///< chunk x stride x stride
  std::size_t rows, distance, stride, chunks, panels;

  /// Doubles that a team takes.
  [[nodiscard]] KOKKOS_FUNCTION static constexpr std::size_t workspace_size() {
    constexpr std::size_t tiles = 2 * tile_elements, sums = threads * Micro * Micro;
    return tiles > sums ? tiles : sums;
  }
  [[nodiscard]] KOKKOS_FUNCTION static constexpr std::size_t scratch_bytes() {
    return workspace_size() * sizeof(double);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    run(team, static_cast<std::size_t>(team.league_rank()));
  }
  /// What the team of that number does.
  KOKKOS_FUNCTION void run(const Member& team, std::size_t league) const {
    if constexpr (threads == 1) {
      run_alone(league);
      return;
    }
    auto* const workspace = static_cast<double*>(team.team_shmem().get_shmem(scratch_bytes()));
    const auto thread = static_cast<std::size_t>(team.team_rank());
    const std::size_t chunk = league / (panels * panels), pair = league % (panels * panels);
    const std::size_t a = pair / panels * panel, b = pair % panels * panel;
    if (a > b) return;  // the same for the whole team
    const std::size_t width_a = stride - a < panel ? stride - a : panel;
    const std::size_t width_b = stride - b < panel ? stride - b : panel;
    double* const left = workspace;
    double* const right = a == b ? workspace : workspace + tile_elements;
    const std::size_t blocks_b = width_b / Micro, blocks = width_a / Micro * blocks_b;
    const std::size_t slices = threads / blocks;
    const std::size_t tile = tile_elements / (width_a > width_b ? width_a : width_b);
    const std::size_t slice = thread / blocks, block = thread % blocks;
    const std::size_t at_a = block / blocks_b * Micro, at_b = block % blocks_b * Micro;
    const std::size_t begin = rows * chunk / chunks, end = rows * (chunk + 1) / chunks;
    double sum[Micro][Micro] = {};
    for (std::size_t i = begin; i < end; i += tile) {
      const std::size_t count = end - i < tile ? end - i : tile;
      team.team_barrier();
      load(left, i, count, a, width_a, thread);
      if (a != b) load(right, i, count, b, width_b, thread);
      team.team_barrier();
      if (slice < slices) {
        for (std::size_t r = slice; r < count; r += slices) {
          double x[Micro], y[Micro];
          for (int p = 0; p < Micro; ++p) x[p] = left[r * width_a + at_a + p];
          for (int q = 0; q < Micro; ++q) y[q] = right[r * width_b + at_b + q];
          for (int p = 0; p < Micro; ++p) {
            for (int q = 0; q < Micro; ++q) sum[p][q] += x[p] * y[q];
          }
        }
      }
    }
    team.team_barrier();
    if (slice < slices) {
      for (int p = 0; p < Micro; ++p) {
        for (int q = 0; q < Micro; ++q) {
          workspace[slice * width_a * width_b + (at_a + p) * width_b + at_b + q] = sum[p][q];
        }
      }
    }
    team.team_barrier();
    double* const out = partial + chunk * stride * stride;
    for (std::size_t entry = thread; entry < width_a * width_b; entry += threads) {
      double total = 0.0;
      for (std::size_t s = 0; s < slices; ++s) total += workspace[s * width_a * width_b + entry];
      out[(a + entry / width_b) * stride + b + entry % width_b] = total;
    }
  }

 private:
  /// The same on hosts, which tests alone have: a thread is a team there.
  KOKKOS_FUNCTION void run_alone(std::size_t league) const {
    const std::size_t chunk = league / (panels * panels), pair = league % (panels * panels);
    const std::size_t begin = rows * chunk / chunks, end = rows * (chunk + 1) / chunks;
    for (std::size_t a = pair / panels * panel; a < stride && a / panel == pair / panels; ++a) {
      for (std::size_t b = pair % panels * panel; b < stride && b / panel == pair % panels; ++b) {
        double total = 0.0;
        for (std::size_t i = begin; i < end; ++i) {
          const Scalar* const row = data + i * distance;
          total += static_cast<double>(row[a]) * static_cast<double>(row[b]);
        }
        partial[(chunk * stride + a) * stride + b] = total;
      }
    }
  }
  KOKKOS_FUNCTION void load(double* to, std::size_t first, std::size_t count, std::size_t column,
                            std::size_t width, std::size_t thread) const {
    if (width == distance) {
      const Scalar* const from = data + first * distance;
      for (std::size_t e = thread; e < count * width; e += threads) {
        to[e] = static_cast<double>(from[e]);
      }
      return;
    }
    const auto divisor = static_cast<unsigned>(width);  // divisions of 64 bits are slow
    for (auto e = static_cast<unsigned>(thread); e < count * width; e += threads) {
      to[e] = static_cast<double>(data[(first + e / divisor) * distance + column + e % divisor]);
    }
  }
};

}  // namespace genten::detail
