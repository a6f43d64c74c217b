// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How long one MTTKRP must take on this machine, from what host_probe.hpp or device_probe.hpp has
/// measured.
///
/// For the mode n of a tensor, with rows of B bytes:
///   stream  the packed subscripts and values read once and the rows in use written once, at the
///           measured rates;
///   gather  one row of each other factor for every nonzero, at the measured cost of random row
///           gathers, as if an ideal cache held the most used rows: those that fit L1 cost what a
///           gather from L1 costs, the next ones L2, then L3, the rest memory.
/// The bound is the larger of the two (they overlap at best). A kernel that takes the nonzeros in
/// an order in which gathered rows are reused while they are in cache, or that multiplies shared
/// products once, gathers less than that and may come out above 100 %: the bound is that of one
/// pass over the nonzeros in no special order.

#include "device_probe.hpp"
#include "host_probe.hpp"

#include <genten/core/sptensor.hpp>

#include <array>
#include <bit>
#include <functional>

namespace genten::perf {

/// How often the rows of one mode are used, most used first.
struct RowUse {
  std::vector<offset_t> cumulative;  ///< nonzeros in the i + 1 most used rows

  [[nodiscard]] double rows() const { return static_cast<double>(cumulative.size()); }
  /// The share of nonzeros in the `rows` most used rows.
  [[nodiscard]] double share(double rows) const {
    if (cumulative.empty() || rows < 1.0) return 0.0;
    const auto last = std::min(cumulative.size(), static_cast<std::size_t>(rows));
    return static_cast<double>(cumulative[last - 1]) / static_cast<double>(cumulative.back());
  }
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] RowUse row_use(const Sptensor<Scalar, Ordinal, HostExec>& tensor, int mode) {
  std::vector<offset_t> counts(tensor.dimension(mode), 0);
  const auto subscripts = tensor.subscripts();
  for (offset_t p = 0; p < tensor.nnz(); ++p) ++counts[subscripts(p, mode)];
  std::sort(counts.begin(), counts.end(), std::greater<>());
  while (!counts.empty() && counts.back() == 0) counts.pop_back();
  for (std::size_t i = 1; i < counts.size(); ++i) counts[i] += counts[i - 1];
  return {std::move(counts)};
}

/// What was measured of the machine, for rows of one length.
struct MachineRates {
  StreamRates streams;
  GatherCurve gathers;
  std::array<double, 3> cache{};  ///< bytes of every level

  /// Measures; takes a few seconds.
  template <ExecutionSpace Exec>
  [[nodiscard]] static MachineRates measure(const Exec& exec, std::size_t row_bytes) {
    using Probe = std::conditional_t<is_host_space<Exec>, HostProbe<Exec>, DeviceProbe<Exec>>;
    return {Probe::streams(exec), Probe::gathers(exec, row_bytes), Probe::caches()};
  }

  /// Nanoseconds for a gathered row of a factor that is used like that.
  [[nodiscard]] double gather_ns(const RowUse& use) const {
    const auto row = static_cast<double>(gathers.row_bytes);
    double before = 0.0, total = 0.0;
    for (const double size : cache) {
      const double share = use.share(size / row);
      // Measured at half the size, where the table is surely inside of it.
      total += (share - before) * gathers.best_ns(std::min(0.5 * size, use.rows() * row));
      before = share;
    }
    return total + (1.0 - before) * gathers.best_ns(use.rows() * row);
  }
};

/// Seconds of one MTTKRP at best, and why.
struct MttkrpBound {
  double stream = 0.0;
  double gather = 0.0;
  [[nodiscard]] double seconds() const { return std::max(stream, gather); }
};

/// That say a subscript of a mode of that length.
[[nodiscard]] constexpr int subscript_bits(std::size_t length) {
  return length <= 1 ? 0 : static_cast<int>(std::bit_width(length - 1));
}

[[nodiscard]] inline MttkrpBound mttkrp_bound(const MachineRates& rates,
                                              const std::vector<std::size_t>& dimensions,
                                              offset_t nnz, const std::vector<RowUse>& use,
                                              int mode, std::size_t scalar_bytes) {
  const auto nonzeros = static_cast<double>(nnz);
  const auto row = static_cast<double>(rates.gathers.row_bytes);
  double bits = 8.0 * static_cast<double>(scalar_bytes);
  for (const std::size_t dimension : dimensions) bits += subscript_bits(dimension);
  MttkrpBound bound;
  bound.stream = nonzeros * bits / 8.0 / rates.streams.read +
                 use[static_cast<std::size_t>(mode)].rows() * row / rates.streams.write;
  for (std::size_t m = 0; m < use.size(); ++m) {
    if (static_cast<int>(m) != mode) bound.gather += nonzeros * rates.gather_ns(use[m]) * 1e-9;
  }
  return bound;
}

}  // namespace genten::perf
