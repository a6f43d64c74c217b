// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/base/detail/eti.hpp>
#include <genten/base/detail/memory_peak.hpp>
#include <genten/cp/detail/constrained_update.hpp>
#include <genten/cp/memory.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/choose_kernel.hpp>

#include <algorithm>

namespace genten {

namespace detail {

/// Bytes of the copy of the factors that an accelerated start keeps.
template <ExecutionSpace Exec>
[[nodiscard]] double momentum_memory(const MttkrpProblem& problem, const CpAlsOptions& options) {
  double bytes = 0.0;
  for (std::size_t n = 0; n < problem.dimensions.size(); ++n) {
    if (!has_momentum(options, n)) continue;
    bytes += array_bytes(static_cast<double>(problem.dimensions[n]) * problem.row_bytes(),
                         !is_host_space<Exec>);
  }
  return bytes;
}

}  // namespace detail

template <RealScalar Scalar, ExecutionSpace Exec>
CpAlsMemory cp_als_memory(const MttkrpProblem& problem, const std::vector<std::size_t>& dimensions,
                          const KernelMemory& kernel, std::size_t starts, bool from_guess,
                          const std::vector<RowConstraint>& constraints,
                          bool of_several_processes) {
  const auto array = [](double bytes) { return detail::array_bytes(bytes, !is_host_space<Exec>); };
  const auto matrix = [&](std::size_t rows) {
    return array(static_cast<double>(rows) * problem.row_bytes());
  };
  const auto numbers = [&](std::size_t rows) {
    return array(static_cast<double>(rows) * static_cast<double>(problem.ordinal_bytes));
  };
  CpAlsMemory memory;
  memory.kernel = kernel;
  double factors = 0.0;
  // Of the caller's factors a process may write finished copies, as large as they are.
  const bool writes_model = !of_several_processes || from_guess;
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    const auto& of_process = of_several_processes ? problem.dimensions : dimensions;
    memory.row_numbers += numbers(kept_row_numbers(of_process[n], problem.nnz));
    memory.used_rows += array(sizeof(std::uint64_t) * static_cast<double>(problem.dimensions[n]));
    if (writes_model) memory.model += matrix(dimensions[n]);
    factors += matrix(problem.dimensions[n]);
  }
  // A factor goes when its rows stand in the model.
  detail::MemoryPeak finish;
  finish.take(factors);
  for (std::size_t n = 0; writes_model && n < dimensions.size(); ++n) {
    finish.take(matrix(dimensions[n]));
    finish.give(matrix(problem.dimensions[n]));
  }
  memory.factors_left = finish.peak() - memory.model;
  // The best start so far waits beside the one that iterates.
  const double live = starts > 1 ? 2.0 : 1.0;
  memory.factors = live * factors;
  const bool compares_models = starts > 1 && std::is_same_v<Scalar, float> && !of_several_processes;
  if (compares_models) memory.start_model = memory.model;
  using Constrained = detail::ConstrainedUpdate<Scalar, Exec>;
  if (any_constraint(constraints)) {
    memory.matrices = live * Constrained::memory(constraints, problem.rank, problem.longest());
    if (Constrained::descends(constraints)) memory.products = live * matrix(problem.longest());
  } else {
    memory.matrices = live * detail::LeastSquaresUpdate<Scalar, Exec>::memory(
                                 problem.order(), problem.rank, problem.longest());
  }
  if (from_guess && allow_scaling(constraints)) memory.guess = matrix(dimensions.back());
  if (from_guess && !allow_scaling(constraints)) memory.guess = memory.model;
  return memory;
}

template <RealScalar Scalar, ExecutionSpace Exec>
CpAlsForecast forecast_cp_als(const MttkrpProblem& problem,
                              const std::vector<std::size_t>& dimensions,
                              const CpAlsOptions& options, const MachineProperties& machine,
                              double available, bool from_guess, bool of_several_processes) {
  const auto constraints = row_constraints(options, dimensions.size());
  const auto with = [&](const KernelMemory& kernel) {
    auto memory = cp_als_memory<Scalar, Exec>(problem, dimensions, kernel, options.starts,
                                              from_guess, constraints, of_several_processes);
    memory.momentum = detail::momentum_memory<Exec>(problem, options);
    return memory;
  };
  CpAlsForecast forecast;
  forecast.available = available;
  double allowed = allowed_memory(options.mttkrp, available);
  if (options.mttkrp.kernel == "auto" && options.mttkrp.memory_limit == 0.0) {
    const double rest = available - total_bytes(with({}).iterating());
    allowed = std::clamp(rest, 0.0, allowed);
  }
  forecast.kernels = choose_kernel<Exec>(problem, machine, allowed, options.mttkrp.kernel);
  const KernelCandidate& chosen = *forecast.kernels.find(forecast.kernels.name);
  forecast.memory = with({chosen.memory, chosen.kept});
  return forecast;
}

template <RealScalar Scalar, ExecutionSpace Exec>
std::size_t rank_that_fits(const MttkrpProblem& problem, const std::vector<std::size_t>& dimensions,
                           const CpAlsOptions& options, const MachineProperties& machine,
                           double available, bool from_guess, bool of_several_processes) {
  const auto fits = [&](std::size_t rank) {
    MttkrpProblem other = problem;
    other.rank = rank;
    try {
      return forecast_cp_als<Scalar, Exec>(other, dimensions, options, machine, available,
                                           from_guess, of_several_processes)
                 .memory.peak() <= available;
    } catch (const Error&) {
      return false;  // the kernel that is named
    }
  };
  std::size_t fitting = 0, above = problem.rank + 1;
  while (above - fitting > 1) {
    const std::size_t middle = fitting + (above - fitting) / 2;
    (fits(middle) ? fitting : above) = middle;
  }
  return fitting;
}

}  // namespace genten

#define GENTEN_ETI_CP_ALS_MEMORY(PREFIX, SCALAR, EXEC)                                            \
  PREFIX template genten::CpAlsMemory genten::cp_als_memory<SCALAR, EXEC>(                        \
      const genten::MttkrpProblem&, const std::vector<std::size_t>&, const genten::KernelMemory&, \
      std::size_t, bool, const std::vector<genten::RowConstraint>&, bool);                        \
  PREFIX template genten::CpAlsForecast genten::forecast_cp_als<SCALAR, EXEC>(                    \
      const genten::MttkrpProblem&, const std::vector<std::size_t>&, const genten::CpAlsOptions&, \
      const genten::MachineProperties&, double, bool, bool);                                      \
  PREFIX template std::size_t genten::rank_that_fits<SCALAR, EXEC>(                               \
      const genten::MttkrpProblem&, const std::vector<std::size_t>&, const genten::CpAlsOptions&, \
      const genten::MachineProperties&, double, bool, bool);

#ifdef GENTEN_ETI
GENTEN_ETI_SCALARS(GENTEN_ETI_CP_ALS_MEMORY, extern)
#endif
