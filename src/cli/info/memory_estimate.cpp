// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "memory_estimate.hpp"

#include "tools/kokkos/session.hpp"

namespace genten::cli {
namespace {

template <RealScalar Scalar, ExecutionSpace Exec>
MemoryEstimate estimate_on(const MttkrpProblem& problem, const std::vector<std::size_t>& dimensions,
                           const CpAlsOptions& options) {
  MemoryEstimate estimate;
  estimate.tensor = problem.subscript_bytes() +
                    static_cast<double>(problem.nnz) * static_cast<double>(problem.scalar_bytes);
  double available = available_to<Exec>(options);
  // On a device `decompose` has the tensor there when it asks.
  if (!is_host_space<Exec> && options.memory_available == 0.0) available -= estimate.tensor;
  const MachineProperties machine = MachineProperties::of(Exec());
  estimate.run = forecast_cp_als<Scalar, Exec>(problem, dimensions, options, machine, available);
  estimate.rank_that_fits =
      rank_that_fits<Scalar, Exec>(problem, dimensions, options, machine, available);
  for (const KernelCandidate& kernel : estimate.run.kernels.candidates) {
    estimate.peaks.push_back(
        cp_als_memory<Scalar, Exec>(problem, dimensions, {kernel.memory, kernel.kept}).peak());
  }
  return estimate;
}

}  // namespace

MemoryEstimate estimate_memory(const MttkrpProblem& problem,
                               const std::vector<std::size_t>& dimensions,
                               const CpAlsOptions& options) {
  const auto on = [&]<class Exec>(Exec) {
    return problem.scalar_bytes == sizeof(float)
               ? estimate_on<float, Exec>(problem, dimensions, options)
               : estimate_on<double, Exec>(problem, dimensions, options);
  };
  return tools::KokkosSession::has_device() ? on(Kokkos::DefaultExecutionSpace()) : on(HostExec());
}

}  // namespace genten::cli
