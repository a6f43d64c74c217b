// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// One partition for all processes, from the nonzeros that each of them brings.

#include <genten/dist/distribute.hpp>

#include <span>

namespace genten {

/// Throws Error unless a grid, if there is one, is one of so many modes and processes.
void require_grid(const Grid& grid, std::size_t order, std::size_t processes);

/// The partition that process 0 finds from its `sample` of the nonzeros, of which it knows `facts`;
/// what the others bring is not looked at. All processes call it, and throw what process 0 does.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition divide_sample(
    Communicator& processes, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    const Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>& sample,
    SptensorFacts facts, const Grid& grid);

/// The partition that process 0 finds from the subscripts that all processes have, nonzero by
/// nonzero, or from a sample of them. All processes call it, and throw what process 0 does.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition share_partition(Communicator& processes, const HostExec& exec,
                                        const std::vector<std::size_t>& dimensions,
                                        std::span<const Ordinal> subscripts,
                                        const DistributeOptions& options);

}  // namespace genten
