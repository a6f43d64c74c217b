// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the memory of a device can do: the figures of machine_probe.hpp, measured there.

#include "machine_probe.hpp"

#include <genten/detail/contraction_device.hpp>

namespace genten::perf {

/// Groups of neighbouring threads gather rows at random, two columns a thread, and sum them in
/// registers: what a kernel does that needs no subscripts, values or products.
template <class Exec>
struct GatherRows {
  static constexpr int rows_per_group = 128, in_flight = 8;
  using Columns = genten::detail::LaneColumns<double, 2>;

  Kokkos::View<const double*, typename Exec::memory_space> table;
  Kokkos::View<const std::uint32_t*, typename Exec::memory_space> index;
  Kokkos::View<double*, typename Exec::memory_space> sink;  ///< one row a group
  std::uint32_t columns;

  KOKKOS_FUNCTION void operator()(const std::uint32_t thread) const {
    const std::uint32_t lanes = columns / 2, group = thread / lanes;
    const std::uint32_t column = thread % lanes * 2;
    Columns sum{};
    for (int first = 0; first < rows_per_group; first += in_flight) {
      Columns rows[in_flight];
      GENTEN_DEVICE_UNROLL
      for (int u = 0; u < in_flight; ++u) {
        const std::size_t row = index(std::size_t{group} * rows_per_group + first + u);
        rows[u] = Columns::at(table.data() + row * columns + column);
      }
      GENTEN_DEVICE_UNROLL
      for (int u = 0; u < in_flight; ++u) {
        for (int j = 0; j < 2; ++j) sum.element[j] += rows[u].element[j];
      }
    }
    sum.store(sink.data() + std::size_t{group} * columns + column);
  }
};

/// Gather costs for rows of `columns` doubles, an even number, for tables from 16 KB to `largest`
/// bytes.
template <class Exec>
[[nodiscard]] GatherCurve probe_device_gathers(const Exec& exec, std::size_t columns,
                                               std::size_t largest = std::size_t{2} << 30) {
  using Space = typename Exec::memory_space;
  using Task = GatherRows<Exec>;
  const std::size_t groups = (std::size_t{1} << 28) / Task::rows_per_group / columns;
  const std::size_t gathers = groups * Task::rows_per_group;
  const Kokkos::View<double*, Space> table("genten::probe_table", largest / sizeof(double));
  const Kokkos::View<double*, Space> sink("genten::probe_sink", groups * columns);
  const Kokkos::View<std::uint32_t*, Space> index("genten::probe_index", gathers);
  GatherCurve curve{columns * sizeof(double), {}};
  for (std::size_t bytes = std::size_t{16} << 10; bytes <= largest; bytes *= 2) {
    const std::size_t rows = std::max<std::size_t>(bytes / curve.row_bytes, 1);
    Kokkos::parallel_for(
        "genten::probe_index",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, gathers),
        KOKKOS_LAMBDA(const std::size_t i) {
          index(i) =
              static_cast<std::uint32_t>(random_uniform(1, bytes, i) * static_cast<double>(rows));
        });
    exec.fence();
    const double seconds = fastest(4, [&] {
      Kokkos::parallel_for("genten::probe_gather",
                           Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>(
                               exec, 0, static_cast<std::uint32_t>(groups * columns / 2)),
                           Task{table, index, sink, static_cast<std::uint32_t>(columns)});
      exec.fence();
    });
    GatherPoint point;
    point.bytes = static_cast<double>(bytes);
    point.plain_ns = point.prefetched_ns = 1e9 * seconds / static_cast<double>(gathers);
    curve.points.push_back(point);
  }
  return curve;
}

/// Streaming rates on arrays far larger than the caches.
template <class Exec>
[[nodiscard]] StreamRates probe_device_streams(const Exec& exec,
                                               std::size_t bytes = std::size_t{4} << 30) {
  using Doubles = Kokkos::View<double*, typename Exec::memory_space>;
  const std::size_t count = bytes / sizeof(double) / 2;
  const Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>> all(exec, 0, count);
  const Doubles from("genten::probe_from", count), to("genten::probe_to", count);
  const double size = static_cast<double>(count * sizeof(double));
  StreamRates rates;
  rates.write =
      size / fastest(4, [&] {
        Kokkos::parallel_for(
            "genten::probe_fill", all, KOKKOS_LAMBDA(const std::size_t i) { from(i) = 1.0; });
        exec.fence();
      });
  rates.copy =
      2.0 * size / fastest(4, [&] {
        Kokkos::parallel_for(
            "genten::probe_copy", all, KOKKOS_LAMBDA(const std::size_t i) { to(i) = from(i); });
        exec.fence();
      });
  rates.read = size / fastest(4, [&] {
                 double sum = 0.0;
                 Kokkos::parallel_reduce(
                     "genten::probe_read", all,
                     KOKKOS_LAMBDA(const std::size_t i, double& part) { part += from(i); }, sum);
               });
  return rates;
}

}  // namespace genten::perf
