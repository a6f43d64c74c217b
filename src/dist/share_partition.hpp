// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// One partition for all ranks, from the nonzeros that each of them brings.

#include <genten/dist/distribute.hpp>

#include <span>

namespace genten {

/// Throws Error unless a grid, if there is one, is one of so many modes and ranks.
void require_grid(const Grid& grid, std::size_t order, std::size_t ranks);

/// The partition that rank 0 finds from its `sample` of the nonzeros, of which it knows `facts`;
/// what the others bring is not looked at. All ranks call it, and throw what rank 0 does.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition divide_sample(
    Communicator& ranks, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    const Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>& sample,
    SptensorFacts facts, const Grid& grid);

/// The partition that rank 0 finds from the subscripts that all ranks have, nonzero by nonzero, or
/// from a sample of them. All ranks call it, and throw what rank 0 does.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition share_partition(Communicator& ranks, const HostExec& exec,
                                        const std::vector<std::size_t>& dimensions,
                                        std::span<const Ordinal> subscripts,
                                        const DistributeOptions& options);

}  // namespace genten
