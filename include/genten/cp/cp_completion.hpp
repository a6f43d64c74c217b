// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// CP decomposition of tensors with missing entries: tensor completion by alternating least
/// squares.

#include <genten/base/option_field.hpp>
#include <genten/core/factor_kind.hpp>
#include <genten/core/mode_selection.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/cp/holdout.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/result.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/mttkrp/options.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten {

/// Parameters of cp_completion.
struct CpCompletionOptions {
  std::size_t rank = 16;
  std::size_t max_iterations = 100;
  double tolerance = 1e-5;
  double time_limit = 0.0;
  std::uint64_t seed = 1;
  std::size_t starts = 1;
  FactorKind init = FactorKind::uniform;
  /// One number for all modes or one a mode; none: where all entries that are not listed are
  /// missing, by the noise (see cp_completion), else 0.
  std::vector<double> ridge = {};
  /// Modes whose factors have no negative elements.
  ModeSelection nonnegative = {};
  /// As those of CpAlsOptions: none, one for all modes, or one a mode.
  std::vector<double> l1 = {};
  std::vector<double> lower = {};
  std::vector<double> upper = {};
  double holdout = 0.0;
  std::uint64_t holdout_seed = 1;
  std::size_t patience = 20;
  /// Bytes that a run may take beside the tensor, where it computes; 0: as many as are available.
  double memory_available = 0.0;
  MttkrpOptions mttkrp = {};

  static constexpr auto fields() {
    constexpr double most_seed = 18446744073709551615.0;
    // Checkpoints have the options in the order of their lines.
    const auto constraints = constraint_fields<CpCompletionOptions>(
        "penalty, half of it times the squared 2-norm of the factor; one number for all modes or "
        "one a mode; none: where unlisted entries are missing one that the run fits to the noise, "
        "else 0",
        "penalty times the sum of the factor's absolute values, one number for all modes or one a "
        "mode");
    return member_table(
        option_field("rank", &CpCompletionOptions::rank, "number of components R", 1, 1e6),
        option_field("max-iterations", &CpCompletionOptions::max_iterations,
                     "sweeps over all modes at most", 0, 1e9),
        option_field("tolerance", &CpCompletionOptions::tolerance,
                     "stop when the objective changes by less than this part of it; 0: never", 0.0,
                     1.0),
        option_field("time-limit", &CpCompletionOptions::time_limit,
                     "stop after the iteration that ends past this many seconds; 0: none", 0.0),
        option_field("seed", &CpCompletionOptions::seed, "seed of random initial guesses", 0.0,
                     most_seed),
        option_field("starts", &CpCompletionOptions::starts,
                     "random starts, of which the best is kept, by its error over held-out entries "
                     "or, without any, its objective",
                     1, 1e6),
        option_field("init", &CpCompletionOptions::init, "distribution of random initial guesses"),
        line_of<1>(constraints), line_of<0>(constraints), line_of<2>(constraints),
        line_of<3>(constraints), line_of<4>(constraints),
        option_field("holdout", &CpCompletionOptions::holdout,
                     "part of the listed entries that is held out, to test the model by", 0.0,
                     0.99),
        option_field("holdout-seed", &CpCompletionOptions::holdout_seed,
                     "seed of the choice of held-out entries", 0.0, most_seed),
        option_field("patience", &CpCompletionOptions::patience,
                     "stop after so many sweeps in which the error over held-out entries has not "
                     "fallen; 0: never",
                     0, 1e9),
        option_field("memory-available", &CpCompletionOptions::memory_available,
                     "bytes that the run may take beside the tensor; 0: as many as are free", 0.0),
        option_group(&CpCompletionOptions::mttkrp));
  }
};

/// What cp_completion alone has to say of a run.
struct CpCompletionFigures {
  double entries = 0.0;                ///< that count; there may be more than integers count
  double rmse = 0.0;                   ///< residual_norm / sqrt(entries)
  HoldoutErrors holdout = {};          ///< of the model that is returned
  std::size_t returned_iteration = 0;  ///< whose model it is; 0: the guess
  std::vector<double> ridge = {};      ///< by mode, of the sweep that the model is of
  /// Rows of all modes that are zero because none of their entries counts or, where missing entries
  /// are listed, is a nonzero.
  offset_t empty_rows = 0;
  /// The largest weight as a part of the norm that the whole tensor would have if missing entries
  /// were as large as the others. Weights much larger cancel each other at the entries that count,
  /// and mean nothing elsewhere.
  double weight_ratio = 0.0;

  static constexpr auto figures() {
    using Figures = CpCompletionFigures;
    return member_table(
        result_field("entries", &Figures::entries), result_field("rmse", &Figures::rmse),
        result_field("holdout", &Figures::holdout),
        result_field("returned_iteration", &Figures::returned_iteration),
        result_field("ridge", &Figures::ridge), result_field("empty_rows", &Figures::empty_rows),
        result_field("weight_ratio", &Figures::weight_ratio));
  }
};

/// The result of cp_completion. `tensor_norm`, `residual_norm`, `fit` and `objective` are over the
/// entries that count: not over missing ones, and not over those that are held out. With held-out
/// entries, model and numbers are those of the iteration with the least error over them;
/// `iterations` and `history` go on beyond it. Its phases:
///   merge         adding up of duplicates
///   split         held-out entries, and entries that are listed as missing, from the others
///   norm          of the tensor
///   prepare       relabeling, sorting of entries by each mode, and what MTTKRP needs
///   setup         memory for factors, and the initial guess
///   rows          sums and solutions of rows' systems
///   mttkrp        where missing entries are listed
///   scale         of columns, so that modes share the penalty
///   objective     and errors over held-out entries
///   loop, observer, undo, arrange   as those of CP-ALS
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct CpCompletionResult : CpResult<Scalar, Exec>, CpCompletionFigures {
  using Own = CpCompletionFigures;
};

/// A ridge for every mode that grows with the data as the objective does: 1e-3 t^2 / s^(2 / N), t
/// being `tensor_norm`, N the order, and s = t sqrt(all_entries / entries) the norm that the whole
/// tensor would have if missing entries were as large as the others; 0 where t or `entries` are.
/// The diagonals of rows' systems are about a thousand times as large: enough to keep components
/// from growing without end while they cancel each other. Components whose norm is below a
/// hundredth of t fall to zero.
[[nodiscard]] inline double first_completion_ridge(double tensor_norm, double entries,
                                                   double all_entries, int order) {
  if (!(tensor_norm > 0.0) || !(entries > 0.0)) return 0.0;
  const double whole = tensor_norm * std::sqrt(all_entries / entries);
  return 1e-3 * tensor_norm * tensor_norm / std::pow(whole, 2.0 / static_cast<double>(order));
}

/// The ridge that residuals ask for: ten times the variance of noise over that of a factor's
/// elements. With the ratio itself the models of the best starts miss the entries of planted
/// tensors by 2 % less. Ten times as much keeps other starts, whose residuals are more than noise,
/// from overfitting. `parameters` are the free numbers of the model, and `squares` is the sum of
/// the squares of all factors' elements. Infinite where entries are too few to tell.
[[nodiscard]] inline double completion_ridge_of_noise(double squared_residual, double entries,
                                                      double parameters, double squares) {
  if (!(entries > parameters) || !(squares > 0.0)) return std::numeric_limits<double>::infinity();
  return 10.0 * squared_residual / (entries - parameters) * parameters / squares;
}

/// Fits a model to the entries that a tensor lists: those that it does not list are missing.
/// Minimized is
///   1/2 sum over listed entries of (x - m)^2 + sum_n [ridge_n / 2 ||A_n||^2 + l1_n sum |A_n|]
/// with lower_n <= A_n <= upper_n, by alternating least squares, in which every row has a system of
/// its own (RowEquations); modes with bounds or an l1 penalty by coordinate descent of these. After
/// every sweep the columns of a component are scaled to share the penalty, which leaves the model
/// as it is. The objective never rises but by rounding. Smith, Park and Karypis, An Exploration of
/// Optimization Algorithms for High Performance Tensor Completion, SC'16.
///
/// Where no ridge is given, a run begins with first_completion_ridge of the entries' norm or, where
/// their mean holds nearly all of it, of what varies about that. Once a sweep has changed the
/// objective by less than a thousandth, the ridge falls after each to completion_ridge_of_noise, by
/// three tenths at most, a hundredth at least, and no further than to a thousandth of the first. It
/// never rises, nor does the objective, and a run whose ridge falls has not converged. A guess
/// begins with what its residuals ask for. Starts are compared with the smaller of their ridges.
///
/// Explicit zeros are entries with the value 0; duplicates are added up. With `holdout`, that part
/// of the listed entries is left out of the sums and tests the model: chosen by a hash of the
/// subscripts and `holdout_seed`, the same on every backend and in any order of the entries. The
/// run stops when `patience` sweeps have not brought the RMSE over them down by 1e-4 of it, and the
/// model with the least is returned.
///
/// On hosts results have the same bits for every number of threads. Throws Error for a tensor of
/// order 0 or without entries that count, for options out of range, and for a holdout that leaves
/// no entry on either side; of kind memory where there is not enough.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The same from a guess of the tensor's dimensions, which is not changed. Its rank counts, not the
/// options'. With a ridge its scale matters. Throws Error for more than one start.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& guess, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// Fits a model to all entries but those that `missing` lists, by their subscripts; its values do
/// not count. Entries that the tensor does not list are zero. The sum over all entries comes from
/// Gram matrices and MTTKRP, and what missing entries would contribute is taken away: exact, at a
/// cost that grows with their number. Where the fit is near 1 the objective loses digits, as that
/// of CP-ALS does. Throws Error where `missing` has other dimensions, and for a holdout.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The same from a guess.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const Ktensor<Scalar, Exec>& guess,
    const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// Goes on from a checkpoint, which an observer of a run on the same tensor has made; on hosts to
/// the bits of a run that was not interrupted. `options` are those of that run, but for those of
/// `may_change_on_resume`. Throws Error for a checkpoint of another tensor, other options or
/// another solver.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The same with the list of missing entries that the run had, in any order.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpCompletionResult<Scalar, Exec> cp_completion(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpCompletionOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// What a checkpoint is, as far as missing entries go.
enum class CompletionCheckpoint {
  none,      ///< of another solver
  unlisted,  ///< of a run in which entries that are not listed were missing
  listed     ///< of one with a list of missing entries
};

namespace detail {
[[nodiscard]] CpCompletionOptions saved_completion_options(std::string_view state);
[[nodiscard]] CompletionCheckpoint saved_completion(std::string_view state);
}  // namespace detail

/// The options of the run that a checkpoint is of; `rank` is that of its model also where it came
/// from a guess. Throws Error for a checkpoint of another solver.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpCompletionOptions checkpoint_completion_options(
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::saved_completion_options(checkpoint.state);
}

/// Which of these a checkpoint is.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CompletionCheckpoint completion_checkpoint(
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::saved_completion(checkpoint.state);
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/completion/cp_completion_impl.hpp>
#endif
