// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How the nonzeros of a tensor are spread over the slices of its modes.

#include <genten/core/sptensor_ops.hpp>

#include <algorithm>
#include <vector>

namespace genten::cli {

/// Nonzeros of the slices of one mode.
struct SliceStatistics {
  std::size_t length = 0;
  std::size_t used = 0;    ///< slices with nonzeros
  std::size_t empty = 0;   ///< slices without
  std::size_t most = 0;    ///< nonzeros of the fullest slice
  double mean = 0.0;       ///< over used slices
  double median = 0.0;     ///< over used slices
};

/// From the number of nonzeros of each slice.
inline SliceStatistics slice_statistics(std::vector<offset_t> counts) {
  SliceStatistics result;
  result.length = counts.size();
  std::sort(counts.begin(), counts.end());
  const auto first_used = std::upper_bound(counts.begin(), counts.end(), offset_t{0});
  result.empty = static_cast<std::size_t>(first_used - counts.begin());
  result.used = result.length - result.empty;
  if (result.used == 0) return result;
  offset_t total = 0;
  for (auto count = first_used; count != counts.end(); ++count) total += *count;
  const std::size_t middle = result.empty + result.used / 2;
  const offset_t upper = counts[middle];
  const offset_t lower = result.used % 2 == 1 ? upper : counts[middle - 1];
  result.most = static_cast<std::size_t>(counts.back());
  result.mean = static_cast<double>(total) / static_cast<double>(result.used);
  result.median = 0.5 * (static_cast<double>(lower) + static_cast<double>(upper));
  return result;
}

/// Of every mode of a tensor on the host.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::vector<SliceStatistics> slice_statistics(const Sptensor<Scalar, Ordinal, HostExec>& tensor) {
  std::vector<SliceStatistics> modes;
  for (int n = 0; n < tensor.order(); ++n) {
    const auto counts = slice_counts(HostExec(), tensor, n);
    modes.push_back(slice_statistics(
        std::vector<offset_t>(counts.data(), counts.data() + counts.extent(0))));
  }
  return modes;
}

}  // namespace genten::cli
