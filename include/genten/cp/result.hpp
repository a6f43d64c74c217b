// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What solvers return.

#include <genten/base/enum_words.hpp>
#include <genten/base/result_field.hpp>
#include <genten/core/ktensor.hpp>
#include <genten/cp/run_state.hpp>
#include <genten/cp/stop.hpp>
#include <genten/cp/timings.hpp>
#include <genten/mttkrp/kernel_choice.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// One of several random starts.
struct StartRecord {
  std::uint64_t seed = 0;  ///< of its random guess
  double fit = 0.0;        ///< as in CpResult: computed again where the identity has lost digits
  double objective = 0.0;  ///< likewise
  std::size_t iterations = 0;
  StopReason stop_reason = StopReason::iteration_limit;
  /// Over held-out entries, of the start's best iteration; NaN where there are none.
  double holdout_rmse = std::numeric_limits<double>::quiet_NaN();
  /// The mean loss over held-out entries, likewise, of cp_gcp.
  double holdout_loss = std::numeric_limits<double>::quiet_NaN();

  static constexpr auto figures() {
    using Record = StartRecord;
    return member_table(result_field("seed", &Record::seed), result_field("fit", &Record::fit),
                        result_field("objective", &Record::objective),
                        result_field("iterations", &Record::iterations),
                        result_field("stop_reason", &Record::stop_reason),
                        result_field("holdout_rmse", &Record::holdout_rmse),
                        result_field("holdout_loss", &Record::holdout_loss));
  }
};

/// All of a result but its model, whatever the solver. Of several starts, stop reason, iterations,
/// fit, residual and history are those of the best one.
struct CpFigures {
  StopReason stop_reason = StopReason::iteration_limit;  ///< why it ended
  std::size_t iterations = 0;                            ///< that were done and not undone
  double fit = 0.0;            ///< 1 - residual_norm / tensor_norm; 1 for a zero tensor met exactly
  double residual_norm = 0.0;  ///< ||X - M||
  /// The most by which rounding may have changed `residual_norm`: an estimate from above.
  double residual_error = std::numeric_limits<double>::infinity();
  double tensor_norm = 0.0;  ///< ||X||
  /// What was minimized, with the factors as they were then: 1/2 residual_norm^2 + penalty.
  double objective = 0.0;
  double penalty = 0.0;
  /// Of the last iteration: see IterationRecord.
  double kkt_violation = std::numeric_limits<double>::quiet_NaN();
  std::size_t zero_components = 0;  ///< components of the model that are zero
  /// Whether the run counts as converged although its fit is smaller than the tolerance: then that
  /// no iteration changed it by more says nothing.
  bool tolerance_above_fit = false;
  /// One record an iteration, by numbers as the iterations had them: `fit` and `residual_norm`
  /// above may be computed again, to more digits. An iteration that was undone has no record.
  std::vector<IterationRecord> history;
  /// By phase, of the whole call, all starts together; `total` is the last. The others add up to
  /// it, but for a hundredth or two of very short calls.
  std::vector<PhaseTiming> timings;
  std::vector<StartRecord> starts;        ///< each start, in order
  std::size_t best_start = 0;             ///< which of them the model is of
  std::size_t rank_deficient_solves = 0;  ///< systems that were solved by least norm
  std::string kernel;                     ///< that traversed the nonzeros

  /// Whether `residual_norm` is certain to a hundredth of it. Where it is not, it is so small that
  /// only its order of magnitude, `residual_error`, means something.
  [[nodiscard]] bool residual_is_certain() const { return residual_error <= 0.01 * residual_norm; }

  /// What has ended starts, if any, that would have gone on: an observer, as a signal is, or the
  /// time limit.
  [[nodiscard]] std::optional<StopReason> ended_by() const {
    std::optional<StopReason> reason;
    for (const StartRecord& start : starts) {
      if (start.stop_reason == StopReason::observer) return start.stop_reason;
      if (start.stop_reason == StopReason::time_limit) reason = start.stop_reason;
    }
    return reason;
  }

  /// Seconds of a phase; 0 for a name that is not in `timings`.
  [[nodiscard]] double seconds(std::string_view name) const {
    for (const auto& timing : timings) {
      if (timing.name == name) return timing.seconds;
    }
    return 0.0;
  }

  static constexpr auto figures() {
    using Figures = CpFigures;
    return member_table(
        result_field("fit", &Figures::fit), result_field("residual_norm", &Figures::residual_norm),
        result_field("residual_error", &Figures::residual_error),
        result_field("tensor_norm", &Figures::tensor_norm),
        result_field("objective", &Figures::objective), result_field("penalty", &Figures::penalty),
        result_field("kkt_violation", &Figures::kkt_violation),
        result_field("zero_components", &Figures::zero_components),
        result_field("tolerance_above_fit", &Figures::tolerance_above_fit),
        result_field("rank_deficient_solves", &Figures::rank_deficient_solves),
        result_field("stop_reason", &Figures::stop_reason),
        result_field("iterations", &Figures::iterations),
        result_field("history", &Figures::history), result_field("starts", &Figures::starts),
        result_field("best_start", &Figures::best_start),
        result_field("timings", &Figures::timings), result_field("kernel", &Figures::kernel));
  }
};

/// Figures and model of a run, the model that of the best start.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct CpResult : CpFigures {
  /// Normalized, components by descending weight, signs as `fix_signs` leaves them. Signs of fixed
  /// factors stay; so do those of all others where any is fixed. Where factors are bounded by
  /// numbers other than 0, they are as they were bounded: weights are one (of components that are
  /// zero, 0), no sign is changed, and components are by descending norm.
  Ktensor<Scalar, Exec> model;
};

/// How the final residual norm was computed.
enum class ResidualRoute {
  identity,     ///< sqrt(||X||^2 + ||M||^2 - 2 <X, M>) from the last iteration's sums
  double_sums,  ///< the same of a model in float with all sums in double
  extended      ///< the same with all sums in double-double arithmetic
};

constexpr auto enum_words(ResidualRoute) {
  return std::array{EnumWord("identity", ResidualRoute::identity),
                    EnumWord("double_sums", ResidualRoute::double_sums),
                    EnumWord("extended", ResidualRoute::extended)};
}

/// What CP-ALS alone has to say of a run.
struct CpAlsFigures {
  ResidualRoute residual_route = ResidualRoute::identity;  ///< of the final residual
  std::size_t momentum_restarts = 0;                       ///< accelerated sweeps, rolled back
  std::vector<int> update_order;   ///< the modes that sweeps updated, in that order
  std::string kernel_description;  ///< what the kernel chose per mode, for people
  KernelChoice kernel_choice;      ///< why that kernel, and what was refused
  double mttkrp_gflops = 0.0;      ///< N R nnz calls / seconds of MTTKRP * 1e-9, as published
  double mttkrp_gbytes = 0.0;      ///< ((N R + 3) sizeof(real) + N sizeof(ordinal)) nnz / t, as
                                   ///< published, per mode

  static constexpr auto figures() {
    using Figures = CpAlsFigures;
    return member_table(result_field("residual_route", &Figures::residual_route),
                        result_field("momentum_restarts", &Figures::momentum_restarts),
                        result_field("update_order", &Figures::update_order),
                        result_field("kernel_description", &Figures::kernel_description),
                        result_field("kernel_choice", &Figures::kernel_choice),
                        result_field("mttkrp_gflops", &Figures::mttkrp_gflops),
                        result_field("mttkrp_gbytes", &Figures::mttkrp_gbytes));
  }
};

/// The result of CP-ALS. Its phases:
///   merge          adding up of duplicates
///   norm           of the tensor, and whether it is that of a checkpoint
///   prepare        relabeling, sorting and whatever else MTTKRP's kernel needs
///   setup          memory for factors and sums, of each start
///   gram           initial factors and their Gram matrices
///   mttkrp
///   solve          one fused pass a mode: row update, column norms, Gram matrix, inner product
///   scale          columns, after the first sweep
///   extrapolate    factors between accelerated sweeps
///   loop           the rest of the iterations: taking in statistics, the fit
///   observer       if there is one
///   release        of memory
///   undo           of an iteration that led to infinities or NaNs, where there was one
///   arrange        the final model
///   inner_product  the final residual, where it is computed again: in float, and where it is small
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct CpAlsResult : CpResult<Scalar, Exec>, CpAlsFigures {
  using Own = CpAlsFigures;
};

}  // namespace genten
