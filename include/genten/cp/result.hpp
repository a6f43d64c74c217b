// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What CP-ALS returns.

#include <genten/base/enum_words.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/mttkrp/kernel_choice.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// Why a run ended.
enum class StopReason {
  converged,        ///< the fit changed by less than the tolerance
  iteration_limit,  ///< max_iterations were done
  time_limit,       ///< the time limit had passed at the end of an iteration
  observer,         ///< an observer asked for it
  non_finite        ///< the fit became infinite or NaN, and so is some of the model
};

constexpr auto enum_words(StopReason) {
  return std::array{
      EnumWord("converged", StopReason::converged, "converged"),
      EnumWord("iteration_limit", StopReason::iteration_limit, "iteration limit reached"),
      EnumWord("time_limit", StopReason::time_limit, "time limit reached"),
      EnumWord("observer", StopReason::observer, "interrupted"),
      EnumWord("non_finite", StopReason::non_finite, "non-finite numbers")};
}

/// How the final residual norm was computed.
enum class ResidualRoute {
  identity,  ///< sqrt(||X||^2 + ||M||^2 - 2 <X, M>), which loses half the digits when fit is near 1
  extended   ///< the same with all sums in double-double arithmetic, which keeps them
};

constexpr auto enum_words(ResidualRoute) {
  return std::array{EnumWord("identity", ResidualRoute::identity),
                    EnumWord("extended", ResidualRoute::extended)};
}

/// One finished iteration (a sweep over all modes).
struct IterationRecord {
  std::size_t iteration = 0;   ///< counted from 1
  double fit = 0.0;            ///< 1 - residual_norm / ||X||
  double fit_change = 0.0;     ///< fit minus that of the iteration before (of 0 for the first)
  double residual_norm = 0.0;  ///< ||X - M||, Frobenius
  double seconds = 0.0;        ///< since the start of this run, preparation not counted
};

/// Seconds spent in one phase, over all iterations of the kept start.
struct PhaseTiming {
  std::string name;
  double seconds = 0.0;
};

/// One of several random starts.
struct StartRecord {
  std::uint64_t seed = 0;
  double fit = 0.0;
  std::size_t iterations = 0;
  StopReason stop_reason = StopReason::iteration_limit;
};

/// Model and account of a CP-ALS run. Of several starts, all but `starts` speaks of the best one.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct CpAlsResult {
  Ktensor<Scalar, Exec> model;  ///< normalized, components by descending weight
  StopReason stop_reason = StopReason::iteration_limit;
  std::size_t iterations = 0;
  double fit = 0.0;            ///< 1 - residual_norm / tensor_norm; 1 for a zero tensor met exactly
  double residual_norm = 0.0;  ///< ||X - M||
  ResidualRoute residual_route = ResidualRoute::identity;
  double tensor_norm = 0.0;  ///< ||X||
  std::vector<IterationRecord> history;
  /// prepare (sorting, once for all starts), mttkrp, gram (of the initial guess), solve (one fused
  /// pass a mode: apply the inverse, column norms, Gram matrix, inner product), inner_product (the
  /// final residual, where recomputed), norm (of the tensor), scale (of the first sweep), arrange
  /// (the final model); total (of the call, all starts included).
  std::vector<PhaseTiming> timings;
  std::size_t rank_deficient_solves = 0;
  std::string kernel;              ///< the MTTKRP kernel that ran
  std::string kernel_description;  ///< what it chose per mode, for people
  KernelChoice kernel_choice;      ///< why that kernel, and what was refused
  double mttkrp_gflops = 0.0;      ///< N R nnz calls / seconds of MTTKRP * 1e-9, as published
  double mttkrp_gbytes = 0.0;      ///< ((N R + 3) sizeof(real) + N sizeof(ordinal)) nnz / t, as
                                   ///< published, per mode
  std::vector<StartRecord> starts;
  std::size_t best_start = 0;

  /// Seconds of a phase; 0 for a name that is not in `timings`.
  [[nodiscard]] double seconds(std::string_view name) const {
    for (const auto& timing : timings) {
      if (timing.name == name) return timing.seconds;
    }
    return 0.0;
  }
};

}  // namespace genten
