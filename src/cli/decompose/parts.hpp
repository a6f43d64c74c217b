// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor of a file, divided among ranks: each reads a part of the file, and sends the nonzeros
/// to those that they belong to.

#include "ranks.hpp"

#include <genten/base/memory.hpp>
#include <genten/io/part.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace genten::cli {

/// The facts of the parts that all ranks have read.
[[nodiscard]] inline std::vector<TensorPartFacts> share_facts(Communicator& ranks,
                                                              const TensorPartFacts& mine) {
  const std::string bytes = part_facts_to_bytes(mine);
  std::vector<TensorPartFacts> facts;
  for (const auto& each : all_gather_lists(ranks, std::vector<char>(bytes.begin(), bytes.end()))) {
    facts.push_back(part_facts_from_bytes({each.data(), each.size()}));
  }
  return facts;
}

/// Throws Error where the input is to have no duplicates and has some.
inline void require_distinct(const TensorInput& input, std::uint64_t duplicates) {
  if (duplicates == 0 || input.read.duplicates == Duplicates::sum) return;
  throw Error(Error::Kind::file, input_name(input.file) + ": expected no duplicates, got " +
                                     std::to_string(duplicates) +
                                     "; a run on one rank says in which lines");
}

/// How a rank reads its part, with its own share of the memory that is free.
[[nodiscard]] inline ReadOptions options_of_part(ReadOptions options) {
  const double free = available_memory<HostExec>() / static_cast<double>(ranks_of_machine());
  if (options.memory_limit == 0 && std::isfinite(free)) {
    options.memory_limit = std::max<std::size_t>(1, static_cast<std::size_t>(free));
  }
  return options;
}

/// `distribute`; where duplicates add up to what is not finite, that is the file's fault.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
[[nodiscard]] DistributedTensor<Scalar, Ordinal> distribute_file(
    Communicator& ranks, const TensorInput& input, const std::vector<std::size_t>& dimensions,
    NonzeroArrays<Scalar, Ordinal> nonzeros, const DistributeOptions& options) {
  try {
    return distribute(ranks, HostExec(), dimensions, std::exchange(nonzeros, {}), options);
  } catch (const AgreedError& error) {
    if (std::string_view(error.what()).find("not finite") == std::string_view::npos) throw;
    const bool refused = input.read.duplicates != Duplicates::sum;
    throw AgreedError(Error::Kind::file,
                      input_name(input.file) +
                          (refused ? ": expected no duplicates, got some"
                                   : ": the sum of an entry and its duplicates is not finite") +
                          "; a run on one rank says in which lines");
  }
}

/// `with_parts` with ordinals of a type; nullopt where they are too narrow.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, class Use>
std::optional<int> with_parts_of(RankModule& module, const TensorInput& input, bool quiet,
                                 const DistributeOptions& options, const Use& use) {
  const Kokkos::Timer timer;
  Communicator& ranks = module.ranks();
  TensorFilePart<Scalar, Ordinal> part;
  on_all_ranks([&] {
    part = read_watched(input, quiet, [&](const ReadOptions& how) {
      return read_tensor_part<Scalar, Ordinal>(HostExec(), input.file, ranks.rank(), ranks.size(),
                                               options_of_part(how));
    });
  });
  const auto facts_of_all = share_facts(ranks, part.facts);
  if (need_wide_ordinals(facts_of_all)) return std::nullopt;
  AgreedTensorParts agreed;
  on_all_ranks([&] {
    agreed = agree_on_tensor_parts(input.file, facts_of_all, input.read);
    require_meaning(input, agreed.report);
  });
  NonzeroArrays<Scalar, Ordinal> mine{part.subscripts, part.values};
  part = {};
  auto parts = distribute_file(ranks, input, agreed.dimensions, std::exchange(mine, {}), options);
  on_all_ranks([&] { require_distinct(input, parts.summed); });
  double elements = 1.0;
  for (const std::size_t length : agreed.dimensions) elements *= static_cast<double>(length);
  TensorFacts facts{
      input.file,          agreed.dimensions,
      parts.nnz,           elements > 0.0 ? static_cast<double>(parts.nnz) / elements : 0.0,
      8 * sizeof(Ordinal), 8 * sizeof(Scalar),
      agreed.report,       timer.seconds()};
  facts.report.duplicates = parts.summed;
  return use(std::move(parts), std::move(facts));
}

/// Reads the tensor, each rank a part of the file, divides it among the ranks, and returns
/// `use(parts, facts)`. Errors of the file are those of a single reader, and are thrown on all.
template <RealScalar Scalar, class Use>
int with_parts(RankModule& module, const TensorInput& input, bool quiet,
               const DistributeOptions& options, const Use& use) {
  const auto narrow = with_parts_of<Scalar, std::uint32_t>(module, input, quiet, options, use);
  return narrow ? *narrow
                : *with_parts_of<Scalar, std::uint64_t>(module, input, quiet, options, use);
}

}  // namespace genten::cli
