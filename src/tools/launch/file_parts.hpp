// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor of a file, divided among processes: each reads a part of the file, and sends the
/// nonzeros to those that they belong to.

#include <genten/base/memory.hpp>
#include <genten/dist/distribute.hpp>
#include <genten/io/part.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace genten::tools {

/// The facts of the parts that all processes have read.
[[nodiscard]] inline std::vector<TensorPartFacts> share_facts(Communicator& processes,
                                                              const TensorPartFacts& mine) {
  const std::string bytes = part_facts_to_bytes(mine);
  std::vector<TensorPartFacts> facts;
  for (const auto& each :
       all_gather_lists(processes, std::vector<char>(bytes.begin(), bytes.end()))) {
    facts.push_back(part_facts_from_bytes({each.data(), each.size()}));
  }
  return facts;
}

/// How a process reads its part, with its own share of the memory that is free.
[[nodiscard]] inline ReadOptions options_of_part(const Communicator& processes,
                                                 ReadOptions options) {
  const double free = available_memory<HostExec>() / static_cast<double>(processes.node().size);
  if (options.memory_limit == 0 && std::isfinite(free)) {
    options.memory_limit = std::max<std::size_t>(1, static_cast<std::size_t>(free));
  }
  return options;
}

/// `distribute`; where duplicates add up to what is not finite, or are refused, that is the fault
/// of the file called `name`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] DistributedTensor<Scalar, Ordinal> distribute_entries(
    Communicator& processes, const std::string& name, const std::vector<std::size_t>& dimensions,
    NonzeroArrays<Scalar, Ordinal> nonzeros, const DistributeOptions& options) {
  const std::string where = "; a run on one process says in which lines";
  try {
    auto parts =
        distribute(processes, HostExec(), dimensions, std::exchange(nonzeros, {}), options);
    if (options.duplicates != Duplicates::refuse || parts.summed == 0) return parts;
    throw AgreedError(Error::in_file(
        name, 0, "expected no duplicates, got " + std::to_string(parts.summed) + where));
  } catch (const AgreedError& error) {
    if (error.code() != Error::Code::sum_not_finite) throw;
    throw AgreedError(
        Error::in_file(name, 0, "the sum of an entry and its duplicates is not finite" + where));
  }
}

/// What the processes have of a file's tensor.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
struct FileParts {
  DistributedTensor<Scalar, Ordinal> parts;
  ReadReport report;  ///< with the duplicates that were merged
};

/// Reads a part on each process by `read(options)`, a TensorFilePart; calls `agreed` with the
/// AgreedTensorParts, whose dimensions it may make longer, and divides the nonzeros. nullopt where
/// the ordinals are too narrow. Errors of the file are those of a single reader, and are thrown on
/// all processes; `name` is what messages call it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Read, class Agreed>
[[nodiscard]] std::optional<FileParts<Scalar, Ordinal>> distribute_file(
    Communicator& processes, const std::string& file, const std::string& name,
    const ReadOptions& options, DistributeOptions how, const Read& read, const Agreed& agreed) {
  TensorFilePart<Scalar, Ordinal> part;
  together(processes, [&] { part = read(options); });
  const auto facts = share_facts(processes, part.facts);
  if (need_wide_ordinals(facts)) return std::nullopt;
  AgreedTensorParts whole;
  together(processes, [&] { whole = agree_on_tensor_parts(file, facts, options); });
  agreed(whole);
  how.duplicates = options.duplicates;
  NonzeroArrays<Scalar, Ordinal> mine{part.subscripts, part.values};
  part = {};
  FileParts<Scalar, Ordinal> found{
      distribute_entries(processes, name, whole.dimensions, std::exchange(mine, {}), how),
      whole.report};
  found.report.duplicates = found.parts.summed;
  return found;
}

}  // namespace genten::tools
