// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "split_costs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace genten {

void SplitCosts::prepare(std::size_t below, std::size_t above) {
  for (const std::size_t processes : {below, above}) {
    if (processes == 1 || m_copies.contains(processes)) continue;
    const int halvings = std::bit_width(processes - 1);
    Copies& copies = m_copies[processes];
    copies.resize(static_cast<std::size_t>(halvings) + 1);
    for (int j = 0; j <= halvings; ++j) {
      const double sharing =
          std::pow(static_cast<double>(processes), static_cast<double>(j) / halvings);
      for (std::size_t k = 0; k < SliceHistogram::classes; ++k) {
        copies[static_cast<std::size_t>(j)][k] =
            expected_copies(SliceHistogram::nonzeros_of(k), sharing);
      }
    }
  }
}

double SplitCosts::of(std::span<const SplitCount> modes, std::size_t below,
                      std::size_t above) const {
  double cost = 0.0;
  for (const SplitCount& mode : modes) cost += static_cast<double>(mode.shared());
  return cost + best_grid(modes, false, below) + best_grid(modes, true, above);
}

double SplitCosts::best_grid(std::span<const SplitCount> modes, bool above,
                             std::size_t processes) const {
  if (processes == 1) return 0.0;
  const Copies& copies = m_copies.at(processes);
  const std::size_t halvings = copies.size() - 1;
  // best[h]: the least that the modes so far cost when h of the halvings cut one of them.
  std::vector<double> best(halvings + 1, std::numeric_limits<double>::infinity()), next;
  best[0] = 0.0;
  for (const SplitCount& mode : modes) {
    const SliceHistogram* const rows = above ? mode.above() : mode.below();
    if (rows == nullptr) return 0.0;
    // What the mode costs when h halvings cut it: the others share its rows.
    std::vector<double> own(halvings + 1, 0.0);
    for (std::size_t k = 0; k < SliceHistogram::classes; ++k) {
      if (rows->rows(k) == 0) continue;
      for (std::size_t h = 0; h <= halvings; ++h) {
        own[h] += rows->rows(k) * copies[halvings - h][k];
      }
    }
    next.assign(halvings + 1, std::numeric_limits<double>::infinity());
    for (std::size_t before = 0; before <= halvings; ++before) {
      for (std::size_t h = 0; before + h <= halvings; ++h) {
        next[before + h] = std::min(next[before + h], best[before] + own[h]);
      }
    }
    best.swap(next);
  }
  return best[halvings];
}

}  // namespace genten
