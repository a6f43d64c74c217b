// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Entries at the same subscripts: found without sorting.

#include "../file/blocks.hpp"

#include <genten/io/detail/tensor_arrays.hpp>

#include <string>

namespace genten::detail {

inline constexpr std::size_t no_entry = static_cast<std::size_t>(-1);

/// What was found; entries are numbered in file order.
struct DuplicateSummary {
  std::size_t duplicates = 0;  ///< entries that repeat an earlier one's subscripts
  /// Of the duplicates with the smallest number: itself, and the first entry it repeats.
  std::size_t second = no_entry;
  std::size_t first = no_entry;
  /// The first entry whose addition gave no finite sum; `no_entry` where all are finite.
  std::size_t overflow = no_entry;
  /// What is known of the entries that remain when duplicates are summed, or when there are none.
  SptensorFacts facts;
};

/// Finds duplicates among the first `entries` rows. With `sum`, adds each to the first entry with
/// its subscripts, in file order, and closes the gaps, so that `entries - duplicates` rows remain
/// in their order (not if a sum overflows). The result is the same for any number of threads.
///
/// Rows that are sorted by their subscripts cost one pass. Others are distributed by a hash of
/// their subscripts into parts that fit a core's cache, and each part is looked through with a hash
/// table; that takes 8 bytes an entry (16 beyond 2^32 entries), a third of what sorting them as
/// `group_subscripts` does would take, and keeps them in file order.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
DuplicateSummary find_duplicates(const HostExec& host, const std::string& path,
                                 const TensorArrays<Scalar, Ordinal>& arrays, std::size_t entries,
                                 bool sum, const BlockWork& work, std::size_t memory_limit);

/// Merges the first `entries` rows by a rule; those that remain come first, in lexicographic order.
/// Throws Error for a sum, also that of a mean, that is not finite, of kind memory where sorting
/// the rows takes more than there is. Returns what is known of them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
SptensorFacts merge_sorted(const HostExec& host, const std::string& path,
                           const TensorArrays<Scalar, Ordinal>& arrays, std::size_t entries,
                           Duplicates rule, std::size_t memory_limit);

}  // namespace genten::detail
