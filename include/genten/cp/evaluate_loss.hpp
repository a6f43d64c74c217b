// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How well a model meets a tensor under any loss.

#include <genten/base/option_field.hpp>
#include <genten/cp/loss_gradient.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

namespace genten {

/// Whether the values of models under a loss are expected values themselves, not logarithms of odds
/// and the like.
[[nodiscard]] inline bool models_means(const AnyLoss& loss) {
  constexpr double some = 0.25;
  return loss.mean(some) == some;
}

/// What sums over zeros may cost in `evaluate_loss`.
struct LossEvaluationOptions {
  double most_operations = 2e9;
  std::size_t zero_samples = 100000;
  std::uint64_t sample_seed = 1;

  static constexpr auto fields() {
    using Options = LossEvaluationOptions;
    constexpr double most_seed = 18446744073709551615.0;
    return member_table(
        option_field("most-operations", &Options::most_operations,
                     "operations, at most, where zeros are gone through one by one", 0.0),
        option_field("zero-samples", &Options::zero_samples,
                     "zeros that are drawn to stand for all where that takes more operations", 1,
                     1e10),
        option_field("sample-seed", &Options::sample_seed, "seed of these draws", 0.0, most_seed));
  }
};

/// A loss over some entries, x being the values, m the model's and u the expected values that these
/// stand for.
struct LossErrors {
  double entries = 0.0;  ///< how many; there may be more than integers count
  double loss = 0.0;     ///< the sum of f(x, m)
  double error = 0.0;    ///< its standard error; 0 unless zeros are sampled
  /// The sum of `AnyLoss::deviance`; NaN of a loss without one.
  double deviance = 0.0;
  double rmse = 0.0;  ///< the root of the mean of (x - u)^2; NaN of no entries
  double mae = 0.0;   ///< the mean of |x - u|; NaN of no entries, and where it is not known
  /// Of data of 0 and 1, how probable it is that a 1 has a larger m than a 0, equal ones counting
  /// by half: the area under the ROC curve. NaN of other data, where one of both is not there, and
  /// of all entries where some are not listed.
  double auc = std::numeric_limits<double>::quiet_NaN();
};

/// What `evaluate_loss` finds.
struct LossEvaluation {
  LossFacts loss;
  /// How those entries were summed that the tensor does not list.
  ZeroSums zeros = ZeroSums::none;
  LossErrors listed;  ///< over the entries that the tensor lists
  /// Over all entries; NaN under a loss without a minimum where entries are 0, if some are.
  LossErrors all;

  /// Takes the errors at some of all entries, where the tensor was zero, out of `all`. See
  /// `evaluate_loss`.
  void leave_out(const LossErrors& some);
  /// Lets the listed entries alone count.
  void leave_out_unlisted() { all = listed; }
};

/// Compares a model with a tensor under a loss. The tensor must be free of duplicates. Sums over
/// zeros have a closed form, or are gone through one by one, or are estimates by a sample, as those
/// of LossGradient. RMSE and MAE of losses whose m is no mean have no closed form: then these are
/// summed one by one or estimated. Sums are taken in double on the host, with the same result for
/// every number of threads. Throws Error for other dimensions, of code `data` for values that the
/// loss does not take.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] LossEvaluation evaluate_loss(const Exec& exec,
                                           const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                           const Ktensor<Scalar, Exec>& model, const AnyLoss& loss,
                                           const LossEvaluationOptions& options = {});

/// The same over all entries but those that `missing` lists, if it is given, as `evaluate` takes
/// it. Sums over missing entries are subtracted: where they are many times as large as the rest,
/// this has as many digits less, and `rmse` and `mae` are at least those of the listed entries.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] LossEvaluation evaluate_loss(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& model,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing,
    const AnyLoss& loss, const LossEvaluationOptions& options = {});

inline void LossEvaluation::leave_out(const LossErrors& some) {
  const auto of_all = [](const LossErrors& errors, double mean) {
    return errors.entries > 0.0 ? mean * errors.entries : 0.0;
  };
  const auto residual = [](const LossErrors& errors) {
    return errors.entries > 0.0 ? errors.rmse * std::sqrt(errors.entries) : 0.0;
  };
  // std::max keeps its first argument if that is NaN.
  const double a = residual(all), b = residual(some);
  const double rest = std::sqrt(std::max(a - b, 0.0)) * std::sqrt(a + b);
  const double magnitudes = of_all(all, all.mae) - of_all(some, some.mae);
  all.entries -= some.entries;
  all.rmse = std::max(rest, residual(listed)) / std::sqrt(all.entries);
  all.mae = std::max(magnitudes, of_all(listed, listed.mae)) / all.entries;
  all.deviance -= some.deviance;
  all.loss -= some.loss;
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/compare/evaluate_loss_impl.hpp>
#endif
