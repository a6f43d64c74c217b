// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What memory a run of CP-ALS takes, known before it is taken.

#include <genten/base/memory.hpp>
#include <genten/cp/options.hpp>
#include <genten/dense/blas_buffer.hpp>
#include <genten/mttkrp/kernel_choice.hpp>
#include <genten/mttkrp/problem.hpp>

#include <string>
#include <vector>

namespace genten {

/// Bytes that cp_als takes beside its tensor, in the memory where it computes, by part. Not all
/// parts live at once: see the three phases. The extended residual of models with a fit near 1 and
/// the models that an observer asks for come on top, and so do, where there is memory left for all
/// that they take, starts that run side by side.
struct CpAlsMemory {
  double row_numbers = 0.0;  ///< new number by row, for the rows with nonzeros
  double used_rows = 0.0;    ///< row by new number
  KernelMemory kernel;       ///< what MTTKRP prepares
  double factors = 0.0;      ///< of the rows with nonzeros, of all starts that live at once
  double start_model = 0.0;  ///< of a start, in float: residuals are compared in double
  double momentum = 0.0;     ///< factors before the last sweep, of an accelerated start
  double guess = 0.0;        ///< factors of the caller's guess that are multiplied by weights
  double matrices = 0.0;     ///< R x R: Gram matrices, their inverse, partial sums
  double products = 0.0;     ///< MTTKRP beside the factor, for coordinate descent
  double model = 0.0;        ///< what is returned, all rows
  /// The most that of the factors is left while the model is made from them, mode by mode.
  double factors_left = 0.0;

  [[nodiscard]] std::vector<MemoryPart> preparing() const;
  [[nodiscard]] std::vector<MemoryPart> iterating() const;
  [[nodiscard]] std::vector<MemoryPart> finishing() const;
  /// The phase that takes most.
  [[nodiscard]] std::vector<MemoryPart> most() const;
  [[nodiscard]] double peak() const { return total_bytes(most()); }
};

inline std::vector<MemoryPart> CpAlsMemory::preparing() const {
  return {{"row numbers", row_numbers + used_rows}, {"prepared tensor", kernel.peak}};
}
inline std::vector<MemoryPart> CpAlsMemory::iterating() const {
  // A start that is done has no momentum when its model is made.
  const bool moves = momentum >= start_model;
  return {{"row numbers", row_numbers + used_rows},
          {"prepared tensor", kernel.kept},
          {"factors", factors},
          {moves ? "factors before" : "model of a start", moves ? momentum : start_model},
          {"initial guess", guess},
          {"R x R matrices", matrices},
          {"MTTKRP beside the factor", products}};
}
inline std::vector<MemoryPart> CpAlsMemory::finishing() const {
  return {{"row numbers", used_rows},
          {"factors", factors_left},
          {"R x R matrices", matrices},
          {"MTTKRP beside the factor", products},
          {"model", model}};
}
inline std::vector<MemoryPart> CpAlsMemory::most() const {
  std::vector<MemoryPart> most = preparing();
  for (auto phase : {iterating(), finishing()}) {
    if (total_bytes(phase) > total_bytes(most)) most = std::move(phase);
  }
  return most;
}

namespace detail {

/// Whether no sweep changes that mode's factor.
[[nodiscard]] inline bool is_fixed(const CpAlsOptions& options, std::size_t mode) {
  const auto& fixed = options.fixed_modes;
  return std::find(fixed.begin(), fixed.end(), static_cast<int>(mode)) != fixed.end();
}

/// Whether there are rows from before the last sweep of that mode's factor.
[[nodiscard]] inline bool has_momentum(const CpAlsOptions& options, std::size_t mode) {
  return options.acceleration != Acceleration::none && !is_fixed(options, mode);
}

}  // namespace detail

/// For a problem as MttkrpPlan knows it (dimensions: rows with nonzeros), the dimensions of the
/// tensor as it is given, and what the kernel takes. Exact but for parts that do not grow with any
/// of them, and as far as the kernel's own figures are. `constraints`: one a mode, or none.
/// `of_several_processes`: this one's rows of the model become those that it has stored.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsMemory cp_als_memory(const MttkrpProblem& problem,
                                        const std::vector<std::size_t>& dimensions,
                                        const KernelMemory& kernel, std::size_t starts = 1,
                                        bool from_guess = false,
                                        const std::vector<RowConstraint>& constraints = {},
                                        bool of_several_processes = false);

/// What cp_als is going to do where so many bytes are available.
struct CpAlsForecast {
  double available = 0.0;
  KernelChoice kernels;
  CpAlsMemory memory;
};

/// The kernel that cp_als takes, so that the rest of what it needs fits beside it, and the memory
/// of the run. `machine` is that of the kernel choice. cp_als itself and `genten info` ask here.
/// Throws Error of kind memory for a kernel that is named and needs more than it may.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsForecast forecast_cp_als(const MttkrpProblem& problem,
                                            const std::vector<std::size_t>& dimensions,
                                            const CpAlsOptions& options,
                                            const MachineProperties& machine, double available,
                                            bool from_guess = false,
                                            bool of_several_processes = false);

/// Bytes that cp_als may take beside its tensor: what the options say, or all that is available, on
/// hosts beside the buffer of OpenBLAS, which limits on address space count.
template <ExecutionSpace Exec>
[[nodiscard]] double available_to(const CpAlsOptions& options) {
  if (options.memory_available > 0.0) return options.memory_available;
  if constexpr (is_host_space<Exec>) {
    return available_beside_blas();
  } else {
    return available_memory<Exec>();
  }
}

/// What may help where modes have slices without nonzeros, for refusals.
[[nodiscard]] inline std::string smaller_modes() {
  return "dropping empty slices (" + error_text::remedy("drop_empty_slices") + ") may make it fit";
}

/// The largest rank up to that of the problem for which cp_als fits; 0 if none does.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] std::size_t rank_that_fits(const MttkrpProblem& problem,
                                         const std::vector<std::size_t>& dimensions,
                                         const CpAlsOptions& options,
                                         const MachineProperties& machine, double available,
                                         bool from_guess = false,
                                         bool of_several_processes = false);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/memory_impl.hpp>
#endif
