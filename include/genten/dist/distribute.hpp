// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// From nonzeros that lie on any process to the part of each.

#include <genten/core/duplicates.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/exchange.hpp>
#include <genten/dist/partition.hpp>
#include <genten/dist/shared_rows.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

namespace genten {

/// Parameters of distribute.
struct DistributeOptions {
  /// Layers by mode, whose product is the number of processes; none: by bisection.
  Grid grid = {};
  /// What becomes of duplicates; those that are refused are merged too, and counted.
  Duplicates duplicates = Duplicates::sum;
  /// The most nonzeros that process 0 looks at to divide the tensor. If there are more, it is a
  /// sample of them, about so many, that depends on their subscripts alone.
  std::size_t most_sampled = std::size_t{1} << 24;
};

/// What a process has of a tensor, where the host can read it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct DistributedTensor {
  TensorPart<Scalar, Ordinal, HostExec> part;
  std::vector<SharedRows<Ordinal>> shared;  ///< by mode
  Partition partition{0};                   ///< the same on all processes
  std::uint64_t nnz = 0;                    ///< of all processes
  std::uint64_t most_nnz = 0;               ///< of the process that has most
  std::uint64_t summed = 0;                 ///< duplicates of all processes that were merged
};

/// The least and the largest value of all processes; none of a tensor without nonzeros. All
/// processes call it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] std::optional<ValueRange> value_range(
    Communicator& processes, const DistributedTensor<Scalar, Ordinal>& tensor) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const auto own = value_range(HostExec(), tensor.part.tensor);
  ValueRange all{none, -none};
  for (const ValueRange& each : all_gather(processes, own.value_or(all))) {
    all = {std::min(all.lowest, each.lowest), std::max(all.highest, each.highest)};
  }
  return all.lowest > all.highest ? std::nullopt : std::optional(all);
}

/// Nonzeros of a process, in any order and perhaps with duplicates.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct RawNonzeros {
  std::vector<Ordinal> subscripts;  ///< one a mode, nonzero by nonzero, within the dimensions
  std::vector<Scalar> values;       ///< finite
};

/// The same in arrays of Kokkos, as readers of files make them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct NonzeroArrays {
  Kokkos::View<Ordinal**, Kokkos::LayoutRight, Kokkos::HostSpace> subscripts;
  Kokkos::View<Scalar*, Kokkos::HostSpace> values;
};

/// Divides a tensor of `dimensions` among the processes, which each bring some of its nonzeros, and
/// gives each process its part, duplicates merged. Where a nonzero lies before says nothing of
/// where it goes: that is a function of its subscripts, of the tensor and of the options, so that
/// the parts are the same from any number of readers, but for the order of duplicates: those that
/// process 0 brings come first, each process's in their order. All processes call it. Takes memory
/// for the nonzeros that a process brings, those that it gets, and on process 0 for the sample (see
/// `bisect`). Throws Error for a grid that is not one of these processes and where the sum of
/// duplicates is not finite, of kind memory where there is not enough.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] DistributedTensor<Scalar, Ordinal> distribute(
    Communicator& processes, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    RawNonzeros<Scalar, Ordinal> nonzeros, const DistributeOptions& options = {});
/// The same. Arrays that nobody else holds are given back when they have been sent.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] DistributedTensor<Scalar, Ordinal> distribute(
    Communicator& processes, const HostExec& exec, const std::vector<std::size_t>& dimensions,
    NonzeroArrays<Scalar, Ordinal> nonzeros, const DistributeOptions& options = {});

}  // namespace genten
