// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SortedChoice: what the kernel `sorted` has chosen for a tensor.

#include <genten/base/error.hpp>
#include <genten/format/mode_groups.hpp>
#include <genten/format/sorted_copy.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace genten::kernels {

/// Choices by mode group: entry g of a list is that of groups[g].
struct SortedChoice {
  std::vector<ModeGroup> groups;
  std::vector<NonzeroOrder> orders;     ///< in terms of groups: mode g of an order is groups[g]
  std::vector<offset_t> chunk_lengths;  ///< nonzeros that a chunk aims at
  /// Whether sums stay in registers for runs of nonzeros of the same row; known once prepared.
  std::vector<bool> runs;
  int panel_packs = 0;  ///< packs of 64 bytes of a column panel; 0: columns stay where they lie

  /// The group that a mode is in.
  [[nodiscard]] std::size_t group_of(int mode) const {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (const int member : groups[g].modes) {
        if (member == mode) return g;
      }
    }
    throw Error("kernel sorted: no mode " + error_text::number(mode));
  }
  [[nodiscard]] const NonzeroOrder& order_of(int mode) const { return orders[group_of(mode)]; }
  [[nodiscard]] bool any_fused() const {
    for (const ModeGroup& group : groups) {
      if (group.fused()) return true;
    }
    return false;
  }

  /// Whether the records are in that order before they are sorted: those of tuples that were sorted
  /// lie in that of the first group.
  [[nodiscard]] bool lies_as_packed(const NonzeroOrder& order) const {
    return order.tiles.empty() ||
           (sorts_tuples(groups) && order.tiles.size() == 1 && order.tiles.front().mode == 0);
  }

  /// Whether sorting for group `g` may use up the records that all copies are sorted from: no later
  /// group has an order with other tiles, and none reads the records where they lie.
  [[nodiscard]] bool may_use_up_records(std::size_t g) const {
    for (const NonzeroOrder& order : orders) {
      if (lies_as_packed(order)) return false;
    }
    for (std::size_t later = g; later < orders.size(); ++later) {
      if (!(orders[later].tiles == orders[g].tiles)) return false;
    }
    return true;
  }

  /// For people, e.g. "mode 1: blocks of 2^11 rows, sorted by 2:2^11 1:2^11 3:2^5, adding; mode 2:
  /// ...".
  [[nodiscard]] std::string describe() const {
    std::ostringstream text;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const NonzeroOrder& order = orders[g];
      text << (g == 0 ? "" : "; ") << (groups[g].fused() ? "modes" : "mode");
      for (const int mode : groups[g].modes) text << ' ' << mode + 1;
      if (groups[g].fused()) text << " fused";
      text << ": ";
      if (order.row_block_bits == 0) {
        text << "by row";
      } else {
        text << "blocks of 2^" << order.row_block_bits << " rows, sorted by";
        for (const auto& tile : order.tiles) {
          const auto& modes = groups[static_cast<std::size_t>(tile.mode)].modes;
          for (const int mode : modes) text << (mode == modes.front() ? " " : "+") << mode + 1;
          text << ":2^" << tile.bits;
        }
      }
      text << (runs[g] ? ", runs" : ", adding");
      if (order.non_temporal) text << ", non-temporal";
      if (panel_packs > 0) text << ", in column panels";
    }
    return text.str();
  }
};

}  // namespace genten::kernels
