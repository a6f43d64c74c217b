// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What runs of cp_als for several ranks take, before they are begun.

#include <genten/cp/memory.hpp>
#include <genten/format/relabeling.hpp>
#include <genten/mttkrp/plan.hpp>
#include <genten/run/rank_choice.hpp>
#include <genten/run/request.hpp>

#include <algorithm>

namespace genten::detail {

/// What runs of cp_als take beside a tensor.
template <RealScalar Scalar, ExecutionSpace Exec>
class AlsMemory {
 public:
  /// For so many components. Counts the rows with nonzeros and the distinct values.
  AlsMemory(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor, std::size_t rank,
            const CpAlsOptions& options)
      : m_dimensions(tensor.dimensions()),
        m_options(options),
        m_machine(machine_of(exec, options.mttkrp)) {
    auto relabeled = Relabeling<RowNumber, Exec>(exec, tensor).apply(exec, tensor);
    m_problem = mttkrp_problem(exec, relabeled, rank);
  }

  /// Bytes of a run of so many starts where so many are free. Throws what cp_als throws for a
  /// kernel that is named and does not fit.
  [[nodiscard]] double peak(std::size_t starts, bool from_guess, double free) const {
    CpAlsOptions options = m_options;
    options.starts = starts;
    return forecast_cp_als<Scalar, Exec>(m_problem, m_dimensions, options, m_machine,
                                         std::max(free, 0.0), from_guess)
        .memory.peak();
  }

 private:
  std::vector<std::size_t> m_dimensions;
  CpAlsOptions m_options;
  MachineProperties m_machine;
  MttkrpProblem m_problem;
};

/// Throws Error of kind memory where the models that the search holds at once do not fit: the
/// best one of each rank, and of the largest rank those of all starts; or what runs of that rank
/// take beside models, of cp_als. Other solvers tell when they run. `goes_on`: whether the last
/// start of a rank goes on from the rank before.
template <RealScalar Scalar, ExecutionSpace Exec>
void require_rank_models(const Exec& exec, const Sptensor<Scalar, RowNumber, Exec>& tensor,
                         const CpRequest& request, const RankChoiceOptions& options, bool goes_on) {
  double numbers = 1.0;  // of a component
  for (const std::size_t length : tensor.dimensions()) numbers += static_cast<double>(length);
  const double bytes = numbers * sizeof(Scalar);
  double kept = 0.0;
  for (const std::size_t rank : options.ranks) kept += bytes * static_cast<double>(rank);
  const std::size_t most = options.ranks.back();
  const auto rows = static_cast<double>(most * options.starts);
  const double limit = request.common().memory_available;
  const auto require = [&](const std::vector<MemoryPart>& parts, const char* for_what,
                           double available, bool device) {
    require_memory(
        {.what = "a choice among " + std::to_string(options.ranks.size()) + " ranks" + for_what,
         .parts = parts,
         .available = available,
         .allowed = limit > 0.0,
         .device = device,
         .remedy = "fewer ranks or starts take less, and " + smaller_modes()});
  };
  const MemoryPart ranks{"the best of each rank", kept};
  std::vector<MemoryPart> parts = {
      {std::to_string(options.starts) + " starts of rank " + std::to_string(most), bytes * rows}};
  if constexpr (is_host_space<Exec>) {
    parts.insert(parts.begin(), ranks);
  } else {
    require({ranks}, ", for its models alone,", limit > 0.0 ? limit : available_memory<HostExec>(),
            false);
  }
  constexpr bool device = !is_host_space<Exec>;
  const double free = limit > 0.0 ? limit : available_memory<Exec>();
  require(parts, ", for its models alone,", free, device);
  if (request.solver() != Solver::als) return;
  const double available = available_to<Exec>(request.als);
  const AlsMemory<Scalar, Exec> memory(exec, tensor, most, request.als);
  const auto require_run = [&](std::size_t models, std::size_t starts, bool from_guess) {
    parts.clear();
    if constexpr (!device)
      parts.push_back({"the best of each rank before", kept - bytes * static_cast<double>(most)});
    parts.push_back({std::to_string(models) + " models of rank " + std::to_string(most),
                     bytes * static_cast<double>(models * most)});
    parts.push_back({"a run of rank " + std::to_string(most),
                     memory.peak(starts, from_guess, available - total_bytes(parts))});
    require(parts, "", available, device);
  };
  const std::size_t random = options.starts - (goes_on ? 1 : 0);
  require_run(random, random, false);
  // The last start has a guess, beside the best of those before it.
  if (goes_on) require_run(options.starts + 2, 1, true);
}

}  // namespace genten::detail
