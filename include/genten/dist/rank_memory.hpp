// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What memory a rank takes.

#include <genten/cp/memory.hpp>
#include <genten/cp/options.hpp>
#include <genten/dist/distribute.hpp>
#include <genten/dist/exchange_count.hpp>
#include <genten/dist/model_parts.hpp>

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
  const CpAlsForecast run = forecast_cp_als<Scalar, Exec>(problem, problem.dimensions, options,
                                                          machine, unlimited, false, true);
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

/// Bytes of the whole model where `Exec` computes.
template <RealScalar Scalar>
[[nodiscard]] double whole_model_bytes(const std::vector<std::size_t>& dimensions,
                                       std::size_t rank) {
  double rows = 0.0;
  for (const std::size_t dimension : dimensions) rows += static_cast<double>(dimension);
  return rows * static_cast<double>(padded_stride(rank, sizeof(Scalar)) * sizeof(Scalar));
}

/// The bytes of memory of its host that this rank may take: what the options say, where it computes
/// there, or its part of what is free.
template <ExecutionSpace Exec>
[[nodiscard]] double host_memory_of_rank(const Communicator& ranks, const CpAlsOptions& options) {
  if (is_host_space<Exec> && options.memory_available > 0.0) return options.memory_available;
  const double all =
      is_host_space<Exec> ? available_to<Exec>(options) : available_memory<HostExec>();
  return all / static_cast<double>(ranks.node().size);
}

/// Throws Error of kind memory, on all ranks, where rank 0 has no room for the whole model: on its
/// host, beside its own rows if they are there, and unless `on_host_alone` where it computes. All
/// ranks call it, before a run, and all have looked before one takes any.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
void require_memory_to_gather(Communicator& ranks, const DistributedTensor<Scalar, Ordinal>& tensor,
                              std::size_t rank, const CpAlsOptions& options,
                              bool on_host_alone = false) {
  const double on_host = host_memory_of_rank<Exec>(ranks, options);
  together(ranks, [&] {
    if (ranks.rank() != 0) return;
    double rows = 0.0;
    for (const auto& mode : tensor.shared) rows += static_cast<double>(mode.rows.size());
    const double row = static_cast<double>(padded_stride(rank, sizeof(Scalar)) * sizeof(Scalar));
    const double whole = whole_model_bytes<Scalar>(tensor.part.dimensions, rank);
    MemoryRequest request{
        .what = "the model of rank " + std::to_string(rank) + ", on rank 0,",
        .parts = {{"model", whole},
                  {"rows on their way", std::min(whole, static_cast<double>(usual_model_round))}},
        .available = on_host,
        .allowed = is_host_space<Exec> && options.memory_available > 0.0};
    if constexpr (is_host_space<Exec>) request.parts.push_back({"factors", rows * row});
    require_memory(request);
    if constexpr (!is_host_space<Exec>) {
      if (on_host_alone) return;
      request.parts = {{"model", whole}};
      request.available = available_to<Exec>(options);
      request.allowed = options.memory_available > 0.0;
      request.device = true;
      require_memory(request);
    }
  });
}

}  // namespace genten
