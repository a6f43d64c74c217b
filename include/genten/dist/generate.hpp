// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Random sparse tensors that are made on the processes where they stay.

#include <genten/core/factor_kind.hpp>
#include <genten/core/recipes.hpp>
#include <genten/dist/distribute.hpp>

namespace genten {

/// The tensor of `generate_sparse` (core/generate.hpp) with this recipe and seed, the same nonzeros
/// and values, divided among the processes and never anywhere as a whole. All processes call it.
///
/// Every draw is a hash of its number, so each process looks at all of them, keeps those of its
/// part of a partition that all know, and sends nothing but numbers of entries. The partition is
/// found by process 0 from a sample of the entries, of which each process draws its share, by
/// `bisect` or as `options.grid` says.
///
/// Throws on all processes what `generate_sparse` throws, Error for a grid that is not one of these
/// processes, and Error of kind memory, before any work, where a process has not enough for its
/// part. Memory: on each process about 30 bytes a nonzero of its own part (order 3, 32-bit
/// subscripts, double), and on process 0, before, that of `bisect` for the sample. Time: each
/// process's threads look at all draws, at 10 ns of a thread for those that others keep, and 20
/// more a mode with an exponent.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] DistributedTensor<Scalar, Ordinal> generate_distributed(
    Communicator& processes, const HostExec& exec, const TensorRecipe& recipe, std::uint64_t seed,
    const DistributeOptions& options = {});

/// The same for the tensor of `generate_low_rank` without noise: values are those of a random model
/// of rank `rank`, of which each process makes the rows that its nonzeros have. For a while it has
/// the subscripts of its part twice.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] DistributedTensor<Scalar, Ordinal> generate_low_rank_distributed(
    Communicator& processes, const HostExec& exec, const TensorRecipe& recipe, std::size_t rank,
    std::uint64_t seed, FactorKind kind = FactorKind::uniform,
    const DistributeOptions& options = {});

}  // namespace genten
