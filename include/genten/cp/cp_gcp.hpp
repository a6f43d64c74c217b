// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// cp_gcp: generalized CP decomposition, the minimum of any loss by its exact gradient.

#include <genten/base/option_field.hpp>
#include <genten/core/mode_selection.hpp>
#include <genten/cp/gcp_warning.hpp>
#include <genten/cp/holdout.hpp>
#include <genten/cp/loss_gradient.hpp>
#include <genten/cp/observer.hpp>
#include <genten/cp/result.hpp>
#include <genten/cp/row_constraints.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace genten {

/// Random initial guesses of cp_gcp.
enum class GcpInit {
  automatic,  ///< uniform for losses whose factors are nonnegative, normal for others
  uniform,
  normal
};

constexpr auto enum_words(GcpInit) {
  return std::array{EnumWord("auto", GcpInit::automatic,
                             "uniform for losses of nonnegative models, normal for others"),
                    EnumWord("uniform", GcpInit::uniform, "in [0, 1)"),
                    EnumWord("normal", GcpInit::normal, "standard normal")};
}

/// How cp_gcp minimizes.
enum class GcpMethod {
  lbfgs,  ///< limited-memory BFGS by exact gradients
  adam,   ///< Adam by gradients of random entries
  rows,   ///< Newton's method row by row
  /// rows for losses with `by_rows`, on hosts and where zeros are not sampled, else lbfgs
  automatic
};

constexpr auto enum_words(GcpMethod) {
  return std::array{
      EnumWord("auto", GcpMethod::automatic,
               "rows for poisson, negative-binomial and bernoulli-odds, where it can be, else "
               "lbfgs"),
      EnumWord("lbfgs", GcpMethod::lbfgs, "limited-memory BFGS by exact gradients"),
      EnumWord("adam", GcpMethod::adam,
               "Adam by random entries, an iteration being an epoch of steps"),
      EnumWord("rows", GcpMethod::rows,
               "Newton's method row by row, all factors in turn, on hosts")};
}

/// Parameters of cp_gcp. Defaults are those of the fields' initializers.
struct CpGcpOptions {
  std::size_t rank = 16;
  std::size_t max_iterations = 10000;
  double tolerance = 1e-5;
  double time_limit = 0.0;
  std::uint64_t seed = 1;
  std::size_t starts = 1;
  GcpInit init = GcpInit::automatic;
  UnlistedEntries unlisted = UnlistedEntries::zeros;
  std::vector<int> fixed_modes = {};
  ModeSelection nonnegative = {};
  /// Empty: the loss's own, 0.1 for poisson-log and bernoulli-logit and 0 for others.
  std::vector<double> ridge = {};
  /// Of modes whose factors are nonnegative: none, one for all modes, or one a mode.
  std::vector<double> l1 = {};
  std::vector<double> lower = {};
  std::vector<double> upper = {};
  double holdout = 0.0;
  std::uint64_t holdout_seed = 1;
  std::size_t patience = 100;
  GcpMethod method = GcpMethod::automatic;
  std::size_t corrections = 8;
  double rate = 1e-3;
  std::size_t epoch_steps = 1000;
  std::size_t batch = 0;
  std::size_t failures = 2;
  double most_operations = 2e9;
  std::size_t zero_samples = 100000;
  /// Bytes that a run may take beside the tensor, where it computes; 0: as many as are available.
  double memory_available = 0.0;
  MttkrpOptions mttkrp = {};
  /// What `slices_without_minimum` has said of the tensor; none: the run finds it.
  std::optional<std::vector<GcpWarning>> slices = {};
  /// Of adam, asked after each step, in the thread that called: whether the run is to end there.
  std::function<bool()> interrupted = {};

  static constexpr auto fields() {
    constexpr double most_seed = 18446744073709551615.0;
    const auto run = member_table(
        option_field("rank", &CpGcpOptions::rank, "number of components R", 1, 1e6),
        option_field("max-iterations", &CpGcpOptions::max_iterations, "steps at most", 0, 1e9),
        option_field("tolerance", &CpGcpOptions::tolerance,
                     "stop when the projected gradient of each factor times the factor, both by "
                     "2-norm, is below this part of the objective; 0: never",
                     0.0),
        option_field("time-limit", &CpGcpOptions::time_limit,
                     "stop after the iteration that ends past this many seconds; 0: none", 0.0),
        option_field("seed", &CpGcpOptions::seed, "seed of random initial guesses", 0.0, most_seed),
        option_field("starts", &CpGcpOptions::starts,
                     "random starts, of which the best is kept, by its loss over held-out entries "
                     "or, without any, its objective",
                     1, 1e6),
        option_field("init", &CpGcpOptions::init, "distribution of random initial guesses"),
        option_field("unlisted", &CpGcpOptions::unlisted, "entries that the tensor does not list"),
        option_field("fixed-modes", &CpGcpOptions::fixed_modes,
                     "modes whose factors stay as in the initial guess"));
    const auto constraints = constraint_fields<CpGcpOptions>(
        "penalty, half of it times the squared 2-norm of the factor; one number for all modes or "
        "one a mode; none: that of the loss",
        "penalty times the sum of the factor's elements, of nonnegative factors; one number for "
        "all modes or one a mode");
    const auto method = member_table(
        option_field("holdout", &CpGcpOptions::holdout,
                     "part of the entries that is held out, to test the model by: zeros among them "
                     "where these count",
                     0.0, 0.99),
        option_field("holdout-seed", &CpGcpOptions::holdout_seed,
                     "seed of the choice of held-out entries", 0.0, most_seed),
        option_field("patience", &CpGcpOptions::patience,
                     "stop after so many steps in which the loss over held-out entries has not "
                     "fallen; 0: never",
                     0, 1e9),
        option_field("method", &CpGcpOptions::method, "how all factors are moved"),
        option_field("corrections", &CpGcpOptions::corrections,
                     "steps that the next one's direction is made from", 1, 20),
        option_field("rate", &CpGcpOptions::rate,
                     "of adam: how far a step moves an element, about; a tenth of it after each "
                     "epoch that fails",
                     1e-12, 1e3),
        option_field("epoch-steps", &CpGcpOptions::epoch_steps,
                     "of adam: steps of an epoch; one that does not lower the objective has failed "
                     "and is undone",
                     1, 1e6),
        option_field("batch", &CpGcpOptions::batch,
                     "of adam: nonzeros that a gradient is made of, and as many zeros; 0: three "
                     "times the nonzeros an epoch, at least 1000",
                     0, 1e8),
        option_field("failures", &CpGcpOptions::failures,
                     "of adam: epochs that may fail; one more ends the run", 0, 100),
        option_field("most-operations", &CpGcpOptions::most_operations,
                     "operations of a gradient, at most, where zeros are summed one by one", 0.0),
        option_field("zero-samples", &CpGcpOptions::zero_samples,
                     "zeros that are drawn to stand for all where these have no closed form and "
                     "take more operations than that; 0: that is refused",
                     0, 1e10),
        option_field("memory-available", &CpGcpOptions::memory_available,
                     "bytes that the run may take beside the tensor; 0: as many as are free", 0.0),
        option_group(&CpGcpOptions::mttkrp));
    return member_table(run, constraints, method);
  }
};

/// What cp_gcp alone has to say of a run.
struct CpGcpFigures {
  LossFacts loss;
  GcpMethod method{};  ///< that was taken
  ZeroSums zeros{};
  double entries = 0.0;            ///< that count, without those that are held out
  std::vector<double> ridge = {};  ///< by mode, as it was used
  /// 2-norm, over all factors that are not fixed.
  double projected_gradient = 0.0;
  /// At a minimum the sum over all entries of m f'(x, m) is -ridge_n ||A_n||^2 - l1_n sum A_n, for
  /// every mode n without bounds other than 0: the largest difference. NaN where no mode is such.
  double scale_equation = std::numeric_limits<double>::quiet_NaN();
  /// Standard error of the objective, where zeros are sampled; else 0.
  double objective_error = 0.0;
  std::vector<double> objective_errors = {};  ///< likewise after each iteration of the best start
  std::size_t objectives = 0;                 ///< that were computed
  std::size_t gradients = 0;                  ///< likewise, without those of few entries
  std::size_t failed_epochs = 0;
  offset_t empty_rows = 0;  ///< that no entry counts for, and are 0
  /// Of x less its expected value over held-out entries, of the model that is returned.
  HoldoutErrors holdout = {};
  /// The mean of f over held-out entries, likewise, and its standard error; NaN where there are
  /// none.
  double holdout_loss = std::numeric_limits<double>::quiet_NaN();
  double holdout_loss_error = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> holdout_losses = {};  ///< the mean after each iteration of the best start
  std::size_t returned_iteration = 0;       ///< whose model it is; 0: the guess
  std::vector<GcpWarning> warnings = {};

  static constexpr auto figures() {
    using Figures = CpGcpFigures;
    return member_table(
        result_field("method", &Figures::method), result_field("zeros", &Figures::zeros),
        result_field("entries", &Figures::entries), result_field("ridge", &Figures::ridge),
        result_field("projected_gradient", &Figures::projected_gradient),
        result_field("scale_equation", &Figures::scale_equation),
        result_field("objective_error", &Figures::objective_error),
        result_field("objective_errors", &Figures::objective_errors),
        result_field("objectives", &Figures::objectives),
        result_field("gradients", &Figures::gradients),
        result_field("failed_epochs", &Figures::failed_epochs),
        result_field("empty_rows", &Figures::empty_rows),
        result_field("holdout", &Figures::holdout),
        result_field("holdout_loss", &Figures::holdout_loss),
        result_field("holdout_loss_error", &Figures::holdout_loss_error),
        result_field("holdout_losses", &Figures::holdout_losses),
        result_field("returned_iteration", &Figures::returned_iteration));
  }
};

/// The result of cp_gcp. `objective` is the loss and the penalty, `fit` and `residual_norm` are of
/// X - M over the entries that count, which for losses whose model is no mean say little.
/// `kkt_violation` is what the tolerance is compared with. Its phases:
///   merge      adding up of duplicates
///   split      held-out and missing entries from the others
///   norm       of the tensor
///   prepare    whatever the traversal of the nonzeros needs
///   setup      memory, and the initial guess
///   objective  of points that are tried, some of them more than once a step
///   gradient
///   direction  and all other work on factors
///   loop, observer, undo, arrange   as those of CP-ALS
template <RealScalar Scalar, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
struct CpGcpResult : CpResult<Scalar, Exec>, CpGcpFigures {
  using Own = CpGcpFigures;
};

/// Fits a model under any loss by its exact objective and gradient: no samples, no rates, the same
/// answer every time. Limited-memory BFGS over all factors at once: the last `corrections` steps
/// give the direction of the elements that are not at a bound with their gradient pointing beyond
/// it, a search along the projected path the step. Objectives never rise. Byrd, Lu, Nocedal and
/// Zhu, SIAM J. Sci. Comput. 16:1190 (1995) for the bounds' role; Bertsekas, SIAM J. Control Optim.
/// 20:221 (1982) for the projection; Hong, Kolda and Duersch, SIAM Review 62:133 (2020) for GCP.
///
/// With `holdout`, that part of the entries that count is left out of the sums and tests the model:
/// where unlisted entries are missing, listed ones, by the hash that cp_completion has; else that
/// part of all entries of the box, drawn without repetition from `holdout_seed` alone, so that
/// zeros are among them in proportion, and the same are held out whatever the tensor, rank and
/// loss. The model that is returned has the least mean loss over them, and a run stops when
/// `patience` steps have not brought that down by a hundredth of its standard error. Where m is 0
/// at a held-out nonzero, the 1e-10 that losses add to it keep the loss finite; it is then large:
/// 23 x for poisson, 1e10 x for gamma.
///
/// Factors are nonnegative for losses that need it. For losses that scale with the data (gaussian,
/// weighted, huber) the tensor's scale is taken out first; those with a logarithm or a division
/// add 1e-10 to m there, so that their data should be much larger than that.
///
/// Where zeros have no closed form and are too many to go through, `zero_samples` of them are
/// drawn, as LossGradient says, and `zeros` of the result is `sampled`. A sample stands for ten
/// steps, in which the objective of that sample does not rise; then another is drawn, by the model
/// as it then is. The run ends when two new samples in turn tell of a gain that is below its
/// standard error, or below the tolerance as a part of the objective. The final objective and its
/// error are those of a sample that no step has seen, unless entries are held out; those of the
/// history may be less by what a sample flatters.
///
/// With `GcpMethod::adam` an iteration is an epoch of `epoch_steps` steps of Adam (.9, .999, 1e-8)
/// along gradients of `batch` random nonzeros, all of them where there are no more, and as many
/// random zeros. The objective is found after each epoch, exactly or by one sample of zeros that is
/// drawn when a start begins: where it has not fallen, the epoch is undone, and those after it have
/// a tenth of the rate. The run ends when more than `failures` epochs have failed, `stalled`, or as
/// the gradient over all entries meets the tolerance. It is what other codes have for large
/// tensors; by L-BFGS the same minimum is mostly found sooner, and to all digits. `interrupted` and
/// `time_limit` end it within an epoch, whose steps are kept if they lower the objective; a
/// checkpoint is then of the epoch's beginning, so that a resumed run has the bits of one that was
/// not interrupted.
///
/// With `GcpMethod::rows` an iteration takes all factors in turn. Each row of a factor depends on
/// the entries of its slice and on the other factors alone: it takes up to four steps of Newton's
/// method, as project_rows does. Where f is not convex in m, its second derivative is made
/// positive. An iteration took as long as twenty steps of L-BFGS (R = 4), and there are far fewer.
/// In the first two, rows take one step. On hosts, without samples.
///
/// By deterministic kernels results have the same bits for every number of threads of a host.
/// Memory: 2 corrections + 5 models, 9 with adam, 5 with rows, one more with held-out entries,
/// beside what the kernel needs. Throws Error for what LossGradient refuses, for options out of
/// range, and for bounds that the loss does not allow; of kind memory where there is not enough.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The same from a guess of the tensor's dimensions, which is not changed; its rank counts, not the
/// options'. Throws Error where it is outside the bounds, and for more than one start.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const Ktensor<Scalar, Exec>& guess, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// Goes on from a checkpoint, which an observer of a run with the same tensor and loss has made; on
/// hosts, by deterministic kernels, to the bits of a run that was not interrupted. `options` are
/// those of that run, but for those of `may_change_on_resume`. Throws Error for a checkpoint of
/// another tensor, loss or solver, and for other options.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor, const AnyLoss& loss,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// Fits a model to all entries but those that `missing` lists, by their subscripts, whether the
/// tensor lists them or not; the list's values mean nothing. What missing entries would add to the
/// sum over all is taken away from it: exact, at a cost that grows with their number. Where m is
/// much larger at missing entries than at others, digits are lost. Rows without an entry that
/// counts are 0. Throws Error where `missing` has other dimensions, and where nothing is left.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const AnyLoss& loss,
    const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The same from a guess.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const AnyLoss& loss,
    const Ktensor<Scalar, Exec>& guess, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The same from a checkpoint of a run with that list, in any order.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] CpGcpResult<Scalar, Exec> cp_gcp(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>& missing, const AnyLoss& loss,
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint, const CpGcpOptions& options,
    const std::type_identity_t<KtensorObserver<Scalar, Exec>>& observer = {});

/// The slices for which cp_gcp has no minimum to reach, which tensor and options say before a run:
/// all entries are 0, or are 1, and the loss, without a penalty, lets elements grow without end.
/// One pass over the nonzeros counts for all modes; entries of `missing`, if it is not null, count
/// for nothing. Nothing is passed over where the loss has no such slices. Throws Error for bounds
/// and modes that cp_gcp refuses.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] std::vector<GcpWarning> slices_without_minimum(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Sptensor<Scalar, Ordinal, Exec>* missing, const LossFacts& loss,
    const CpGcpOptions& options);

namespace detail {
[[nodiscard]] CpGcpOptions saved_gcp_options(std::string_view state);
[[nodiscard]] AnyLoss saved_gcp_loss(std::string_view state);
[[nodiscard]] bool is_gcp_state_with_list(std::string_view state);
[[nodiscard]] bool is_gcp_state(std::string_view state);
}  // namespace detail

/// The options of the run that a checkpoint is of; `rank` is that of its model also where it came
/// from a guess. Throws Error for a checkpoint of another solver.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] CpGcpOptions checkpoint_gcp_options(
    const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::saved_gcp_options(checkpoint.state);
}

/// The loss of that run. Throws Error likewise, and where the loss is a caller's own.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] AnyLoss checkpoint_gcp_loss(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::saved_gcp_loss(checkpoint.state);
}

/// Whether that run had a list of missing entries. Throws Error for a checkpoint of another solver.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] bool lists_missing_entries(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::is_gcp_state_with_list(checkpoint.state);
}

/// Whether a checkpoint is of a run of cp_gcp.
template <RealScalar Scalar, ExecutionSpace Exec>
[[nodiscard]] bool is_gcp_checkpoint(const Checkpoint<Ktensor<Scalar, Exec>>& checkpoint) {
  return detail::is_gcp_state(checkpoint.state);
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/gcp/cp_gcp_impl.hpp>
#endif
