// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "period_names.hpp"

#include "base/period_words.hpp"

#include <algorithm>

namespace genten::tools {

std::vector<std::size_t> summed_periods(const std::vector<std::string>& names) {
  constexpr std::size_t longest = 16;
  std::vector<Period> longer, all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > longest) continue;
    auto found = period_called(names[i]);
    if (!found) continue;
    found->row = i;
    all.push_back(*found);
    if (found->month == 0) longer.push_back(*found);
  }
  std::vector<std::size_t> rows;
  const auto key = [](const Period& p) { return (p.year * 8 + p.quarter) * 16 + p.month; };
  std::sort(all.begin(), all.end(),
            [&](const Period& a, const Period& b) { return key(a) < key(b); });
  for (const Period& each : longer) {
    const auto begin =
        std::lower_bound(all.begin(), all.end(), each.year,
                         [](const Period& p, int wanted) { return p.year < wanted; });
    int first = 0;
    for (auto at = begin; at != all.end() && at->year == each.year; ++at) {
      if (!at->is_in(each)) continue;
      const int shorter = key(*at);
      if (first == 0) first = shorter;
      if (shorter == first) continue;
      rows.push_back(each.row);
      break;
    }
  }
  return rows;
}

}  // namespace genten::tools
