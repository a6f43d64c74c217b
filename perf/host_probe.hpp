// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a host reads and gathers as fast as it can: every thread a long share of the work, with
/// sums in vector registers, and prefetches where the order of memory accesses is random.

#include "gather_loop.hpp"
#include "machine_probe.hpp"

#include <genten/base/machine.hpp>

#include <unistd.h>

#include <array>

namespace genten::perf {

/// A range of what the threads have divided among themselves.
struct Share {
  std::size_t begin, end;
};

/// Runs work(share) on every thread, with its share of [0, count). Work returns a sum of all that
/// it has loaded, or a compiler could leave loads out.
template <ExecutionSpace Exec, class Work>
void share_out(const char* label, const Exec& exec, std::size_t count, const Work& work) {
  const auto threads = static_cast<std::size_t>(exec.concurrency());
  double sum = 0.0;
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, threads),
      [=](const std::size_t thread, double& part) {
        const std::size_t begin = count / threads * thread;
        part += work(Share{begin, thread + 1 == threads ? count : begin + count / threads});
      },
      sum);
  [[maybe_unused]] const volatile double used = sum;
}

/// Gathers rows of `Columns` doubles.
template <ExecutionSpace Exec, int Columns>
struct HostGather {
  static constexpr bool has_prefetch = true;

  static constexpr std::size_t row_bytes() { return Columns * sizeof(double); }
  static constexpr std::size_t count() {
    return std::max(std::size_t{1} << 18, (std::size_t{1} << 24) / Columns);
  }
  static void plain(const Exec& exec, const RandomRows<Exec>& rows) { run<false>(exec, rows); }
  static void prefetched(const Exec& exec, const RandomRows<Exec>& rows) { run<true>(exec, rows); }

  template <bool Prefetch>
  static void run(const Exec& exec, const RandomRows<Exec>& rows) {
    const double* const table = rows.table.data();
    const std::uint32_t* const index = rows.index.data();
    const GatherLoop gather = gather_loop(Columns, Prefetch);
    share_out("genten::probe_gather", exec, count(), [=](const Share& share) {
      return gather(table, index, RandomRows<Exec>::look_ahead, share.begin, share.end);
    });
  }
};

/// What a host's memory can do.
template <ExecutionSpace Exec>
struct HostProbe {
  using Array = Kokkos::View<const double*, typename Exec::memory_space>;

  [[nodiscard]] static StreamRates streams(const Exec& exec) {
    return probe_streams(exec, std::size_t{512} << 20, read);
  }

  /// For rows of a length known when the program runs: measured with the nearest of 4, 8, 16, 32,
  /// 64, 128 columns that is not shorter (or 128), and scaled to the length in proportion.
  template <int Columns = 4>
  [[nodiscard]] static GatherCurve gathers(const Exec& exec, std::size_t row_bytes) {
    const std::size_t columns = std::max<std::size_t>(row_bytes / sizeof(double), 1);
    if constexpr (Columns < 128) {
      if (columns > Columns) return gathers<2 * Columns>(exec, row_bytes);
    }
    auto curve = probe_gathers(exec, std::size_t{512} << 20, HostGather<Exec, Columns>{});
    curve.row_bytes = columns * sizeof(double);
    const double factor = static_cast<double>(columns) / Columns;
    GatherPoint next = curve.points.back();
    for (auto point = curve.points.rbegin(); point != curve.points.rend(); ++point) {
      // A larger table is never cheaper: what says so was disturbed by another program.
      next.plain_ns = std::min(point->plain_ns, next.plain_ns);
      next.prefetched_ns = std::min(point->prefetched_ns, next.prefetched_ns);
      point->plain_ns = factor * next.plain_ns;
      point->prefetched_ns = factor * next.prefetched_ns;
    }
    return curve;
  }

  /// Bytes of the caches that one thread uses, from the nearest; guessed where unknown.
  [[nodiscard]] static std::array<double, 3> caches() {
    const MachineProperties machine = MachineProperties::of(Exec());
    return {machine.l1_cache, machine.l2_cache, machine.shared_cache};
  }

  static void read(const Exec& exec, const Array& from) {
    constexpr std::size_t block = 32;  // elements with a sum each, which no load waits for
    const double* const data = from.data();
    share_out("genten::probe_read", exec, from.size() / block, [=](const Share& blocks) {
      double sums[block] = {};
      for (std::size_t i = blocks.begin * block; i < blocks.end * block; i += block) {
        for (std::size_t k = 0; k < block; ++k) sums[k] += data[i + k];
      }
      double total = 0.0;
      for (const double sum : sums) total += sum;
      return total;
    });
  }
};

}  // namespace genten::perf
