// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How much memory a decomposition would take.

#include "slice_statistics.hpp"

#include <genten/cp/memory.hpp>
#include <genten/format/value_dictionary.hpp>

#include <vector>

namespace genten::cli {

/// Bytes.
struct MemoryEstimate {
  double tensor = 0.0;
  CpAlsForecast run;               ///< what `decompose` would take beside the tensor
  std::vector<double> peaks;       ///< the same with each kernel, in the order of the candidates
  std::size_t rank_that_fits = 0;  ///< the largest up to that of the problem
};

/// The problem that `decompose` hands to MTTKRP: only rows with nonzeros count.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
MttkrpProblem mttkrp_problem(const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                             const std::vector<SliceStatistics>& modes, std::size_t rank) {
  MttkrpProblem problem;
  for (const SliceStatistics& mode : modes) {
    problem.dimensions.push_back(tensor.nnz() == 0 ? mode.length : mode.used);
  }
  problem.nnz = tensor.nnz();
  problem.rank = rank;
  problem.scalar_bytes = sizeof(Scalar);
  problem.ordinal_bytes = sizeof(Ordinal);
  problem.update_order = natural_mode_order(modes.size());
  problem.relabeled = true;
  const auto dictionary = ValueDictionary<Scalar, HostExec>::of(HostExec(), tensor.values());
  if (dictionary) problem.distinct_values = dictionary->values().extent(0);
  return problem;
}

/// For decomposing a tensor of those dimensions with the default execution space, or on the host
/// where that is of a device and there is none.
MemoryEstimate estimate_memory(const MttkrpProblem& problem,
                               const std::vector<std::size_t>& dimensions,
                               const CpAlsOptions& options);

}  // namespace genten::cli
