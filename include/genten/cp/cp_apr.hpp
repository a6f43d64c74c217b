// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CP-APR: CP decomposition of counts, which are taken for Poisson's, or of what is known of them.

#include <genten/base/option_field.hpp>
#include <genten/core/count_loss.hpp>
#include <genten/core/factor_kind.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/gcp_warning.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/result.hpp>
#include <genten/mttkrp/options.hpp>

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten {

/// How CP-APR improves the rows of a factor.
enum class CountSteps {
  automatic,      ///< newton on hosts, multiplicative on devices
  newton,         ///< damped steps of Newton's method, row by row
  multiplicative  ///< the paper's
};

constexpr auto enum_words(CountSteps) {
  return std::array{
      EnumWord("auto", CountSteps::automatic, "newton on hosts, multiplicative on devices"),
      EnumWord("newton", CountSteps::newton, "row by row, damped"),
      EnumWord("multiplicative", CountSteps::multiplicative, "those of the paper on CP-APR")};
}

/// Parameters of cp_apr. Defaults are those of the paper.
struct CpAprOptions {
  CountLoss loss = CountLoss::poisson;  ///< not in the table: what is minimized, and not how
  std::size_t rank = 16;
  std::size_t max_iterations = 1000;
  CountSteps steps = CountSteps::automatic;
  std::size_t inner_iterations = 0;
  double tolerance = 1e-4;
  double time_limit = 0.0;
  std::uint64_t seed = 1;
  std::size_t starts = 1;
  FactorKind init = FactorKind::uniform;
  double kappa = 0.01;
  double kappa_tolerance = 1e-10;
  /// Bytes that a run may take beside the tensor, where it computes; 0: as many as are available.
  double memory_available = 0.0;
  MttkrpOptions mttkrp = {};

  static constexpr auto fields() {
    return member_table(
        option_field("rank", &CpAprOptions::rank, "number of components R", 1, 1e6),
        option_field("max-iterations", &CpAprOptions::max_iterations,
                     "sweeps over all modes at most", 0, 1e9),
        option_field("steps", &CpAprOptions::steps, "how the rows of a factor are improved"),
        option_field("inner-iterations", &CpAprOptions::inner_iterations,
                     "steps of a mode in a sweep at most; 0: 1 by Newton's method, 10 "
                     "multiplicative ones",
                     0, 1e6),
        option_field("tolerance", &CpAprOptions::tolerance,
                     "stop when the KKT violation is below this; 0: never", 0.0),
        option_field("time-limit", &CpAprOptions::time_limit,
                     "stop after the iteration that ends past this many seconds; 0: none", 0.0),
        option_field("seed", &CpAprOptions::seed, "seed of random initial guesses", 0.0,
                     18446744073709551615.0),
        option_field("starts", &CpAprOptions::starts,
                     "random starts, of which the one with the lowest objective is kept", 1, 1e6),
        option_field("init", &CpAprOptions::init, "distribution of random initial guesses"),
        option_field("kappa", &CpAprOptions::kappa,
                     "added to elements near 0 that should not be there, of an initial guess and "
                     "by multiplicative steps",
                     0.0),
        option_field("kappa-tolerance", &CpAprOptions::kappa_tolerance,
                     "elements of at most this are near 0", 0.0),
        option_field("memory-available", &CpAprOptions::memory_available,
                     "bytes that the run may take beside the tensor; 0: as many as are free", 0.0),
        option_group(&CpAprOptions::mttkrp));
  }
};

/// What CP-APR alone has to say of a run.
struct CpAprFigures {
  /// Twice the sum over all entries of x log(x / m) - x + m; of 0 and 1 twice the objective.
  double deviance = 0.0;
  std::size_t inner_iterations = 0;  ///< steps of all sweeps and modes
  CountSteps steps{};                ///< that were taken: not `automatic`
  std::size_t lifted_zeros = 0;      ///< elements of the caller's guess that were raised from 0
  std::vector<GcpWarning> warnings = {};

  static constexpr auto figures() {
    return member_table(result_field("deviance", &CpAprFigures::deviance),
                        result_field("inner_iterations", &CpAprFigures::inner_iterations));
  }
};

/// The result of CP-APR. Columns of all factors have 1-norm one, so that weights are counts: they
/// add up to the sum of the tensor. `objective` is F = sum of M over all entries - sum over
/// nonzeros of x log m or, of 0 and 1, of log(exp(m) - 1), `kkt_violation` the largest |min(B, 1 -
/// Phi)| of the last sweep, each mode before its steps. Its phases:
///   merge      adding up of duplicates
///   norm       norm and sum of the tensor
///   prepare    whatever the traversal over the nonzeros needs
///   setup      memory for factors and sums, and the initial guess
///   traversal  over the nonzeros, one for every step; by Newton's method with the rows' update
///   update     of the rows
///   objective  after each sweep, and of extrapolated models
///   loop, observer, undo, release, arrange   as those of CP-ALS
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct CpAprResult : CpResult<Scalar, Exec>, CpAprFigures {
  using Own = CpAprFigures;
};

/// Fits a model of counts by maximum likelihood under Poisson's distribution, zeros included:
/// alternating over the modes, steps that keep it nonnegative and never raise the objective. After
/// every step the model adds up to what the tensor adds up to. Elements at 0 that are not at a
/// minimum there are lifted; those that belong there are not.
///
/// With CountLoss::bernoulli_poisson the tensor's values are 0 and 1 and say whether a count of
/// mean m is above 0: the loss is m at zeros and -log(1 - exp(-m)) at ones (Hu, Rai and Carin,
/// Zero-Truncated Poisson Tensor Factorization for Massive Binary Tensors, UAI 2015), which is
/// convex in a row, too. Steps are the same with the expected count in the place of x; the model
/// adds up to no given number. Where all entries of a slice are 1 there is no minimum, which
/// `warnings` say.
///
/// Multiplicative steps: Chi and Kolda, On Tensors, Sparsity, and Nonnegative Factorizations, SIAM
/// J. Matrix Anal. Appl. 33:1272 (2012), algorithm 3. They are cheap, and slow to converge.
/// Newton's, on hosts: for every row, Hessian and gradient in one traversal, and the step that
/// promises most of a damped one within the bounds and the multiplicative one; see CountStep. The
/// first sweeps are multiplicative, one step a mode, until one gains no more than a hundredth of
/// what all have: from there Newton's find better minima than from the guess. Hansen, Plantenga and
/// Kolda, Optim. Methods Softw. 30:1002 (2015), solve rows by Newton's method, too, with a search
/// along a line where here the damping is known beforehand. A step takes about R / 6 times as much
/// work as a multiplicative one, and converges in a tenth to a hundredth as many.
///
/// Between sweeps of either kind the model is extrapolated where that lowers the objective, which
/// is evaluated once more a sweep; see Extrapolation.
///
/// Values must not be negative; they need not be whole. The paper's numbers, kappa and its
/// tolerance, are for counts: tensors whose values are all below 1, or above 2^64, are
/// divided by a power of two first, and `kkt_violation` is that of what then is decomposed.
/// Newton's steps have the same bits for every number of threads; multiplicative ones where the
/// kernel is deterministic, as `sorted` is. Kernels, of multiplicative steps alone: `auto` takes
/// `sorted` on hosts where it takes the tensor, otherwise `atomic`.
/// Memory: the model twice, of several starts also the best, and a matrix of the size of the
/// longest factor, beside what the kernel needs; for Newton's method what RowEquations::memory
/// says, instead. Throws Error for a tensor of order 0, for Newton's method on a device, for values
/// that are negative or not finite (or neither 0 nor 1), and for options out of range; of kind
/// memory where there is not enough.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The same from a guess of the tensor's dimensions, which is not changed. Where it is 0 at a
/// nonzero, kappa is added to all of its zeros in the rows of such nonzeros, in all modes: a
/// product never leaves 0, and where two modes have a row of zeros no derivative says that one of
/// them should. Throws Error where it has no components, numbers that are negative or not finite,
/// where a kappa of 0 leaves it 0 at a nonzero, and for more than one start. Its rank counts, not
/// the options'.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& guess, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// Goes on from a checkpoint, which an observer of a run on the same tensor has made; on hosts, by
/// deterministic kernels, to the bits of a run that was not interrupted. `options` are those of
/// that run, but for those of `may_change_on_resume`. Throws Error for a checkpoint of another
/// tensor, other options or another solver.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpAprResult<Scalar, Exec> cp_apr(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpAprOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

namespace detail {
[[nodiscard]] CpAprOptions saved_apr_options(std::string_view state);
[[nodiscard]] bool is_apr_state(std::string_view state);
}  // namespace detail

/// The options of the run that a checkpoint is of; `rank` is that of its model also where it came
/// from a guess. Throws Error for a checkpoint of another solver.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpAprOptions checkpoint_apr_options(
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::saved_apr_options(checkpoint.state);
}

/// Whether a checkpoint is of a run of cp_apr.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] bool is_apr_checkpoint(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::is_apr_state(checkpoint.state);
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/apr/cp_apr_impl.hpp>
#endif
