// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What memory a rank takes.

#include <genten/cp/memory.hpp>
#include <genten/dist/exchange_count.hpp>

#include <limits>

namespace genten {

/// Bytes of a rank by part: its nonzeros, what CP-ALS takes beside them for the rows that it
/// touches, and the rows that it sends and receives at once.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<MemoryPart> rank_memory(const ExchangeCount& count, std::size_t rank,
                                                  const CpAlsOptions& options,
                                                  const MachineProperties& machine) {
  MttkrpProblem problem;
  problem.nnz = static_cast<offset_t>(count.nonzeros[rank]);
  problem.rank = options.rank;
  problem.scalar_bytes = sizeof(Scalar);
  problem.ordinal_bytes = sizeof(Ordinal);
  problem.update_order = natural_mode_order(count.modes.size());
  problem.relabeled = true;
  std::uint64_t moved = 0;
  for (const ModeExchange& mode : count.modes) {
    const RankRows& rows = mode.ranks[rank];
    // A rank without nonzeros computes nothing, but no mode is without a row.
    problem.dimensions.push_back(
        static_cast<std::size_t>(std::max<std::uint64_t>(rows.touched, 1)));
    // Either way as much goes as may come the other; devices have two places for what comes.
    moved = std::max(moved, (is_host_space<Exec> ? 2 : 3) * std::max(rows.sent, rows.received));
  }
  const double unlimited = std::numeric_limits<double>::infinity();
  const CpAlsForecast run =
      forecast_cp_als<Scalar, Exec>(problem, problem.dimensions, options, machine, unlimited);
  return {
      {"nonzeros", problem.subscript_bytes() + static_cast<double>(problem.nnz) * sizeof(Scalar)},
      {"CP-ALS", run.memory.peak()},
      {"rows on their way", static_cast<double>(moved) * problem.row_bytes()}};
}

/// The bytes of the rank that takes most.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double most_rank_memory(const ExchangeCount& count, const CpAlsOptions& options,
                                      const MachineProperties& machine) {
  double most = 0.0;
  for (std::size_t r = 0; r < count.ranks(); ++r) {
    most =
        std::max(most, total_bytes(rank_memory<Scalar, Ordinal, Exec>(count, r, options, machine)));
  }
  return most;
}

}  // namespace genten
