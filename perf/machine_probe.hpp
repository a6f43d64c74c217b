// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the memory of an execution space can do with all its threads: streams, and gathers of
/// random matrix rows. Hosts and devices reach their best speed in different ways, so the kernels
/// that read and gather come from host_probe.hpp and device_probe.hpp; all else is here.

#include "common.hpp"

#include <genten/core/random.hpp>

#include <cmath>
#include <limits>

namespace genten::perf {

/// Bytes a second, all threads together.
struct StreamRates {
  double read = 0.0;
  double write = 0.0;  ///< filling, the lines' own loads not counted
  double copy = 0.0;   ///< read and written bytes both counted, the written lines' loads not
};

/// Cost of gathering rows at random from a table of a given size.
struct GatherPoint {
  double bytes = 0.0;          ///< size of the table
  double plain_ns = 0.0;       ///< wall-clock nanoseconds a row, all threads together
  double prefetched_ns = 0.0;  ///< with software prefetch some rows ahead, where there is such
  [[nodiscard]] double best_ns() const { return std::min(plain_ns, prefetched_ns); }
};

/// Gather costs of one row length over table sizes, ascending.
struct GatherCurve {
  std::size_t row_bytes = 0;
  std::vector<GatherPoint> points;

  /// Nanoseconds a row for a table of that size, between the points by the size's logarithm.
  [[nodiscard]] double best_ns(double bytes) const {
    if (points.empty()) return 0.0;
    if (bytes <= points.front().bytes) return points.front().best_ns();
    for (std::size_t i = 1; i < points.size(); ++i) {
      const auto &low = points[i - 1], &high = points[i];
      if (bytes > high.bytes) continue;
      const double t = std::log(bytes / low.bytes) / std::log(high.bytes / low.bytes);
      return low.best_ns() + t * (high.best_ns() - low.best_ns());
    }
    return points.back().best_ns();
  }
};

/// Rows to gather: those of a table, in the order of a random index.
template <ExecutionSpace Exec>
struct RandomRows {
  /// Indices behind the last one gathered, so that a prefetch may look that far ahead.
  static constexpr std::size_t look_ahead = 16;

  Kokkos::View<const double*, typename Exec::memory_space> table;
  Kokkos::View<const std::uint32_t*, typename Exec::memory_space> index;
};

/// Seconds of the fastest of a few runs of body(), until the work that it has launched is done.
template <ExecutionSpace Exec, class Body>
[[nodiscard]] double fastest(const Exec& exec, const Body& body) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 4; ++run) best = std::min(best, seconds_of(exec, body));
  return best;
}

/// Streaming rates on two arrays of `bytes` together, which should be far more than the caches
/// hold. `read` runs the kernel that reads one array.
template <ExecutionSpace Exec, class Read>
[[nodiscard]] StreamRates probe_streams(const Exec& exec, std::size_t bytes, const Read& read) {
  using Array = Kokkos::View<double*, typename Exec::memory_space>;
  const std::size_t count = bytes / sizeof(double) / 2;
  const Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>> all(exec, 0, count);
  const auto uninitialized = [](const char* label) {
    return Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing);
  };
  const Array from(uninitialized("genten::probe_from"), count);
  const Array to(uninitialized("genten::probe_to"), count);
  const auto fill = [&] {
    Kokkos::parallel_for(
        "genten::probe_fill", all, KOKKOS_LAMBDA(const std::size_t i) { from(i) = 1.0; });
  };
  const auto copy = [&] {
    Kokkos::parallel_for(
        "genten::probe_copy", all, KOKKOS_LAMBDA(const std::size_t i) { to(i) = from(i); });
  };
  // First touches, not timed: they give every page its place, near the thread that streams it.
  fill();
  copy();
  const auto size = static_cast<double>(count * sizeof(double));
  StreamRates rates;
  rates.write = size / fastest(exec, fill);
  rates.copy = 2.0 * size / fastest(exec, copy);
  rates.read = size / fastest(exec, [&] { read(exec, from); });
  return rates;
}

/// Gather costs for tables from 16 KB to `largest` bytes. `gather` says how many rows of how many
/// bytes a launch gathers and runs its kernel, that with prefetch too if it has one.
template <ExecutionSpace Exec, class Gather>
[[nodiscard]] GatherCurve probe_gathers(const Exec& exec, std::size_t largest,
                                        const Gather& gather) {
  using Space = typename Exec::memory_space;
  using Rows = RandomRows<Exec>;
  const Kokkos::View<double*, Space> table("genten::probe_table", largest / sizeof(double));
  const Kokkos::View<std::uint32_t*, Space> index("genten::probe_index",
                                                  gather.count() + Rows::look_ahead);
  const Rows random_rows{table, index};
  const double scale = 1e9 / static_cast<double>(gather.count());
  GatherCurve curve{gather.row_bytes(), {}};
  for (std::size_t bytes = std::size_t{16} << 10; bytes <= largest; bytes *= 2) {
    const std::size_t rows = std::max<std::size_t>(bytes / curve.row_bytes, 1);
    Kokkos::parallel_for(
        "genten::probe_index",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, index.size()),
        KOKKOS_LAMBDA(const std::size_t i) {
          index(i) =
              static_cast<std::uint32_t>(random_uniform(1, bytes, i) * static_cast<double>(rows));
        });
    GatherPoint point;
    point.bytes = static_cast<double>(bytes);
    point.plain_ns = scale * fastest(exec, [&] { gather.plain(exec, random_rows); });
    point.prefetched_ns = point.plain_ns;
    if constexpr (Gather::has_prefetch) {
      point.prefetched_ns = scale * fastest(exec, [&] { gather.prefetched(exec, random_rows); });
    }
    curve.points.push_back(point);
  }
  return curve;
}

}  // namespace genten::perf
