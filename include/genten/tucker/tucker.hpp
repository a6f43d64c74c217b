// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tucker decompositions of sparse tensors.

#include <genten/base/memory.hpp>
#include <genten/base/result_field.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/core/ttensor.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/run_state.hpp>
#include <genten/cp/stop.hpp>
#include <genten/cp/timings.hpp>
#include <genten/tucker/options.hpp>

#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten {

/// All of a result but its model. Phases of its timings:
///   merge     adding up of duplicates
///   norm      of the tensor
///   start     the first factors: all of hosvd and st-hosvd
///   prepare   sorting for the products of hooi
///   product   the tensor times all factors but one
///   vectors   leading vectors of the product
///   core      from the last product of a sweep
///   loop, observer, undo   as those of CP-ALS
///   total     the last
struct TuckerFigures {
  /// Of hooi; hosvd and st-hosvd, which do not iterate, have converged.
  StopReason stop_reason = StopReason::converged;
  std::size_t iterations = 0;  ///< sweeps of hooi
  double fit = 0.0;            ///< 1 - residual_norm / tensor_norm; 1 for a zero tensor
  double residual_norm = 0.0;  ///< ||X - M||, the square root of ||X||^2 - ||G||^2
  /// The most by which rounding may have changed `residual_norm`: an estimate from above.
  double residual_error = std::numeric_limits<double>::infinity();
  double tensor_norm = 0.0;  ///< ||X||
  double core_norm = 0.0;    ///< ||G||, which is ||M||
  /// Whether all leading vectors were found to the tolerance of LeadingVectorsOptions.
  bool vectors_converged = true;
  std::vector<IterationRecord> history;  ///< one record a sweep
  std::vector<PhaseTiming> timings;      ///< by phase; `total` is the last

  /// Seconds of a phase; 0 for a name that is not in `timings`.
  [[nodiscard]] double seconds(std::string_view name) const {
    for (const auto& timing : timings) {
      if (timing.name == name) return timing.seconds;
    }
    return 0.0;
  }

  static constexpr auto figures() {
    using Figures = TuckerFigures;
    return member_table(
        result_field("fit", &Figures::fit), result_field("residual_norm", &Figures::residual_norm),
        result_field("residual_error", &Figures::residual_error),
        result_field("tensor_norm", &Figures::tensor_norm),
        result_field("core_norm", &Figures::core_norm),
        result_field("vectors_converged", &Figures::vectors_converged),
        result_field("stop_reason", &Figures::stop_reason),
        result_field("iterations", &Figures::iterations),
        result_field("history", &Figures::history), result_field("timings", &Figures::timings));
  }
};

/// Model and account of a run.
template <RealScalar Scalar, ExecutionSpace Exec = HostExec>
struct TuckerResult : TuckerFigures {
  /// Columns of factors are orthonormal, by descending eigenvalue of what they are leading vectors
  /// of, and the first element of largest magnitude of each is positive; fixed factors stay.
  Ttensor<Scalar, Exec> model;
};

/// The observer of Tucker decompositions; it has no checkpoints.
template <RealScalar Scalar, ExecutionSpace Exec = HostExec>
using TtensorObserver = Observer<Ttensor<Scalar, Exec>>;

/// Finds a Tucker model, the core times orthonormal factors, that is close to a sparse tensor.
///
/// `hosvd` takes the leading vectors of X in each mode, `st_hosvd` those of what is left of X when
/// the modes before have been compressed. `hooi` (De Lathauwer, De Moor, Vandewalle, SIAM J. Matrix
/// Anal. Appl. 21:1324, 2000) begins with either, or at random, and sweeps over the modes: the
/// factor of a mode becomes the leading vectors of X times all other factors, so that the fit never
/// falls but by rounding. With orthonormal factors the best core is X times all of them, and
/// ||X - M||^2 = ||X||^2 - ||G||^2. Where the fit is near 1 that difference loses half the digits:
/// `residual_error` says how many are left.
///
/// X times all factors but one is one traversal of the nonzeros (see Ttmc). A rank of 0 leaves its
/// mode as it is (partial Tucker); then products stay sparse in such modes (see SemiSparse), which
/// takes a pass over the blocks for each mode. Nothing is dense in two modes' lengths, but the core
/// where two modes are not compressed.
///
/// Results have the same bits for every number of threads. On hosts. Throws Error for a tensor of
/// order below 2; ranks that are not one a mode, above their mode's length or above the product of
/// the others, or 0 in every mode; modes that are not there or named twice; fixed modes without a
/// guess; options out of range; a core that Scalar cannot represent. Throws Error of kind memory,
/// before it begins, where core, factors and what `tucker_memory` lists do not fit.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] TuckerResult<Scalar, Exec> tucker(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const TuckerOptions& options,
    const std::type_identity_t<TtensorObserver<Scalar, Exec>>& observer = {});

/// The same from the factors of a guess, whose columns must be orthonormal; it is not changed, and
/// its core does not count. Its ranks count, not those of the options: empty there, or the same.
/// `hooi` begins with these factors, whatever `init` says; the other methods keep those of fixed
/// modes alone.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
requires is_host_space<Exec>
[[nodiscard]] TuckerResult<Scalar, Exec> tucker(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ttensor<Scalar, Exec>& guess, const TuckerOptions& options,
    const std::type_identity_t<TtensorObserver<Scalar, Exec>>& observer = {});

/// What a run takes beside the tensor, at most, by part; all parts together are an upper bound of
/// what lives at once. Throws Error for ranks that `tucker` would refuse.
[[nodiscard]] std::vector<MemoryPart> tucker_memory(const std::vector<std::size_t>& dimensions,
                                                    offset_t nnz, std::size_t scalar_bytes,
                                                    const TuckerOptions& options);

/// Throws Error for ranks that no Tucker model of a tensor of these dimensions has.
void check_tucker_ranks(const std::vector<std::size_t>& dimensions,
                        const std::vector<std::size_t>& ranks);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/tucker/detail/tucker_impl.hpp>
#endif
