// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// SharedRows: which rows of a mode a process has, which of them it owns, and with whom it shares
/// them.

#include <genten/base/types.hpp>
#include <genten/dist/communicator.hpp>

#include <cstdint>
#include <vector>

namespace genten {

/// The rows of a mode in which a process has nonzeros, by numbers of its own: first those that it
/// owns, then those of each other process in turn, each by descending number of its nonzeros (ties
/// in their order).
template <SubscriptOrdinal Ordinal>
struct SharedRows {
  std::vector<Ordinal> rows;  ///< by own number, the row of the whole tensor
  std::size_t own = 0;        ///< the first so many are owned
  /// By process, own numbers: of the foreign rows that it owns, which are all from `own` on as they
  /// follow each other, and of the own rows that it has too. What is lent to a process and what
  /// that has borrowed are the same rows in the same order.
  std::vector<std::vector<std::uint32_t>> borrowed;
  std::vector<std::vector<std::uint32_t>> lent;

  /// Rows that are sent in a fold, and received in an expand.
  [[nodiscard]] std::size_t foreign() const { return rows.size() - own; }
};

/// Rows of a mode with nonzeros, ascending, and how many nonzeros each of them has.
template <SubscriptOrdinal Ordinal>
struct RowCounts {
  std::vector<Ordinal> rows;
  std::vector<std::uint32_t> counts;
};

/// Finds the owner of each row, by `owner_of_row`, and whom it is shared with, from what every
/// process has. A row's number tells which process compares those that have it, so that none needs
/// memory for more than its share of the mode: of the order of its own rows and `dimension` /
/// processes. All processes call it.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] SharedRows<Ordinal> share_rows(Communicator& processes, int mode,
                                             std::size_t dimension, const RowCounts<Ordinal>& mine);

/// Messages and rows of R words that this process has sent, of each mode.
struct RowsSent {
  std::uint64_t rows = 0;
  std::uint64_t messages = 0;
};

}  // namespace genten
