// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What decomposing a tensor on several processes is predicted to take.

#include <genten/core/sptensor.hpp>
#include <genten/cp/options.hpp>
#include <genten/dist/iteration_model.hpp>
#include <genten/dist/tensor_slices.hpp>

#include <nlohmann/json_fwd.hpp>

#include <iosfwd>

namespace genten::cli {

/// A partition of the tensor, and what it comes to.
struct PartitionForecast {
  std::string grid;            ///< empty: by bisection
  double imbalance = 0.0;      ///< nonzeros of a process, max / mean
  std::uint64_t words = 0;     ///< rows that all processes send one way in an iteration
  std::uint64_t most = 0;      ///< the same of the process that has most in each mode
  std::uint64_t messages = 0;  ///< messages, of the process that has most in each mode
  double bytes = 0.0;          ///< of the process that takes most
  IterationTime iteration;
};

/// The same tensor on one process and on several: by bisection, and by the grid that is expected to
/// send the fewest rows.
struct ClusterForecast {
  std::size_t processes = 0;
  std::size_t rank = 0;
  double one_rank_seconds = 0.0;
  PartitionForecast bisected, grid;
  ClusterModel machine;
};

/// Counts both partitions.
template <SubscriptOrdinal Ordinal>
[[nodiscard]] ClusterForecast forecast_cluster(const TensorSlices<Ordinal>& slices,
                                               std::size_t processes, const CpAlsOptions& options,
                                               std::size_t scalar_bytes,
                                               const ClusterModel& machine);

void print_cluster(std::ostream& out, const ClusterForecast& forecast);
[[nodiscard]] nlohmann::ordered_json cluster_json(const ClusterForecast& forecast);

}  // namespace genten::cli
