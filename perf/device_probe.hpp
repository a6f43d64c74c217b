// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How a device reads and gathers as fast as it can: a great many threads, each with several loads
/// in flight.

#include "machine_probe.hpp"

#include <genten/base/detail/backend.hpp>
#include <genten/base/detail/column_tile.hpp>

#include <array>

namespace genten::perf {

/// Groups of neighbouring threads gather rows at random, two columns a thread, and sum them in
/// registers: what a kernel does that needs no subscripts, values or products.
template <ExecutionSpace Exec>
struct GatherRows {
  static constexpr int rows_per_group = 128, in_flight = 8;
  using Columns = genten::detail::ColumnTile<double, 2>;

  RandomRows<Exec> rows;
  Kokkos::View<double*, typename Exec::memory_space> sink;  ///< one row a group
  std::uint32_t columns;

  KOKKOS_FUNCTION void operator()(const std::uint32_t thread) const {
    const std::uint32_t lanes = columns / 2, group = thread / lanes;
    const std::uint32_t column = thread % lanes * 2;
    Columns sum{};
    for (int first = 0; first < rows_per_group; first += in_flight) {
      Columns loaded[in_flight];
      GENTEN_DEVICE_UNROLL
      for (int u = 0; u < in_flight; ++u) {
        const std::size_t row = rows.index(std::size_t{group} * rows_per_group + first + u);
        loaded[u] = Columns::at(rows.table.data() + row * columns + column);
      }
      GENTEN_DEVICE_UNROLL
      for (int u = 0; u < in_flight; ++u) {
        for (int j = 0; j < 2; ++j) sum.element[j] += loaded[u].element[j];
      }
    }
    sum.store(sink.data() + std::size_t{group} * columns + column);
  }
};

/// Gathers rows of `columns` doubles, an even number. There is no kernel with prefetch: where one
/// thread waits for memory, others run.
template <ExecutionSpace Exec>
class DeviceGather {
 public:
  static constexpr bool has_prefetch = false;

  explicit DeviceGather(std::size_t columns)
      : m_columns(columns),
        m_groups((std::size_t{1} << 28) / GatherRows<Exec>::rows_per_group / columns),
        m_sink("genten::probe_sink", m_groups * columns) {}

  [[nodiscard]] std::size_t row_bytes() const { return m_columns * sizeof(double); }
  [[nodiscard]] std::size_t count() const { return m_groups * GatherRows<Exec>::rows_per_group; }
  void plain(const Exec& exec, const RandomRows<Exec>& rows) const {
    const auto threads = static_cast<std::uint32_t>(m_groups * m_columns / 2);
    Kokkos::parallel_for(
        "genten::probe_gather",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>(exec, 0, threads),
        GatherRows<Exec>{rows, m_sink, static_cast<std::uint32_t>(m_columns)});
  }

 private:
  std::size_t m_columns, m_groups;
  Kokkos::View<double*, typename Exec::memory_space> m_sink;
};

/// What a device's memory can do.
template <ExecutionSpace Exec>
struct DeviceProbe {
  using Array = Kokkos::View<const double*, typename Exec::memory_space>;

  [[nodiscard]] static StreamRates streams(const Exec& exec) {
    return probe_streams(exec, std::size_t{4} << 30, read);
  }

  [[nodiscard]] static GatherCurve gathers(const Exec& exec, std::size_t row_bytes) {
    const std::size_t columns = std::max<std::size_t>(row_bytes / sizeof(double) / 2, 1) * 2;
    return probe_gathers(exec, std::size_t{2} << 30, DeviceGather<Exec>(columns));
  }

  /// Bytes of the caches. Only the one that all threads share counts.
  [[nodiscard]] static std::array<double, 3> caches() {
    std::array<double, 3> bytes{};
    bytes.fill(genten::detail::Backend<Exec>::shared_cache_bytes());
    return bytes;
  }

  static void read(const Exec& exec, const Array& from) {
    double sum = 0.0;
    Kokkos::parallel_reduce(
        "genten::probe_read",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, from.size()),
        KOKKOS_LAMBDA(const std::size_t i, double& part) { part += from(i); }, sum);
  }
};

}  // namespace genten::perf
