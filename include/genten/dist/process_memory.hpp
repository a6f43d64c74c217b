// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What memory a process takes.

#include <genten/cp/memory.hpp>
#include <genten/cp/options.hpp>
#include <genten/dist/distribute.hpp>
#include <genten/dist/exchange_count.hpp>
#include <genten/dist/model_parts.hpp>

#include <algorithm>
#include <limits>

namespace genten {

/// Bytes of a process by part: its nonzeros, what CP-ALS takes beside them for the rows that it
/// touches, and the rows that it has to have room for as they come and go.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<MemoryPart> process_memory(const ExchangeCount& count,
                                                     std::size_t process,
                                                     const CpAlsOptions& options,
                                                     const MachineProperties& machine) {
  MttkrpProblem problem;
  problem.nnz = static_cast<offset_t>(count.nonzeros[process]);
  problem.rank = options.rank;
  problem.scalar_bytes = sizeof(Scalar);
  problem.update_order = natural_mode_order(count.modes.size());
  problem.relabeled = true;
  std::uint64_t moved = 0;
  for (const ModeExchange& mode : count.modes) {
    const ProcessRows& rows = mode.processes[process];
    // A process without nonzeros computes nothing, but no mode is without a row.
    problem.dimensions.push_back(
        static_cast<std::size_t>(std::max<std::uint64_t>(rows.touched, 1)));
    // Foreign rows stay where they are, and lent ones have two places that take turns on devices.
    moved = std::max(moved, (is_host_space<Exec> ? 1 : 2) * rows.received);
  }
  const double unlimited = std::numeric_limits<double>::infinity();
  const CpAlsForecast run = forecast_cp_als<Scalar, Exec>(problem, problem.dimensions, options,
                                                          machine, unlimited, false, true);
  // Subscripts of 64 bits stay beside the row numbers that the solver has.
  const double wide = std::is_same_v<Ordinal, RowNumber>
                          ? 0.0
                          : problem.subscript_bytes() * sizeof(Ordinal) / sizeof(RowNumber);
  return {{"nonzeros",
           problem.subscript_bytes() + wide + static_cast<double>(problem.nnz) * sizeof(Scalar)},
          {"CP-ALS", run.memory.peak()},
          {"rows on their way", static_cast<double>(moved) * problem.row_bytes()}};
}

/// The bytes of the process that takes most.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double most_process_memory(const ExchangeCount& count, const CpAlsOptions& options,
                                         const MachineProperties& machine) {
  double most = 0.0;
  for (std::size_t r = 0; r < count.processes(); ++r) {
    most = std::max(most,
                    total_bytes(process_memory<Scalar, Ordinal, Exec>(count, r, options, machine)));
  }
  return most;
}

/// Bytes of the whole model, with the padding of its rows.
[[nodiscard]] inline double whole_model_bytes(const std::vector<std::size_t>& dimensions,
                                              std::size_t rank, std::size_t scalar_bytes) {
  double rows = 0.0;
  for (const std::size_t dimension : dimensions) rows += static_cast<double>(dimension);
  return rows * static_cast<double>(padded_stride(rank, scalar_bytes) * scalar_bytes);
}
/// The same, of numbers of type Scalar.
template <RealScalar Scalar>
[[nodiscard]] double whole_model_bytes(const std::vector<std::size_t>& dimensions,
                                       std::size_t rank) {
  return whole_model_bytes(dimensions, rank, sizeof(Scalar));
}

/// Bytes of the factors that this process iterates with.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] double process_factor_bytes(const DistributedTensor<Scalar, Ordinal>& tensor,
                                          std::size_t rank) {
  std::vector<std::size_t> rows;
  for (const auto& mode : tensor.shared) rows.push_back(mode.rows.size());
  return whole_model_bytes<Scalar>(rows, rank);
}

/// Bytes of the numbers of this process's rows: those of its part of a model, and what RowDelivery
/// sorts of a mode, which may be nearly all of them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] double row_number_bytes(const DistributedTensor<Scalar, Ordinal>& tensor) {
  double rows = 0.0;
  for (const auto& mode : tensor.shared) rows += static_cast<double>(mode.own);
  return rows * 3.0 * sizeof(std::size_t);
}

/// Whether the processes of a machine divide what its host has left, for nobody has said what each
/// of them may take.
template <ExecutionSpace Exec>
[[nodiscard]] bool processes_divide_host(const Communicator& processes,
                                         const CpAlsOptions& options) {
  return processes.node().size > 1 && !(is_host_space<Exec> && options.memory_available > 0.0);
}

/// The bytes of memory of its host that this process may take: what the options say, where it
/// computes there, or its part of what is free.
template <ExecutionSpace Exec>
[[nodiscard]] double host_memory_of_process(const Communicator& processes,
                                            const CpAlsOptions& options) {
  const double all =
      is_host_space<Exec> ? available_to<Exec>(options) : available_memory<HostExec>();
  const auto sharing = static_cast<double>(processes.node().size);
  return processes_divide_host<Exec>(processes, options) ? all / sharing : all;
}

/// What a refusal says of that besides; empty where there is nothing to say.
template <ExecutionSpace Exec>
[[nodiscard]] std::string host_memory_note(const Communicator& processes,
                                           const CpAlsOptions& options) {
  if (!processes_divide_host<Exec>(processes, options)) return "";
  return "each of the " + std::to_string(processes.node().size) +
         " processes of the machine may take as much";
}

/// What has process 0 put the whole model together.
enum class WholeModel {
  on_host,     ///< for the caller, on its host alone
  on_device,   ///< for the caller, on its host and from there where it computes
  checkpoints  ///< to be saved during the run, where it computes, with the run's state on its host
};

namespace detail {

/// All factors that this process has while it iterates.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] std::vector<MemoryPart> factors_of_starts(
    const DistributedTensor<Scalar, Ordinal>& tensor, std::size_t rank,
    const CpAlsOptions& options) {
  const double factors = process_factor_bytes(tensor, rank);
  std::vector<std::size_t> moved;
  for (std::size_t n = 0; n < tensor.shared.size(); ++n) {
    if (has_momentum(options, n)) moved.push_back(tensor.shared[n].rows.size());
  }
  return {{"factors", factors},
          {"factors before", whole_model_bytes<Scalar>(moved, rank)},
          {"factors of the best start", options.starts > 1 ? factors : 0.0}};
}

/// Bytes of the state in a checkpoint, on process 0, at most and but for what does not grow with
/// the tensor: the elements of all rows with nonzeros, those from before the last sweep, and the
/// best start's, where the checkpoint's model is another one. Modes that are fixed have all their
/// rows.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] double checkpoint_state_bytes(const DistributedTensor<Scalar, Ordinal>& tensor,
                                            std::size_t rank, const CpAlsOptions& options) {
  double rows = 0.0;
  for (std::size_t n = 0; n < tensor.part.dimensions.size(); ++n) {
    const auto all = static_cast<double>(tensor.part.dimensions[n]);
    const auto used = static_cast<double>(tensor.part.gathered_rows[n].extent(0));
    rows += is_fixed(options, n) ? all : used;
    if (has_momentum(options, n)) rows += used;
    if (options.starts > 1) rows += all;
  }
  return rows * static_cast<double>(rank * sizeof(Scalar));
}

/// Bytes of the rows of a mode that process 0 gathers, of the mode that has most: they are there
/// beside the factor that is made of them.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] double most_gathered_bytes(const DistributedTensor<Scalar, Ordinal>& tensor,
                                         std::size_t rank) {
  std::size_t most = 0;
  for (const auto& rows : tensor.part.gathered_rows) most = std::max(most, rows.extent(0));
  return whole_model_bytes<Scalar>({most}, rank);
}

/// What the host of process 0 takes for the whole model.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] std::vector<MemoryPart> host_parts_of_model(
    const DistributedTensor<Scalar, Ordinal>& tensor, std::size_t rank, const CpAlsOptions& options,
    WholeModel use) {
  const double whole = whole_model_bytes<Scalar>(tensor.part.dimensions, rank);
  std::vector<MemoryPart> parts;
  if (use == WholeModel::checkpoints) {
    // The elements of the state and then the same as bytes, or before that what a model is made of,
    // where that is here. The best start's model is gone before the checkpoint's own is made.
    const double state = checkpoint_state_bytes(tensor, rank, options);
    double before = 0.0;
    if (is_host_space<Exec>) {
      parts = factors_of_starts(tensor, rank, options);
      before = most_gathered_bytes(tensor, rank);
    }
    parts.push_back({"state of the run", state + std::max(state, before)});
  } else {
    if (is_host_space<Exec>) parts.push_back({"factors", process_factor_bytes(tensor, rank)});
    parts.push_back({"rows on their way", std::min(whole, static_cast<double>(usual_model_round))});
    parts.push_back({"numbers of rows", row_number_bytes(tensor)});
  }
  parts.insert(parts.begin(), {"model", whole});
  return parts;
}

}  // namespace detail

/// Throws Error of kind memory, on all processes, where process 0 has no room for the whole model:
/// on its host, beside its own rows if they are there, and unless it is for the host alone where it
/// computes. All processes call it, before a run, and all have looked before one takes any.
template <ExecutionSpace Exec, RealScalar Scalar, SubscriptOrdinal Ordinal>
void require_memory_to_gather(Communicator& processes,
                              const DistributedTensor<Scalar, Ordinal>& tensor, std::size_t rank,
                              const CpAlsOptions& options, WholeModel use = WholeModel::on_device) {
  const double on_host = host_memory_of_process<Exec>(processes, options);
  together(processes, [&] {
    if (processes.process() != 0) return;
    const bool saved = use == WholeModel::checkpoints;
    MemoryRequest request{.what = (saved ? "a checkpoint of rank " : "the model of rank ") +
                                  std::to_string(rank) + ", on process 0,",
                          .parts = detail::host_parts_of_model<Exec>(tensor, rank, options, use),
                          .available = on_host,
                          .allowed = is_host_space<Exec> && options.memory_available > 0.0,
                          .remedy = host_memory_note<Exec>(processes, options)};
    require_memory(request);
    if constexpr (!is_host_space<Exec>) {
      if (use == WholeModel::on_host) return;
      const double whole = whole_model_bytes<Scalar>(tensor.part.dimensions, rank);
      request.parts.clear();
      if (saved) {
        request.parts = detail::factors_of_starts(tensor, rank, options);
        request.parts.push_back({"rows on their way", detail::most_gathered_bytes(tensor, rank)});
      }
      request.parts.insert(request.parts.begin(), {"model", whole});
      request.available = available_to<Exec>(options);
      request.allowed = options.memory_available > 0.0;
      request.device = true;
      request.remedy.clear();
      require_memory(request);
    }
  });
}

}  // namespace genten
