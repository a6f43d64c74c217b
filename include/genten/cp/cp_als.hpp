// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CP-ALS: alternating least squares for the canonical polyadic decomposition.

#include <genten/core/sptensor.hpp>
#include <genten/cp/exchange.hpp>
#include <genten/cp/model_part.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/options.hpp>
#include <genten/cp/prepared_tensor.hpp>
#include <genten/cp/result.hpp>
#include <genten/io/checkpoint.hpp>

#include <string_view>

namespace genten {

/// How solvers take their observer: not deduced, so that a lambda can be given as it is.
template <RealScalar Scalar, ExecutionSpace Exec>
using ObserverArgument = const std::type_identity_t<KtensorObserver<Scalar, Exec>>&;

/// Finds a rank-R model of `tensor` from `options.starts` random initial guesses, keeping the
/// best.
///
/// Start s uses the seed options.seed + s; entry (i, r) of the factor of mode n is a hash of
/// (seed, n, i, r), the same on every backend. On host execution spaces the default kernel gives
/// the same bits for every number of threads.
/// `options.acceleration` nesterov, after Mitchell, Ye and De Sterck (2020), extrapolates factors
/// between sweeps, from fits that these have anyway. A sweep that has made the model worse is taken
/// back, and the next one is plain, so that no model is worse than one before it by more than fits
/// are certain to; the iteration counts, with the fit that stands. A sweep that leaves the range of
/// finite numbers ends the run only if it was plain. Under constraints it is their objective that
/// decides, and what is extrapolated is kept within bounds.
/// Throws Error for options out of range and for a tensor without modes; Error of kind memory,
/// before the first iteration, where the run takes more than is available (cp/memory.hpp says what
/// it takes; `options.memory_available` says otherwise what there is). Numerical outcomes
/// (singular Gram matrices, zero columns, non-finite values) are reported in the result.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAlsResult<Scalar, Exec> cp_als(const Exec& exec,
                                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                               const CpAlsOptions& options = {},
                                               ObserverArgument<Scalar, Exec> observer = {});

/// The same from the caller's guess, which is not changed; its rank and dimensions must be those of
/// the options and the tensor (`options.rank` is ignored, `options.starts` must be 1).
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAlsResult<Scalar, Exec> cp_als(const Exec& exec,
                                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                               const Ktensor<Scalar, Exec>& initial_guess,
                                               const CpAlsOptions& options = {},
                                               ObserverArgument<Scalar, Exec> observer = {});

/// The same of a tensor that several runs share: what one has prepared serves those alike, too.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsResult<Scalar, Exec> cp_als(const Exec& exec,
                                               PreparedTensor<Scalar, Exec>& tensor,
                                               const CpAlsOptions& options = {},
                                               ObserverArgument<Scalar, Exec> observer = {});
/// The same of such a tensor, from the caller's guess.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsResult<Scalar, Exec> cp_als(const Exec& exec,
                                               PreparedTensor<Scalar, Exec>& tensor,
                                               const Ktensor<Scalar, Exec>& initial_guess,
                                               const CpAlsOptions& options = {},
                                               ObserverArgument<Scalar, Exec> observer = {});

/// Goes on from a checkpoint that an observer of the same solver has made (Iteration::checkpoint),
/// in this process or, by read_checkpoint, in another, and ends as the run would have ended: on
/// hosts and with kernels that are deterministic, with the same bits.
///
/// Options must be those of the run, `checkpoint_options(checkpoint)`, but for `max_iterations`,
/// `tolerance` and the limits of time and memory, which may be others: they hold for what follows,
/// not for starts that are done. The kernel is that which ran, whatever the options would choose. A
/// time limit counts the seconds of this call; in the history seconds go on where they were. Throws
/// Error for a checkpoint of another tensor or of other options, naming what differs.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAlsResult<Scalar, Exec> cp_als(const Exec& exec,
                                               const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                               const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint,
                                               const CpAlsOptions& options,
                                               ObserverArgument<Scalar, Exec> observer = {});

/// The result of CP-ALS on one of several processes. `model` has the weights and no factors: those
/// are in `part`, each process's own rows of them.
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct CpAlsPartResult : CpAlsResult<Scalar, Exec> {
  ModelPart<Scalar, Exec> part;
};

/// One process of a run on several, of a part of the tensor that the processes have divided among
/// them. All call it at once, with equal options and equal guesses, if any; the observer is that of
/// process 0, and so are models and checkpoints that it asks for, as a whole. Of the model that is
/// returned each process has the rows that it updates; of fixed factors, and of a guess that no
/// sweep has changed, process 0 has all. All else that is said of the run is the same on all
/// processes, but for seconds and what concerns the process's own kernel: after each sweep the
/// numbers of process 0 hold for all. The bits depend on the parts and, on hosts of one kind, on
/// nothing else.
///
/// A time limit ends the run on all processes after the iteration in which it has passed on one of
/// them, and so does Exchange::interrupted. The residual is that of the last iteration: where its
/// digits are lost, it is not computed again. Memory is judged by processes that share it as if
/// each had an equal part. What is thrown on one process before the first iteration, or while a
/// model is made, is thrown on all; what the observer throws is on the others an Error with its
/// message.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAlsPartResult<Scalar, Exec> cp_als(
    const Exec& exec, const TensorPart<Scalar, Ordinal, Exec>& part,
    Exchange<Scalar, Exec>& exchange, const CpAlsOptions& options,
    ObserverArgument<Scalar, Exec> observer = {},
    const std::type_identity_t<Ktensor<Scalar, Exec>>* initial_guess = nullptr);

/// Goes on from a checkpoint, whether one process or processes have made it, and however many. It
/// is process 0's: what the others give is not looked at. With as many processes, the same parts
/// and hosts of one kind the bits are those of the run that was not ended; otherwise numbers agree
/// to rounding. Kernels are those that the options choose.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAlsPartResult<Scalar, Exec> cp_als(
    const Exec& exec, const TensorPart<Scalar, Ordinal, Exec>& part,
    Exchange<Scalar, Exec>& exchange, const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint,
    const CpAlsOptions& options, ObserverArgument<Scalar, Exec> observer = {});

namespace detail {
[[nodiscard]] CpAlsOptions saved_als_options(std::string_view state);
}  // namespace detail

/// The options of the run that a checkpoint is of; `rank` is that of its model also where it came
/// from a guess. Throws Error for a checkpoint of another solver.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAlsOptions checkpoint_options(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::saved_als_options(checkpoint.state);
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/cp_als_impl.hpp>
#endif
