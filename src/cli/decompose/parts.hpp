// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor of a file, divided among ranks.

#include "ranks.hpp"

namespace genten::cli {

/// Reads the tensor on all ranks, divides it among them, and returns `use(parts, facts)`.
template <RealScalar Scalar, class Use>
int with_parts(RankModule& module, const TensorInput& input, bool quiet,
               const DistributeOptions& options, const Use& use) {
  const Kokkos::Timer timer;
  std::optional<ReadAnySptensor<Scalar, HostExec>> read;
  on_all_ranks([&] {
    read = read_watched(input, quiet, [&](const ReadOptions& how) {
      return read_tensor<Scalar, HostExec>(input.file, how);
    });
    require_meaning(input, read->report);
  });
  return std::visit(
      [&](auto tensor) {
        using Ordinal = typename decltype(tensor)::ordinal_type;
        read->tensor = {};
        RawNonzeros<Scalar, Ordinal> mine;
        Communicator& ranks = module.ranks();
        const auto step = static_cast<offset_t>(ranks.size());
        for (auto p = static_cast<offset_t>(ranks.rank()); p < tensor.nnz(); p += step) {
          for (int n = 0; n < tensor.order(); ++n) {
            mine.subscripts.push_back(tensor.subscripts()(p, n));
          }
          mine.values.push_back(tensor.values()(p));
        }
        TensorFacts facts{input.file,
                          tensor.dimensions(),
                          static_cast<std::size_t>(tensor.nnz()),
                          tensor.density(),
                          8 * sizeof(Ordinal),
                          8 * sizeof(Scalar),
                          read->report,
                          0.0};
        tensor = {};
        const auto parts =
            distribute(ranks, HostExec(), facts.dimensions, std::move(mine), options);
        facts.read_seconds = timer.seconds();
        return use(parts, std::move(facts));
      },
      read->tensor);
}

}  // namespace genten::cli
