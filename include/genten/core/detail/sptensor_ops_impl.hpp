// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Parts of the operations on sparse tensors.

#include <genten/base/detail/chunked_reduce.hpp>
#include <genten/base/error.hpp>
#include <genten/base/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace genten {

/// A half-open range of subscripts of one mode.
struct SubscriptRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

namespace detail {

/// Sum of (value / divisor)^2, in double.
template <ExecutionSpace Exec, class Values>
[[nodiscard]] double sum_of_squares(const Exec& exec, const Values& values, double divisor) {
  return chunked_reduce<double>(
      "genten::sum_of_squares", exec, static_cast<offset_t>(values.extent(0)),
      KOKKOS_LAMBDA(const offset_t p) {
        const double value = static_cast<double>(values(p)) / divisor;
        return value * value;
      });
}

/// Throws Error unless there is one range a mode, within the mode.
inline void check_ranges(std::span<const std::size_t> dimensions,
                         std::span<const SubscriptRange> ranges) {
  if (ranges.size() != dimensions.size()) {
    throw Error::in("subtensor", "expected " + std::to_string(dimensions.size()) +
                                     " ranges, one a mode, got " + std::to_string(ranges.size()));
  }
  for (std::size_t n = 0; n < ranges.size(); ++n) {
    if (ranges[n].begin > ranges[n].end || ranges[n].end > dimensions[n]) {
      throw Error::in("subtensor", "expected a range within [0, " + std::to_string(dimensions[n]) +
                                       ") in mode " + error_text::number(n) + ", got [" +
                                       std::to_string(ranges[n].begin) + ", " +
                                       std::to_string(ranges[n].end) + ")");
    }
  }
}

/// A range of subscripts in every mode, for kernels.
template <SubscriptOrdinal Ordinal>
struct SubscriptBox {
  int order;
  Kokkos::Array<Ordinal, max_order> begin, end;

  template <class Subscripts>
  KOKKOS_FUNCTION bool contains(const Subscripts& subscripts, offset_t p) const {
    bool inside = true;
    for (int n = 0; n < order; ++n) {
      inside = inside && subscripts(p, n) >= begin[n] && subscripts(p, n) < end[n];
    }
    return inside;
  }
};

}  // namespace detail
}  // namespace genten
