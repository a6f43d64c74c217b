// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Intervals of a model's numbers from refits of data that are drawn again.

#include <genten/cp/stop.hpp>
#include <genten/run/trust/standard_errors.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace genten {

/// The lower and the upper end of an interval, and the standard deviation of the refits.
struct IntervalNumbers {
  std::vector<double> lower, upper, deviation;
};

/// What the refits of a bootstrap say. Numbers are those of a model whose columns have norm one.
/// Of components that fewer than two refits have found again they are NaN, and so are those of the
/// factor of a mode whose slices were drawn.
struct Bootstrap {
  static constexpr double lowest = 0.05, highest = 0.95;  ///< the quantiles of the intervals

  std::size_t refits = 0;  ///< that were made
  std::size_t asked = 0;   ///< that were to be made
  /// What ended it before all were made: time_limit or observer.
  std::optional<StopReason> stopped = std::nullopt;
  /// By component, the share of refits that have found it; NaN of no refits.
  std::vector<double> found;
  IntervalNumbers weights;
  std::vector<IntervalNumbers> factors;  ///< by mode, rows x R numbers, by rows
};

/// Fits a model to entries, beginning at a guess. No model: no more refits are to be made.
using Refit =
    std::function<std::optional<HostModel>(const FittedEntries& entries, const HostModel& guess)>;

/// Draws data and fits the model again so many times, each beginning at the model. Data are drawn
/// from the model with the noise of the loss (poisson, the three of bernoulli, gaussian) or, where
/// `mode` is not negative, are slices of that mode, drawn with replacement. The components of
/// refits are brought to those of the model by the best sum of scores, without regard to weights,
/// their columns to the same signs; those that are not found (ComponentStability) do not count for
/// intervals. The same seed gives the same bits, for any number of threads where `refit` does.
[[nodiscard]] Bootstrap bootstrap(const Fitted& fitted, std::size_t refits, int mode,
                                  std::uint64_t seed, const Refit& refit);

/// Draws data from a model, with the noise of its loss: one refit's of a bootstrap. Poisson counts,
/// and links whose probabilities follow from them, are drawn by component, in time of the counts
/// and not of all entries. `noise_variance` is for the loss gaussian.
[[nodiscard]] FittedEntries simulate(const Fitted& fitted, double noise_variance,
                                     std::uint64_t seed);

/// Slices of a mode of a tensor, drawn with replacement; `rows` becomes the slice that each row is.
[[nodiscard]] FittedEntries draw_slices(const FittedEntries& entries, int mode, std::uint64_t seed,
                                        std::vector<std::size_t>& rows);

}  // namespace genten
