// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What an iterative solver has done so far.

#include <genten/base/result_field.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace genten {

/// What a sweep has reached.
struct SweepOutcome {
  double fit = 0.0;            ///< 1 - residual_norm / ||X||
  double residual_norm = 0.0;  ///< ||X - M||, Frobenius
  /// What is minimized: 1/2 ||X - M||^2 and penalties.
  double objective = 0.0;
  /// See IterationRecord; NaN where it is not measured.
  double kkt_violation = std::numeric_limits<double>::quiet_NaN();
  /// Of entries that are held out; NaN where there are none.
  double holdout_rmse = std::numeric_limits<double>::quiet_NaN();
  double holdout_mae = std::numeric_limits<double>::quiet_NaN();

  static constexpr auto figures() {
    using Outcome = SweepOutcome;
    return member_table(result_field("fit", &Outcome::fit),
                        result_field("residual_norm", &Outcome::residual_norm),
                        result_field("objective", &Outcome::objective),
                        result_field("kkt_violation", &Outcome::kkt_violation),
                        result_field("holdout_rmse", &Outcome::holdout_rmse),
                        result_field("holdout_mae", &Outcome::holdout_mae));
  }
};

/// One finished iteration (a sweep over all modes).
struct IterationRecord {
  std::size_t iteration = 0;   ///< counted from 1
  double fit = 0.0;            ///< 1 - residual_norm / ||X||
  double fit_change = 0.0;     ///< fit minus that of the iteration before (of 0 for the first)
  double residual_norm = 0.0;  ///< ||X - M||, Frobenius
  double objective = 0.0;      ///< 1/2 ||X - M||^2 and penalties: what is minimized
  /// How far the factors were from a point where the conditions of Karush, Kuhn and Tucker hold:
  /// over all elements of modes with bounds or an l1 penalty, each mode before its update, the
  /// largest change that one element alone would want to make to M, as a part of ||X||. NaN where
  /// no mode has any: each is then met exactly in its turn.
  double kkt_violation = std::numeric_limits<double>::quiet_NaN();
  /// Errors over entries that are held out, root of the mean square and mean magnitude; NaN where
  /// there are none.
  double holdout_rmse = std::numeric_limits<double>::quiet_NaN();
  double holdout_mae = std::numeric_limits<double>::quiet_NaN();
  double seconds = 0.0;  ///< since the start of this run, preparation not counted

  static constexpr auto figures() {
    using Record = IterationRecord;
    return member_table(result_field("iteration", &Record::iteration),
                        result_field("fit", &Record::fit),
                        result_field("fit_change", &Record::fit_change),
                        result_field("residual_norm", &Record::residual_norm),
                        result_field("objective", &Record::objective),
                        result_field("kkt_violation", &Record::kkt_violation),
                        result_field("holdout_rmse", &Record::holdout_rmse),
                        result_field("holdout_mae", &Record::holdout_mae),
                        result_field("seconds", &Record::seconds));
  }
};

/// Where a run of `iterate` stands. With the model it is all that is needed to go on.
struct RunState {
  std::size_t start = 0;        ///< which of several starts this is, from 0
  double seconds_before = 0.0;  ///< spent before the loop began; a time limit counts them
  std::vector<IterationRecord> history = {};  ///< one record an iteration

  /// The fit that the last iteration has reached; 0 before the first.
  [[nodiscard]] double fit() const { return history.empty() ? 0.0 : history.back().fit; }
  /// The objective likewise.
  [[nodiscard]] double objective() const {
    return history.empty() ? 0.0 : history.back().objective;
  }
  /// Of the loop, until the end of the last iteration.
  [[nodiscard]] double seconds() const { return history.empty() ? 0.0 : history.back().seconds; }
};

}  // namespace genten
