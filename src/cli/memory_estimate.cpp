// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "memory_estimate.hpp"

#include <genten/mttkrp/plan.hpp>

#include <limits>
#include <numeric>

namespace genten::cli {

MemoryEstimate estimate_memory(const TensorFacts& facts, std::size_t rank) {
  using Exec = Kokkos::DefaultExecutionSpace;
  const MachineProperties machine = MachineProperties::of(Exec());
  MttkrpProblem problem{facts.dimensions,      static_cast<offset_t>(facts.nnz), rank,
                        facts.scalar_bits / 8, facts.ordinal_bits / 8,           {}};
  problem.update_order.resize(facts.dimensions.size());
  std::iota(problem.update_order.begin(), problem.update_order.end(), 0);

  MemoryEstimate estimate;
  estimate.tensor =
      static_cast<double>(facts.nnz) *
      static_cast<double>(facts.dimensions.size() * problem.ordinal_bytes + problem.scalar_bytes);
  // The model, and one copy of it: the last one that was finite, or the best of several starts.
  for (const std::size_t rows : facts.dimensions) {
    estimate.model += 2.0 * static_cast<double>(rows) * problem.row_bytes();
  }
  double lowest = std::numeric_limits<double>::infinity();
  std::size_t chosen = 0;
  KernelList::for_each([&]<class Kernel>() {
    if constexpr (Kernel::template supports<Exec>) {
      const double cost = Kernel::cost(problem, machine);
      if (cost < lowest) chosen = estimate.kernels.size();
      lowest = std::min(lowest, cost);
      estimate.kernels.push_back({std::string(Kernel::name), Kernel::memory(problem), false});
    }
  });
  estimate.kernels[chosen].automatic = true;
  return estimate;
}

}  // namespace genten::cli
