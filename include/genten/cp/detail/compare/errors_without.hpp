// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What errors over all entries leave without those at some.

#include <algorithm>
#include <cmath>
#include <limits>

namespace genten::detail {

/// What EntryErrors and LossErrors have in common, over the entries of `all` that are not of
/// `some`: means of squares and of magnitudes, and the deviance.
template <class Errors>
[[nodiscard]] Errors errors_without(const Errors& all, const Errors& some) {
  Errors rest = all;
  rest.entries = all.entries - some.entries;
  const auto squares = [](const Errors& errors) {
    return errors.entries > 0.0 ? errors.rmse * errors.rmse * errors.entries : 0.0;
  };
  const auto magnitudes = [](const Errors& errors) {
    return errors.entries > 0.0 ? errors.mae * errors.entries : 0.0;
  };
  rest.rmse = std::sqrt(std::max(0.0, squares(all) - squares(some)) / rest.entries);
  rest.mae = (magnitudes(all) - magnitudes(some)) / rest.entries;
  rest.deviance = all.deviance - some.deviance;
  return rest;
}

/// NaN where nothing is left that could be explained, and something is put in its place.
[[nodiscard]] inline double fit_of(double residual, double norm) {
  if (norm > 0.0) return 1.0 - residual / norm;
  return residual == 0.0 ? 1.0 : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace genten::detail
