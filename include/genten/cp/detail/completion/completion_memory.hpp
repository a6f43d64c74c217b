// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What memory a decomposition with missing entries takes, known before it is taken.

#include <genten/base/detail/memory_peak.hpp>
#include <genten/base/memory.hpp>
#include <genten/core/sptensor_facts.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/dense/blas_buffer.hpp>
#include <genten/dense/factor_update.hpp>
#include <genten/mttkrp/choose_kernel.hpp>
#include <genten/mttkrp/row_equations.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace genten::detail {

/// What the memory depends on.
struct CompletionShape {
  std::vector<std::size_t> dimensions;
  offset_t nnz = 0;
  offset_t missing = -1;   ///< entries that are listed as missing; below 0: no list
  bool to_sort = false;    ///< to find out whether there are duplicates
  bool merged = false;     ///< whether there were some, and a tensor without them was made
  bool is_sorted = false;  ///< the list
  bool scales = false;     ///< whether values are divided by a power of two, in a copy
  std::size_t rank = 0;
  bool from_guess = false;
  bool resumed = false;  ///< from a checkpoint, whose state is kept

  [[nodiscard]] bool lists_missing() const { return missing >= 0; }
};

/// Bytes that a run takes beside its tensor, where it computes, by part. Not all of them live at
/// once: see the phases. Models that an observer asks for come on top.
struct CompletionMemory {
  double merge = 0.0;    ///< to find duplicates
  double split = 0.0;    ///< to tell entries from others, beside the copies
  double copies = 0.0;   ///< of the entries that count, of subscripts or whole
  KernelMemory systems;  ///< entries by rows
  KernelMemory kernel;   ///< what MTTKRP prepares
  double factors = 0.0;  ///< of a start, and of its best iteration
  double guess = 0.0;    ///< the caller's, with its weights
  double sums = 0.0;     ///< what MTTKRP writes
  double model = 0.0;    ///< of the best start, which is returned

  [[nodiscard]] std::vector<MemoryPart> merging() const { return {{"duplicates", merge}}; }
  [[nodiscard]] std::vector<MemoryPart> splitting() const {
    return {{"copies of the tensor", copies}, {"marks of entries", split}};
  }
  [[nodiscard]] std::vector<MemoryPart> sorting() const {
    return {{"copies of the tensor", copies}, {"entries by rows", systems.peak}};
  }
  [[nodiscard]] std::vector<MemoryPart> preparing() const {
    return {{"copies of the tensor", copies},
            {"entries by rows", systems.kept},
            {"prepared tensor", kernel.peak}};
  }
  [[nodiscard]] std::vector<MemoryPart> iterating() const {
    return {{"copies of the tensor", copies},
            {"entries by rows", systems.kept},
            {"prepared tensor", kernel.kept},
            {"models", factors + std::max(model, guess)},
            {"sums", sums}};
  }
  /// The phase that takes most.
  [[nodiscard]] std::vector<MemoryPart> most() const {
    std::vector<MemoryPart> most = merging();
    for (auto phase : {splitting(), sorting(), preparing(), iterating()}) {
      if (total_bytes(phase) > total_bytes(most)) most = std::move(phase);
    }
    return most;
  }
};

/// All but what MTTKRP takes. `kept`: rows that have entries, by mode, as far as they are known.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CompletionMemory completion_memory(const CompletionShape& shape,
                                                 const std::vector<std::size_t>& kept,
                                                 const CpCompletionOptions& options) {
  const auto array = [](double bytes) { return array_bytes(bytes, !is_host_space<Exec>); };
  const auto order = static_cast<double>(shape.dimensions.size());
  const auto row = static_cast<double>(padded_stride(shape.rank, sizeof(Scalar)) * sizeof(Scalar));
  const auto subscripts = [&](offset_t entries) {
    return static_cast<double>(entries) * order * sizeof(Ordinal);
  };
  const auto values = [](offset_t entries) {
    return static_cast<double>(entries) * sizeof(Scalar);
  };
  /// Sorting by whole subscripts.
  const auto groups = [](offset_t entries) { return 25.0 * static_cast<double>(entries); };
  CompletionMemory memory;
  double longest = 0.0;
  for (std::size_t n = 0; n < shape.dimensions.size(); ++n) {
    memory.model += array(static_cast<double>(shape.dimensions[n]) * row);
    const double of_mode = array(static_cast<double>(kept[n]) * row);
    memory.factors += (options.holdout > 0.0 ? 2.0 : 1.0) * of_mode;
    longest = std::max(longest, of_mode);
    if (shape.from_guess) {
      memory.guess = std::max(memory.guess, array(static_cast<double>(shape.dimensions[n]) * row));
    }
  }
  if (shape.resumed) memory.factors *= 2.0;
  const bool descends = !options.nonnegative.empty() || !options.l1.empty() ||
                        !options.lower.empty() || !options.upper.empty();
  if (descends) {
    memory.sums = 8.0 * longest / row;
    if (shape.from_guess) memory.guess = memory.model;  // all factors take a part of the weights
  }
  if (shape.to_sort) memory.merge = groups(shape.nnz);
  const double merged = shape.merged ? subscripts(shape.nnz) + values(shape.nnz) : 0.0;
  if (shape.lists_missing()) {
    memory.copies = subscripts(shape.nnz) + values(shape.nnz) + values(shape.missing);
    const double marks = static_cast<double>(shape.nnz);
    const double to_look_up = shape.is_sorted ? 1.0 : 25.0;
    memory.split = merged + marks + to_look_up * static_cast<double>(shape.missing);
    if (shape.scales) memory.copies += values(shape.nnz);
    memory.systems =
        RowEquations<Scalar, Exec>::memory_of(shape.dimensions, shape.missing, shape.rank);
    memory.sums += longest + FactorUpdate<Scalar, Exec>::memory(
                                 shape.rank, *std::max_element(shape.dimensions.begin(),
                                                               shape.dimensions.end()));
    return memory;
  }
  memory.copies = subscripts(shape.nnz);
  memory.split = merged;
  // Beside entries with new row numbers, those that count and the others.
  if (options.holdout > 0.0) {
    memory.copies += values(shape.nnz);
    memory.split += subscripts(shape.nnz) + static_cast<double>(shape.nnz);
  } else if (shape.scales) {
    memory.copies += values(shape.nnz);
  }
  // How many a hash leaves is known to some standard deviations.
  const auto all = static_cast<double>(shape.nnz);
  const double counting =
      std::min(all, std::ceil((1.0 - options.holdout) * all + 4.0 * std::sqrt(all)));
  memory.systems = RowEquations<Scalar, Exec>::memory_of(
      kept, options.holdout > 0.0 ? static_cast<offset_t>(counting) : shape.nnz, shape.rank);
  return memory;
}

/// Bytes that a run may take.
template <ExecutionSpace Exec>
[[nodiscard]] double available_to_completion(const CpCompletionOptions& options) {
  if (options.memory_available > 0.0) return options.memory_available;
  if constexpr (is_host_space<Exec>) {
    return available_beside_blas();
  } else {
    return available_memory<Exec>();
  }
}

/// Throws Error of kind memory for a run that takes more than there is.
template <ExecutionSpace Exec>
void require_completion_memory(const CompletionMemory& memory, std::size_t rank, double available,
                               const CpCompletionOptions& options) {
  require_memory({.what = "tensor completion of rank " + std::to_string(rank),
                  .parts = memory.most(),
                  .available = available,
                  .allowed = options.memory_available > 0.0,
                  .device = !is_host_space<Exec>});
}

/// How MTTKRP is prepared so that all of the run fits, where missing entries are listed; throws
/// Error of kind memory where it does not.
template <ExecutionSpace Exec>
[[nodiscard]] MttkrpOptions require_kernel_memory(const Exec& exec, const MttkrpProblem& problem,
                                                  CompletionMemory memory, double available,
                                                  const CpCompletionOptions& options) {
  MttkrpOptions chosen = options.mttkrp;
  chosen.machine = machine_of(exec, options.mttkrp);
  double allowed = allowed_memory(options.mttkrp, available);
  if (options.mttkrp.kernel == "auto" && options.mttkrp.memory_limit == 0.0) {
    allowed = std::clamp(available - total_bytes(memory.iterating()), 0.0, allowed);
  }
  const KernelChoice choice =
      choose_kernel<Exec>(problem, *chosen.machine, allowed, options.mttkrp.kernel);
  const KernelCandidate& kernel = *choice.find(choice.name);
  memory.kernel = {kernel.memory, kernel.kept};
  require_completion_memory<Exec>(memory, problem.rank, available, options);
  // Nothing is no limit to the plan, though one byte is as little.
  chosen.memory_limit = std::clamp(allowed, 1.0, std::numeric_limits<double>::max());
  return chosen;
}

}  // namespace genten::detail
