// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the memory of this machine can do: streams, and gathers of random matrix rows, on the
/// host's execution space with all its threads.

#include <genten/core/random.hpp>
#include <genten/core/types.hpp>
#include <genten/detail/pack.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace genten::perf {

/// Seconds of the fastest of `repeats` runs of body(), which must return when its work is done.
template <class Body>
[[nodiscard]] double fastest(int repeats, const Body& body) {
  double best = 1e300;
  for (int r = 0; r < repeats; ++r) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best = std::min(best, elapsed.count());
  }
  return best;
}

/// Cost of gathering rows at random from a table of a given size.
struct GatherPoint {
  double bytes = 0.0;          ///< size of the table
  double plain_ns = 0.0;       ///< wall-clock nanoseconds a row, all threads together
  double prefetched_ns = 0.0;  ///< the same with software prefetch some rows ahead
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

/// Bytes a second, all threads together.
struct StreamRates {
  double read = 0.0;
  double write = 0.0;  ///< filling, the lines' own loads not counted
  double copy = 0.0;   ///< read and written bytes both counted, the written lines' loads not
};

namespace detail {

using Exec = HostExec;
using Doubles = Kokkos::View<double*, Kokkos::HostSpace>;

inline Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>> threads_policy(const Exec& exec) {
  return {exec, 0, static_cast<std::size_t>(exec.concurrency())};
}

/// The part of [0, count) that falls to one of the threads.
struct Share {
  std::size_t begin, end;
  Share(std::size_t thread, std::size_t threads, std::size_t count)
      : begin(count / threads * thread),
        end(thread + 1 == threads ? count : count / threads * (thread + 1)) {}
};

/// Sums rows of `Columns` doubles in registers.
template <int Columns, bool Prefetch>
double gather_share(const double* table, const std::uint32_t* index, Share share) {
  constexpr int width = Columns < 8 ? Columns : 8;
  constexpr int block = Columns < 64 ? Columns : 64;  // columns summed at a time
  constexpr std::size_t ahead = 16;
  constexpr int line = 64 / sizeof(double);
  using Row = genten::detail::PackRow<double, width, block / width>;
  Row sums[Columns / block];
  for (auto& sum : sums) sum = Row::zero();
  for (std::size_t i = share.begin; i < share.end; ++i) {
    if constexpr (Prefetch) {
      const double* const next = table + std::size_t{index[i + ahead]} * Columns;
#pragma GCC unroll 16
      for (int c = 0; c < Columns; c += line) __builtin_prefetch(next + c, 0, 3);
    }
    const double* const row = table + std::size_t{index[i]} * Columns;
#pragma GCC unroll 2
    for (int b = 0; b < Columns / block; ++b) sums[b].add_scaled(1.0, Row::load(row + b * block));
  }
  double result[block] = {};
  for (const auto& sum : sums) sum.add_to(result);
  double total = 0.0;  // of every column, or the compiler leaves some out
  for (const double value : result) total += value;
  return total;
}

template <int Columns, bool Prefetch>
double gather_seconds(const Exec& exec, const double* table, const std::uint32_t* index,
                      std::size_t gathers, const Doubles& sink) {
  const auto threads = static_cast<std::size_t>(exec.concurrency());
  return fastest(3, [&] {
    Kokkos::parallel_for(
        "genten::probe_gather", threads_policy(exec), [=](const std::size_t thread) {
          sink(thread * 8) +=
              gather_share<Columns, Prefetch>(table, index, Share(thread, threads, gathers));
        });
    exec.fence();
  });
}

}  // namespace detail

/// Streaming rates on arrays far larger than the caches.
[[nodiscard]] inline StreamRates probe_streams(const HostExec& exec,
                                               std::size_t bytes = std::size_t{512} << 20) {
  using detail::Doubles;
  const std::size_t count = bytes / sizeof(double) / 2;
  const Kokkos::RangePolicy<HostExec, Kokkos::IndexType<std::size_t>> all(exec, 0, count);
  const auto threads = static_cast<std::size_t>(exec.concurrency());
  Doubles from(Kokkos::view_alloc(std::string("from"), Kokkos::WithoutInitializing), count);
  Doubles to(Kokkos::view_alloc(std::string("to"), Kokkos::WithoutInitializing), count);
  Doubles sink("sink", threads * 8);
  const auto fill = [&] {
    Kokkos::parallel_for("genten::probe_fill", all, [=](const std::size_t i) { from(i) = 1.0; });
    exec.fence();
  };
  const auto copy = [&] {
    Kokkos::parallel_for("genten::probe_copy", all, [=](const std::size_t i) { to(i) = from(i); });
    exec.fence();
  };
  const auto read = [&] {
    Kokkos::parallel_for("genten::probe_read", detail::threads_policy(exec),
                         [=](const std::size_t thread) {
                           const detail::Share share(thread, threads, count / 32 * 32);
                           double sum[32] = {};
                           for (std::size_t i = share.begin / 32 * 32; i < share.end; i += 32) {
                             for (std::size_t k = 0; k < 32; ++k) sum[k] += from.data()[i + k];
                           }
                           for (std::size_t k = 0; k < 32; ++k) sink(thread * 8) += sum[k];
                         });
    exec.fence();
  };
  fill();
  copy();  // both arrays' pages are there now
  const double size = static_cast<double>(count * sizeof(double));
  StreamRates rates;
  rates.write = size / fastest(4, fill);
  rates.copy = 2.0 * size / fastest(4, copy);
  rates.read = size / fastest(4, read);
  return rates;
}

/// Gather costs for rows of `Columns` doubles, for tables from 16 KB to `largest` bytes.
template <int Columns>
[[nodiscard]] GatherCurve probe_gathers(const HostExec& exec,
                                        std::size_t largest = std::size_t{512} << 20) {
  constexpr std::size_t row_bytes = Columns * sizeof(double);
  const std::size_t gathers =
      std::max<std::size_t>(std::size_t{1} << 18, (std::size_t{1} << 26) / Columns / 4);
  const auto threads = static_cast<std::size_t>(exec.concurrency());
  detail::Doubles table("genten::probe_table", largest / sizeof(double));
  Kokkos::View<std::uint32_t*, Kokkos::HostSpace> index("genten::probe_index", gathers + 64);
  detail::Doubles sink("genten::probe_sink", threads * 8);
  GatherCurve curve{row_bytes, {}};
  for (std::size_t bytes = std::size_t{16} << 10; bytes <= largest; bytes *= 2) {
    const std::size_t rows = std::max<std::size_t>(bytes / row_bytes, 1);
    Kokkos::parallel_for(
        "genten::probe_index",
        Kokkos::RangePolicy<HostExec, Kokkos::IndexType<std::size_t>>(exec, 0, gathers + 64),
        [=](const std::size_t i) {
          index(i) =
              static_cast<std::uint32_t>(random_uniform(1, bytes, i) * static_cast<double>(rows));
        });
    exec.fence();
    const double scale = 1e9 / static_cast<double>(gathers);
    GatherPoint point;
    point.bytes = static_cast<double>(bytes);
    point.plain_ns = scale * detail::gather_seconds<Columns, false>(exec, table.data(),
                                                                    index.data(), gathers, sink);
    point.prefetched_ns = scale * detail::gather_seconds<Columns, true>(
                                      exec, table.data(), index.data(), gathers, sink);
    curve.points.push_back(point);
  }
  // A larger table is never cheaper: what says so was disturbed.
  for (std::size_t i = curve.points.size() - 1; i-- > 0;) {
    auto &point = curve.points[i], &next = curve.points[i + 1];
    point.plain_ns = std::min(point.plain_ns, next.plain_ns);
    point.prefetched_ns = std::min(point.prefetched_ns, next.prefetched_ns);
  }
  return curve;
}

/// The curve for a row length given when the program runs: measured for the nearest of 4, 8, 16,
/// 32, 64, 128 doubles that is not shorter (or 128), and scaled to the length in proportion.
[[nodiscard]] inline GatherCurve probe_gathers(const HostExec& exec, std::size_t columns,
                                               std::size_t largest) {
  GatherCurve curve;
  std::size_t measured = 128;
  if (columns <= 4) {
    measured = 4;
    curve = probe_gathers<4>(exec, largest);
  } else if (columns <= 8) {
    measured = 8;
    curve = probe_gathers<8>(exec, largest);
  } else if (columns <= 16) {
    measured = 16;
    curve = probe_gathers<16>(exec, largest);
  } else if (columns <= 32) {
    measured = 32;
    curve = probe_gathers<32>(exec, largest);
  } else if (columns <= 64) {
    measured = 64;
    curve = probe_gathers<64>(exec, largest);
  } else {
    curve = probe_gathers<128>(exec, largest);
  }
  const double factor = static_cast<double>(columns) / static_cast<double>(measured);
  curve.row_bytes = columns * sizeof(double);
  for (auto& point : curve.points) {
    point.plain_ns *= factor;
    point.prefetched_ns *= factor;
  }
  return curve;
}

}  // namespace genten::perf
