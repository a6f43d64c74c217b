// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What makes a process's part of its nonzeros: own numbers of rows, and what all processes know.

#include <genten/dist/distribute.hpp>

#include <vector>

namespace genten {

/// Replaces the rows of a process's nonzeros by its own numbers of them, and sets all in `result`
/// that is about rows. Returns how many rows each mode has here. `numbered` may be `old` itself.
/// All processes call it.
template <SubscriptOrdinal Ordinal, class Scalar>
[[nodiscard]] std::vector<std::size_t> number_rows(
    Communicator& processes, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    const Kokkos::View<const Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>& old,
    const Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace>& numbered,
    DistributedTensor<Scalar, Ordinal>& result);

/// Sets what all processes know of the whole tensor, from the fingerprint of each process's
/// nonzeros, by the rows of the whole tensor, and from how many duplicates it has added up.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void share_facts_of_parts(Communicator& processes, const std::vector<std::size_t>& dimensions,
                          const detail::TensorFingerprint& fingerprint, std::uint64_t duplicates,
                          DistributedTensor<Scalar, Ordinal>& result);

}  // namespace genten
