// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "memory_estimate.hpp"

#include "tools/kokkos/session.hpp"

#include <genten/mttkrp/choose_kernel.hpp>

namespace genten::cli {
namespace {

template <ExecutionSpace Exec>
MemoryEstimate estimate_on(const MttkrpProblem& problem, const std::vector<std::size_t>& dimensions,
                           double memory_limit) {
  MemoryEstimate estimate;
  estimate.tensor = problem.subscript_bytes() +
                    static_cast<double>(problem.nnz) * static_cast<double>(problem.scalar_bytes);
  // The model, and its factors once more: what it is finished from, or the best start's.
  for (const std::size_t rows : dimensions) {
    estimate.model += 2.0 * static_cast<double>(rows) * problem.row_bytes();
  }
  MttkrpOptions options;
  options.memory_limit = memory_limit;
  double allowed = allowed_memory<Exec>(options);
  // On a device `decompose` has the tensor there when it asks.
  if (!is_host_space<Exec> && memory_limit == 0.0) allowed -= 0.5 * estimate.tensor;
  estimate.kernels = choose_kernel<Exec>(problem, MachineProperties::of(Exec()), allowed);
  return estimate;
}

}  // namespace

MemoryEstimate estimate_memory(const MttkrpProblem& problem,
                               const std::vector<std::size_t>& dimensions, double memory_limit) {
  return tools::KokkosSession::has_device()
             ? estimate_on<Kokkos::DefaultExecutionSpace>(problem, dimensions, memory_limit)
             : estimate_on<HostExec>(problem, dimensions, memory_limit);
}

}  // namespace genten::cli
