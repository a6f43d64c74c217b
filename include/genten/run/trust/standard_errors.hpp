// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Standard errors of a model from the curvature of its likelihood, without refits.

#include <genten/base/enum_words.hpp>
#include <genten/run/trust/fitted.hpp>

#include <optional>
#include <vector>

namespace genten {

/// What a model's standard errors come from.
enum class Information {
  whole,  ///< all second derivatives together
  rows    ///< those of each row alone, all else being held: too small by what modes share
};

constexpr auto enum_words(Information) {
  return std::array{EnumWord("whole", Information::whole, "all second derivatives together"),
                    EnumWord("rows", Information::rows,
                             "second derivatives of each row alone, which is too little where "
                             "modes share what is uncertain")};
}

/// By mode: rows x R numbers, by rows.
using FactorNumbers = std::vector<std::vector<double>>;

/// Standard errors of a model whose columns have norm one. Numbers that there are none of are
/// NaN: of fixed factors, of components that are zero, and where the data determine nothing.
struct StandardErrors {
  Information information = Information::whole;
  /// Whether the second derivatives are positive definite but for what scales leave open: where
  /// not, the data do not determine the model, or the run has not reached a minimum.
  bool determined = true;
  /// The variance of the noise as estimated for the loss gaussian; otherwise 1.
  double noise_variance = 1.0;
  /// Of counts: the mean of (x - m)^2 / v over the listed entries whose expected value m is 3 or
  /// more, v being the variance that the loss has of it, where there are 100 of them. 1 of data as
  /// the loss has them.
  std::optional<double> overdispersion = std::nullopt;
  std::vector<double> weights;
  FactorNumbers factors;
  /// Entries at their bound of 0 have no standard error, but a limit that they hardly exceed: there
  /// the likelihood, all else being held, is a twentieth of what it is at the bound. NaN elsewhere.
  FactorNumbers upper_limits;
};

/// Models of so many numbers, (I_1 + ... + I_N) R, at most have the whole of their second
/// derivatives inverted.
inline constexpr std::size_t most_whole_numbers = 2000;

/// The standard errors of a fitted model, by the observed information: second derivatives of the
/// negative logarithm of the likelihood, with the ridge as that of a prior. That of the loss
/// gaussian is with the variance of the noise as the residuals have it. Normalized columns follow
/// by the delta method. Results have the same bits for any number of threads. What is refused,
/// check_trust refuses before the run.
///
/// Work: about nnz (N R)^2 for the whole, nnz N R^2 for rows, with all entries in place of nnz
/// where the loss of zeros is no polynomial; and P^3 for the inverse of P numbers.
[[nodiscard]] StandardErrors standard_errors(const Fitted& fitted);

}  // namespace genten
