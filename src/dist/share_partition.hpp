// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// One partition for all ranks, from the nonzeros that each of them brings.

#include <genten/dist/distribute.hpp>

#include <span>

namespace genten {

/// The partition that rank 0 finds from the subscripts that all ranks have, nonzero by nonzero, or
/// from a sample of them. All ranks call it, and throw what rank 0 does.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] Partition share_partition(Communicator& ranks, const HostExec& exec,
                                        const std::vector<std::size_t>& dimensions,
                                        std::span<const Ordinal> subscripts,
                                        const DistributeOptions& options);

}  // namespace genten
