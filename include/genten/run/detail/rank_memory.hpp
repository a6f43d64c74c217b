// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a run of cp_als takes, before it is begun.

#include <genten/core/row_numbers.hpp>
#include <genten/cp/memory.hpp>
#include <genten/format/relabeling.hpp>

#include <algorithm>

namespace genten::detail {

/// Bytes that cp_als takes beside a tensor for so many components and starts, where so many are
/// free. Counts the rows with nonzeros and the distinct values. Throws what cp_als throws for
/// modes that are too long and for a kernel that is named and does not fit.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] double als_memory(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& given,
                                std::size_t rank, std::size_t starts, CpAlsOptions options,
                                double free) {
  options.starts = starts;
  const auto tensor = with_row_numbers(exec, given, "cp_als");
  const auto& dimensions = tensor.dimensions();
  MttkrpProblem problem;
  problem.dimensions =
      tensor.nnz() == 0 ? dimensions : Relabeling<RowNumber, Exec>(exec, tensor).dimensions();
  problem.nnz = tensor.nnz();
  problem.rank = rank;
  problem.scalar_bytes = sizeof(Scalar);
  problem.ordinal_bytes = sizeof(RowNumber);
  problem.update_order = natural_mode_order(dimensions.size());
  problem.relabeled = true;
  const auto values = ValueDictionary<Scalar, Exec>::of(exec, tensor.values());
  if (values) problem.distinct_values = values->values().extent(0);
  return forecast_cp_als<Scalar, Exec>(problem, dimensions, options,
                                       machine_of(exec, options.mttkrp), std::max(free, 0.0))
      .memory.peak();
}

}  // namespace genten::detail
