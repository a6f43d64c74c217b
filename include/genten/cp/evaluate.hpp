// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How well a model meets entries whose values are known, such as ones that it has not seen.

#include <genten/core/ktensor.hpp>
#include <genten/core/model_values.hpp>
#include <genten/core/sptensor.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/detail/completion/select_entries.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten {

/// Errors of a model over some entries, x being the values and m the model's.
struct EntryErrors {
  double entries = 0.0;        ///< how many; there may be more than integers count
  double residual_norm = 0.0;  ///< the root of the sum of (x - m)^2
  double rmse = 0.0;           ///< the root of their mean; NaN of no entries
  double mae = 0.0;            ///< mean |x - m|; NaN of no entries, and where it is not known
  /// Of counts x with means m, Poisson's: the sum of x log m - m - log x!; NaN where some x or m
  /// is negative, minus infinity where m is 0 and x is not.
  double log_likelihood = 0.0;
  /// Twice the sum of x log(x / m) - x + m: 0 where m = x, else positive. As for log_likelihood,
  /// but plus infinity.
  double deviance = 0.0;
};

/// What `evaluate` finds.
struct Evaluation {
  EntryErrors listed;  ///< over the nonzeros that the tensor stores
  /// Over all entries, those that the tensor does not store being zero. `mae`, `log_likelihood` and
  /// `deviance` are NaN for a model with negative numbers, whose sum over all entries does not tell
  /// that of the magnitudes.
  EntryErrors all;
  double tensor_norm = 0.0;
  double fit = 0.0;  ///< 1 - all.residual_norm / tensor_norm; NaN of a tensor of zeros

  /// Lets `all` be these errors, and the fit theirs.
  void count(const EntryErrors& counted) {
    all = counted;
    fit = tensor_norm > 0.0 ? 1.0 - all.residual_norm / tensor_norm
                            : std::numeric_limits<double>::quiet_NaN();
  }
  /// Lets the listed entries alone count.
  void leave_out_unlisted() { count(listed); }
};

/// Compares a model with a tensor, which must be free of duplicates. Dimensions must agree:
/// otherwise throws Error. Sums are taken in double, that of all entries' squares by
/// `residual_norm_extended`, on the host, in parallel, with the same result for every number of
/// threads. Reads the tensor and gathers rows of all factors twice.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Evaluation evaluate(const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                  const Ktensor<Scalar, Exec>& model);

/// What `evaluate` finds over all entries but those that `missing` lists, whether the tensor has
/// nonzeros there or not; the list's values mean nothing, and it may list an entry more than once.
/// Evaluates three times: at missing entries the tensor is given the model's values, rounded to
/// Scalar, which leave nothing there, so that nothing large is subtracted from a small rest but in
/// `log_likelihood`. Throws what `evaluate` throws.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Evaluation evaluate_without(const Exec& exec,
                                          const Sptensor<Scalar, Ordinal, Exec>& tensor,
                                          const Sptensor<Scalar, Ordinal, Exec>& missing,
                                          const Ktensor<Scalar, Exec>& model) {
  const auto zeros = detail::with_value(exec, sum_duplicates(exec, missing).tensor, Scalar(0));
  const auto known = detail::without_entries(exec, tensor, zeros);
  Evaluation found = evaluate(exec, known, model);
  const EntryErrors at_missing = evaluate(exec, zeros, model).listed;
  const auto met = Sptensor<Scalar, Ordinal, Exec>::trusted(
      exec, zeros.dimensions(), zeros.subscripts(),
      model_values<Scalar>(exec, model, zeros.subscripts()), zeros.facts());
  EntryErrors rest = evaluate(exec, detail::joined(exec, known, met), model).all;
  const double magnitudes = rest.mae * rest.entries;
  // Beyond the digits of residual_norm_extended. std::max keeps its first argument if that is NaN.
  rest.residual_norm = std::max(rest.residual_norm, found.listed.residual_norm);
  rest.entries -= at_missing.entries;
  rest.rmse = rest.residual_norm / std::sqrt(rest.entries);
  rest.mae = magnitudes / rest.entries;
  rest.log_likelihood = found.all.log_likelihood - at_missing.log_likelihood;
  found.count(rest);
  return found;
}

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/compare/evaluate_impl.hpp>
#endif
