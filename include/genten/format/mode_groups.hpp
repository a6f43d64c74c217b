// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Mode groups: neighbouring short modes treated as one fused mode.
///
/// The rows of a fused mode are the distinct tuples of its modes' subscripts that occur. With it a
/// tensor of order N is contracted as one of lower order: the product of the group's factor rows
/// is looked up by the number of the tuple, and one MTTKRP for the fused mode serves all modes of
/// the group, as long as the factors outside the group do not change (a dimension tree; Phan,
/// Tichavsky, Cichocki 2013).

#include <genten/base/types.hpp>

#include <limits>
#include <span>
#include <vector>

namespace genten {

/// One group: a single mode, or several that are fused.
struct ModeGroup {
  std::vector<int> modes;  ///< in the order of their updates
  /// Of fused modes: their tuples are found by sorting the nonzeros, since there would be too many
  /// possible ones to look each up. All fused groups of a tensor then are, and come before the
  /// single modes.
  bool sorted = false;
  [[nodiscard]] bool fused() const { return modes.size() > 1; }
  bool operator==(const ModeGroup&) const = default;
};
/// Whether tuples are found by sorting: nonzeros then lie in the order of the first group's.
[[nodiscard]] inline bool sorts_tuples(std::span<const ModeGroup> groups) {
  return !groups.empty() && groups.front().sorted;
}
/// Groups of which those from `first` on are as they are, and the modes of all others are single,
/// in their natural order.
[[nodiscard]] std::vector<ModeGroup> split_groups(std::span<const ModeGroup> groups,
                                                  std::size_t first);

/// Partitions of the modes, in the order of their updates, into groups of neighbours of at most
/// `most_tuples` possible tuples each (single modes are always allowed): for each number of groups
/// the one with the fewest possible tuples in all, fewest groups first. The last has single modes
/// alone.
[[nodiscard]] std::vector<std::vector<ModeGroup>> partition_modes(
    std::span<const std::size_t> dimensions, std::span<const int> update_order, double most_tuples);

/// The distinct tuples of a fused group.
template <ExecutionSpace Exec>
struct FusedTuples {
  /// tuples x modes of the group: the subscripts, in the order of ModeGroup::modes.
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, typename Exec::memory_space> subscripts;
  [[nodiscard]] std::size_t size() const { return subscripts.extent(0); }
};

}  // namespace genten

#include <genten/format/detail/mode_groups_impl.hpp>
