// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Partitions by bisection: as balanced as can be, with fewer rows to send than a grid.

#include <genten/dist/partition.hpp>

namespace genten {

/// By how much the nonzeros of a process may exceed their mean so that rows stay whole.
inline constexpr double bisection_slack = 0.05;

/// Divides the nonzeros in two, and each part again, until every one of `processes` processes has
/// its share. Cuts are between rows where that leaves each process with at most 1 +
/// `bisection_slack` times the mean, and else in the middle of a row, so that nothing but
/// duplicates, which stay together, and fewer nonzeros than processes are in the way of that.
///
/// Each cut is in the mode that is expected to cost the fewest copies of rows: those that the cut
/// itself makes, counted, and those that the cuts still to come will make in either part, from the
/// histograms of its slices and the best grid for it. Parts are cut in the same mode as the others
/// of their level, and at the same row, unless that costs more than a percent or leaves the parts
/// uneven: a process then has fewer neighbours. So where all parts look alike the result is a grid;
/// where they do not, they are cut differently, which no grid does, and heavy rows are divided,
/// which layers cannot be.
///
/// The result does not depend on the order of the nonzeros or the number of threads. Takes 13 bytes
/// a nonzero and mode (25 with 64-bit subscripts) besides `slices`, and log2(processes) passes.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition bisect(const HostExec& exec, const TensorSlices<Ordinal>& slices,
                               std::size_t processes);

}  // namespace genten
