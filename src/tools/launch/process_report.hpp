// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What is said of processes in reports and summaries.

#include <genten/dist/cp_als.hpp>
#include <genten/mpi/module.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace genten::tools {

/// How a tensor lies on the processes, as it stands under `processes` in the report: their number,
/// the MPI library, what divided it, nonzeros, and rows that a sweep moves.
[[nodiscard]] nlohmann::ordered_json describe_processes(MpiModule& module, const std::string& grid,
                                                        std::uint64_t nnz, std::uint64_t most_nnz,
                                                        const std::vector<double>& rows);
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] nlohmann::ordered_json processes_json(
    MpiModule& module, const std::string& grid, const DistributedTensor<Scalar, Ordinal>& tensor) {
  std::vector<double> rows;
  for (const auto& mode : tensor.shared) rows.push_back(static_cast<double>(mode.foreign()));
  combine(module.processes(), rows, {});
  return describe_processes(module, grid, tensor.nnz, tensor.most_nnz, rows);
}
/// "4 of Open MPI v4.1.4, nonzeros divided by bisection, the most 1.020 times the mean"
[[nodiscard]] std::string processes_text(const nlohmann::ordered_json& processes);

/// What was sent, added to `processes`: by mode, rows, words and messages of folds and expands.
void add_account(nlohmann::ordered_json& processes, const ExchangeAccount& account,
                 std::size_t columns);

}  // namespace genten::tools
