// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which order of updates lets the sorted kernel fuse the modes that are worth it.

#include <genten/mttkrp/kernels/sorted/fusion_choice_impl.hpp>

namespace genten::detail {

/// Tensors of more modes are updated in natural order: there would be too many ways.
inline constexpr std::size_t most_reordered = 6;

/// Another order is taken if it is predicted to take at most this share of the time: so much the
/// prediction is worth at best.
inline constexpr double reordered_time = 0.9;

/// All sets of two and more modes, but not of all.
[[nodiscard]] inline std::vector<std::vector<int>> sets_in_any_order(std::size_t order) {
  std::vector<std::vector<int>> sets;
  for (std::uint32_t members = 1; members + 1 < std::uint32_t{1} << order; ++members) {
    if (std::popcount(members) < 2) continue;
    auto& set = sets.emplace_back();
    for (std::size_t n = 0; n < order; ++n) {
      if ((members >> n & 1U) != 0) set.push_back(static_cast<int>(n));
    }
  }
  return sets;
}

/// The partition that takes least time, in whatever order of updates; empty without one. Sets
/// begin in the order of their first modes.
[[nodiscard]] inline std::vector<ModeGroup> cheapest_partition_in_any_order(
    const MttkrpProblem& problem, const FusionCost& cost) {
  const int order = problem.order();
  CheapestPartition best(problem, cost);
  std::vector<std::vector<int>> sets;
  // Each mode is in a set of modes before it, or begins one.
  const auto place = [&](const auto& next, int mode) -> void {
    if (mode == order) {
      auto fused = sets;
      std::erase_if(fused, [](const auto& set) { return set.size() < 2; });
      return best.consider(fused);
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
      sets[s].push_back(mode);
      next(next, mode + 1);
      sets[s].pop_back();
    }
    sets.push_back({mode});
    next(next, mode + 1);
    sets.pop_back();
  };
  place(place, 0);
  return std::move(best.groups());
}

/// The order in which the modes of each group follow each other, and else the natural one.
[[nodiscard]] inline std::vector<int> order_of_groups(const std::vector<ModeGroup>& groups,
                                                      int order) {
  std::vector<int> modes;
  for (int mode = 0; mode < order; ++mode) {
    if (std::find(modes.begin(), modes.end(), mode) != modes.end()) continue;
    for (const ModeGroup& group : groups) {
      if (std::find(group.modes.begin(), group.modes.end(), mode) == group.modes.end()) continue;
      auto members = group.modes;
      std::sort(members.begin(), members.end());
      modes.insert(modes.end(), members.begin(), members.end());
    }
  }
  return modes;
}

/// By the tuples of a problem whose modes are updated in natural order: that order, or another one
/// in which fused modes save a tenth of the time of MTTKRP, or more. The first mode stays the
/// first.
[[nodiscard]] inline std::vector<int> choose_update_order(const MttkrpProblem& problem,
                                                          const MachineProperties& machine,
                                                          const kernels::SortedTuning& tuning) {
  const FusionCost cost(problem, machine, tuning);
  // A run that is ended after `sweeps_to_gain` sweeps must have regained what sorting took.
  const auto time = [&](const std::vector<ModeGroup>& groups) {
    return cost.of(groups) + cost.sorting(groups) / tuning.sweeps_to_gain;
  };
  MttkrpProblem other = problem;
  other.update_order =
      order_of_groups(cheapest_partition_in_any_order(problem, cost), problem.order());
  if (other.update_order.empty()) return problem.update_order;
  const auto groups = kernels::Sorted::choose_groups(other, machine, tuning);
  const auto before = kernels::Sorted::choose_groups(problem, machine, tuning);
  const bool pays = sorts_tuples(groups) && time(groups) <= time(before) &&
                    cost.of(groups) <= reordered_time * cost.of(before);
  return pays ? other.update_order : problem.update_order;
}

}  // namespace genten::detail
