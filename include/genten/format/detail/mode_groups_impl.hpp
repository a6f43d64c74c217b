// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/format/mode_groups.hpp>

#include <algorithm>
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

inline std::vector<ModeGroup> choose_mode_groups(std::span<const std::size_t> dimensions,
                                                 std::span<const int> update_order,
                                                 const FusionLimits& limits) {
  // best[k]: the cheapest partition of the first k modes, by (groups, tuples).
  struct Best {
    std::size_t groups = std::numeric_limits<std::size_t>::max();
    double tuples = 0.0;
    std::size_t last_begin = 0;
  };
  const std::size_t order = update_order.size();
  std::vector<Best> best(order + 1);
  best[0].groups = 0;
  for (std::size_t end = 1; end <= order; ++end) {
    double tuples = 1.0, longest = 0.0;
    for (std::size_t begin = end; begin-- > 0;) {
      const auto rows =
          static_cast<double>(dimensions[static_cast<std::size_t>(update_order[begin])]);
      tuples *= rows;
      longest = std::max(longest, rows);
      if (end - begin > 1 && !limits.allow(tuples, longest)) continue;
      const Best candidate{best[begin].groups + 1, best[begin].tuples + tuples, begin};
      if (candidate.groups < best[end].groups ||
          (candidate.groups == best[end].groups && candidate.tuples < best[end].tuples)) {
        best[end] = candidate;
      }
    }
  }
  std::vector<ModeGroup> groups;
  for (std::size_t end = order; end > 0; end = best[end].last_begin) {
    groups.push_back({{update_order.begin() + static_cast<std::ptrdiff_t>(best[end].last_begin),
                       update_order.begin() + static_cast<std::ptrdiff_t>(end)}});
  }
  std::reverse(groups.begin(), groups.end());
  return groups;
}

}  // namespace genten
