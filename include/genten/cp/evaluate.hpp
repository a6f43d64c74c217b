// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How well a model meets entries whose values are known, such as ones that it has not seen.

#include <genten/core/ktensor.hpp>
#include <genten/core/sptensor.hpp>

#include <limits>
#include <optional>
#include <type_traits>

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
  /// `deviance` are NaN for a model with negative numbers, whose sum over the entries that are not
  /// stored, if there are some, does not tell that of the magnitudes.
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

/// The same over all entries but those that `missing` lists, if it is given, whether the tensor has
/// nonzeros there or not; the list's values mean nothing, and it may list an entry more than once.
/// At missing entries the tensor is given the model's values, rounded to Scalar, which leave
/// nothing there: so nothing large is subtracted from a small rest but in `log_likelihood`.
template <RealScalar Scalar, SubscriptOrdinal Ordinal, ExecutionSpace Exec>
[[nodiscard]] Evaluation evaluate(
    const Exec& exec, const Sptensor<Scalar, Ordinal, Exec>& tensor,
    const Ktensor<Scalar, Exec>& model,
    const std::type_identity_t<std::optional<Sptensor<Scalar, Ordinal, Exec>>>& missing);

}  // namespace genten

#ifndef GENTEN_ETI
#include <genten/cp/detail/compare/evaluate_impl.hpp>
#endif
