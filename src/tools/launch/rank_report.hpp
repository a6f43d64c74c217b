// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What is said of ranks in reports and summaries.

#include <genten/dist/cp_als.hpp>
#include <genten/mpi/module.hpp>

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace genten::tools {

/// How a tensor lies on the ranks, as it stands under `ranks` in the report: their number, the MPI
/// library, what divided it, nonzeros, and rows that a sweep moves.
[[nodiscard]] nlohmann::ordered_json describe_ranks(RankModule& module, const std::string& grid,
                                                    std::uint64_t nnz, std::uint64_t most_nnz,
                                                    const std::vector<double>& rows);
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] nlohmann::ordered_json ranks_json(RankModule& module, const std::string& grid,
                                                const DistributedTensor<Scalar, Ordinal>& tensor) {
  std::vector<double> rows;
  for (const auto& mode : tensor.shared) rows.push_back(static_cast<double>(mode.foreign()));
  combine(module.ranks(), rows, {});
  return describe_ranks(module, grid, tensor.nnz, tensor.most_nnz, rows);
}
/// "4 of Open MPI v4.1.4, nonzeros divided by bisection, the most 1.020 times the mean"
[[nodiscard]] std::string ranks_text(const nlohmann::ordered_json& ranks);

/// What was sent, added to `ranks`: by mode, rows, words and messages of folds and expands.
void add_account(nlohmann::ordered_json& ranks, const ExchangeAccount& account,
                 std::size_t columns);

}  // namespace genten::tools
