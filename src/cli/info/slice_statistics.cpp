// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "slice_statistics.hpp"

#include <numeric>

namespace genten::cli {

SliceStatistics slice_statistics(std::size_t length, std::vector<offset_t> used) {
  SliceStatistics result;
  result.length = length;
  result.used = used.size();
  result.empty = length - used.size();
  if (used.empty()) return result;
  std::sort(used.begin(), used.end());
  const offset_t total = std::accumulate(used.begin(), used.end(), offset_t{0});
  const offset_t upper = used[used.size() / 2];
  const offset_t lower = used[(used.size() - 1) / 2];
  result.most = static_cast<std::size_t>(used.back());
  result.mean = static_cast<double>(total) / static_cast<double>(used.size());
  result.median = 0.5 * (static_cast<double>(lower) + static_cast<double>(upper));
  return result;
}

}  // namespace genten::cli
