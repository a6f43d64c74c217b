// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor of a file, divided among processes: each reads a part of the file, and sends the
/// nonzeros to those that they belong to.

#include "processes.hpp"
#include "tools/launch/file_parts.hpp"

namespace genten::cli {

/// `with_parts` with ordinals of a type; nullopt where they are too narrow.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Use>
std::optional<int> with_parts_of(MpiModule& module, const TensorInput& input, bool quiet,
                                 const DistributeOptions& options, const Use& use) {
  const Kokkos::Timer timer;
  Communicator& processes = module.processes();
  const auto read = [&](const ReadOptions&) {
    return read_watched(input, quiet, [&](const ReadOptions& how) {
      return read_tensor_part<Scalar, Ordinal>(HostExec(), input.file, processes.process(),
                                               processes.size(),
                                               tools::options_of_part(processes, how));
    });
  };
  std::vector<std::size_t> dimensions;
  const auto agreed = [&](const AgreedTensorParts& whole) {
    on_all_processes([&] { require_meaning(input, whole.report); });
    dimensions = whole.dimensions;
  };
  auto found = tools::distribute_file<Scalar, Ordinal>(
      processes, input.file, input_name(input.file), input.read, options, read, agreed);
  if (!found) return std::nullopt;
  double elements = 1.0;
  for (const std::size_t length : dimensions) elements *= static_cast<double>(length);
  TensorFacts facts{
      input.file,          dimensions,
      found->parts.nnz,    elements > 0.0 ? static_cast<double>(found->parts.nnz) / elements : 0.0,
      8 * sizeof(Ordinal), 8 * sizeof(Scalar),
      found->report,       timer.seconds()};
  facts.merged_by = input.read.duplicates;
  return use(std::move(found->parts), std::move(facts));
}

/// Reads the tensor, each process a part of the file, divides it among the processes, and returns
/// `use(parts, facts)`. Errors of the file are those of a single reader, and are thrown on all.
template <RealScalar Scalar, class Use>
int with_parts(MpiModule& module, const TensorInput& input, bool quiet,
               const DistributeOptions& options, const Use& use) {
  const auto narrow = with_parts_of<Scalar, std::uint32_t>(module, input, quiet, options, use);
  return narrow ? *narrow
                : *with_parts_of<Scalar, std::uint64_t>(module, input, quiet, options, use);
}

}  // namespace genten::cli
