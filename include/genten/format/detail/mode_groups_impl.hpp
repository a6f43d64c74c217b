// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/format/mode_groups.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten {

inline std::vector<ModeGroup> split_groups(std::span<const ModeGroup> groups, std::size_t first) {
  std::vector<ModeGroup> result;
  std::vector<int> single;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (g >= first && groups[g].fused()) {
      result.push_back(groups[g]);
    } else {
      single.insert(single.end(), groups[g].modes.begin(), groups[g].modes.end());
    }
  }
  std::sort(single.begin(), single.end());
  for (const int mode : single) result.push_back({{mode}});
  return result;
}

inline std::vector<std::vector<ModeGroup>> partition_modes(std::span<const std::size_t> dimensions,
                                                           std::span<const int> update_order,
                                                           double most_tuples) {
  // best[n][k]: of the partitions of the first k modes into n groups, the one with fewest tuples.
  struct Best {
    double tuples = std::numeric_limits<double>::infinity();
    std::size_t last_begin = 0;
  };
  const std::size_t order = update_order.size();
  std::vector<std::vector<Best>> best(order + 1, std::vector<Best>(order + 1));
  best[0][0].tuples = 0.0;
  for (std::size_t end = 1; end <= order; ++end) {
    double tuples = 1.0;
    for (std::size_t begin = end; begin-- > 0;) {
      tuples *= static_cast<double>(dimensions[static_cast<std::size_t>(update_order[begin])]);
      if (end - begin > 1 && !(tuples <= most_tuples)) break;
      for (std::size_t n = 1; n <= end; ++n) {
        const double all = best[n - 1][begin].tuples + tuples;
        if (all < best[n][end].tuples) best[n][end] = {all, begin};
      }
    }
  }
  std::vector<std::vector<ModeGroup>> partitions;
  for (std::size_t n = 0; n <= order; ++n) {
    if (std::isinf(best[n][order].tuples)) continue;
    auto& groups = partitions.emplace_back();
    std::size_t end = order;
    for (std::size_t left = n; left > 0; --left) {
      const std::size_t begin = best[left][end].last_begin;
      groups.push_back({{update_order.begin() + static_cast<std::ptrdiff_t>(begin),
                         update_order.begin() + static_cast<std::ptrdiff_t>(end)}});
      end = begin;
    }
    std::reverse(groups.begin(), groups.end());
  }
  return partitions;
}

}  // namespace genten
