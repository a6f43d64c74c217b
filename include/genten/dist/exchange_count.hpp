// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a partition costs, counted: nonzeros, rows, words and messages of every process.

#include <genten/dist/partition.hpp>

namespace genten {

/// What one process has and does in one mode. Rows are counted; a row is R words.
struct ProcessRows {
  std::uint64_t touched = 0;    ///< rows in which it has nonzeros
  std::uint64_t owned = 0;      ///< of these, the ones that it updates
  std::uint64_t sent = 0;       ///< in a fold: rows of its own partial sums that others own
  std::uint64_t received = 0;   ///< in a fold: partial sums of its own rows from others
  std::uint64_t owners = 0;     ///< processes that it sends to in a fold, one message each
  std::uint64_t borrowers = 0;  ///< processes that it receives from in a fold
  bool operator==(const ProcessRows&) const = default;
};

/// A mode: every process, and all of them together. The expand that follows a fold sends the same
/// rows and messages the other way.
struct ModeExchange {
  std::vector<ProcessRows> processes;
  std::uint64_t rows = 0;      ///< rows with nonzeros
  std::uint64_t shared = 0;    ///< of these, the ones that several processes touch
  std::uint64_t words = 0;     ///< rows sent in a fold by all processes
  std::uint64_t messages = 0;  ///< messages sent in a fold by all processes

  /// The most rows that a process sends or receives in a fold.
  [[nodiscard]] std::uint64_t most_rows() const;
  /// The most messages that a process sends or receives in a fold.
  [[nodiscard]] std::uint64_t most_messages() const;
};

/// A partition, counted.
struct ExchangeCount {
  std::vector<std::uint64_t> nonzeros;  ///< by process
  std::vector<ModeExchange> modes;

  [[nodiscard]] std::size_t processes() const { return nonzeros.size(); }
  /// Rows sent in the folds of a sweep, one way, by all processes.
  [[nodiscard]] std::uint64_t words() const;
  [[nodiscard]] std::uint64_t messages() const;
  /// The most nonzeros of a process, divided by their mean; 1 of a tensor without nonzeros.
  [[nodiscard]] double imbalance() const;
};

/// The process that owns a row: one of those that touch it, which are reordered. Rows that the same
/// processes touch are theirs in turn, by a low-discrepancy sequence rather than a hash: each of a
/// few rows that all touch costs its owner a row from everybody, and chance would give some
/// processes several times as many as others. Whoever knows the processes that touch a row knows
/// its owner.
[[nodiscard]] std::uint32_t owner_of_row(int mode, std::uint64_t row,
                                         std::span<std::uint32_t> touching);

/// Counts. `process_of` holds the process of each nonzero, below `processes`, which is at most
/// 65536.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] ExchangeCount count_exchange(const HostExec& exec,
                                           const TensorSlices<Ordinal>& slices,
                                           const detail::HostArray<std::uint32_t>& process_of,
                                           std::size_t processes);

/// The same for the processes of a partition.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] ExchangeCount count_exchange(const HostExec& exec,
                                           const TensorSlices<Ordinal>& slices,
                                           const Partition& partition) {
  return count_exchange(exec, slices, processes_of(exec, partition, slices), partition.processes());
}

}  // namespace genten
