// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// RankChoice: what several numbers of components come to, and the rule that suggests one of them.

#include <genten/base/enum_words.hpp>
#include <genten/base/option_field.hpp>
#include <genten/base/result_field.hpp>
#include <genten/cp/stop.hpp>
#include <genten/run/trust/run_trust.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace genten {

/// How a number of components is looked for, beside the request for the runs.
struct RankChoiceOptions {
  std::vector<std::size_t> ranks = {};  ///< ascending, distinct, each at least 1
  std::size_t starts = 8;
  double holdout = 0.0;
  double time_limit = 0.0;

  static constexpr auto fields() {
    using Options = RankChoiceOptions;
    return member_table(
        option_field("ranks", &Options::ranks, "numbers of components to try", 1, 1e6),
        option_field("starts", &Options::starts,
                     "runs of each rank, of which the last one goes on from the best model of the "
                     "rank before; three of them or, until one is good enough, more without the "
                     "held-out entries",
                     2, 1e6),
        option_field("holdout", &Options::holdout,
                     "part of the entries that is held out, the same for all ranks, to test models "
                     "by: zeros among them where these count; 0: a tenth, but at most a million",
                     0.0, 0.99),
        option_field("time-limit", &Options::time_limit,
                     "begin no more after this many seconds, and keep the ranks that are done; 0: "
                     "none",
                     0.0));
  }
};

/// What was found with one number of components; of none, the zero model, there is nothing but the
/// figures of held-out entries.
struct RankRow {
  std::size_t rank = 0;
  double objective = 0.0;  ///< the least of all starts
  /// Of the best start; NaN where least squares were not minimized.
  double fit = std::numeric_limits<double>::quiet_NaN();
  double spread = 0.0;      ///< the objective of the worst start without that of the best
  std::size_t starts = 0;   ///< that were made
  std::size_t reached = 0;  ///< that came to the least objective, as near as makes no difference
  double agreement = 0.0;   ///< median factor match score of the other starts with the best one
  double worst_component = 0.0;     ///< likewise, of the component that a start agrees on least
  double holdout_loss = 0.0;        ///< the mean over held-out entries, the same for all ranks
  double holdout_error = 0.0;       ///< its standard error
  double holdout_difference = 0.0;  ///< from the loss of the rank with the least
  double holdout_difference_error = 0.0;  ///< its standard error, entry by entry
  double congruence = 0.0;  ///< the largest cosine of two components, by magnitude; 0 for one
  /// NaN where it is not defined: for other losses than least squares, for missing entries, where R
  /// exceeds the length of a mode, or where it takes more than a million numbers.
  double core_consistency = std::numeric_limits<double>::quiet_NaN();
  double seconds = 0.0;  ///< for all runs of this rank

  static constexpr auto figures() {
    using Row = RankRow;
    return member_table(result_field("rank", &Row::rank),
                        result_field("objective", &Row::objective), result_field("fit", &Row::fit),
                        result_field("spread", &Row::spread), result_field("starts", &Row::starts),
                        result_field("reached", &Row::reached),
                        result_field("agreement", &Row::agreement),
                        result_field("worst_component", &Row::worst_component),
                        result_field("holdout_loss", &Row::holdout_loss),
                        result_field("holdout_error", &Row::holdout_error),
                        result_field("holdout_difference", &Row::holdout_difference),
                        result_field("holdout_difference_error", &Row::holdout_difference_error),
                        result_field("congruence", &Row::congruence),
                        result_field("core_consistency", &Row::core_consistency),
                        result_field("seconds", &Row::seconds));
  }
};

/// What a reason is about.
enum class RankReasonCode {
  agreement,
  held_out,
  standard_error,
  few_held_out,
  few_entries,
  verdict,
  largest,
  smallest,
  stopped,
  nothing
};

/// The words of the codes.
constexpr auto enum_words(RankReasonCode) {
  using enum RankReasonCode;
  return std::array{EnumWord("agreement", agreement),
                    EnumWord("held_out", held_out),
                    EnumWord("standard_error", standard_error),
                    EnumWord("few_held_out", few_held_out),
                    EnumWord("few_entries", few_entries),
                    EnumWord("verdict", verdict),
                    EnumWord("largest", largest),
                    EnumWord("smallest", smallest),
                    EnumWord("stopped", stopped),
                    EnumWord("nothing", nothing)};
}

/// One reason for a suggestion.
struct RankReason {
  RankReasonCode code{};
  std::string text;                                          ///< a sentence
  std::vector<std::pair<std::string, double>> numbers = {};  ///< that it rests on, by name
};

/// What the rule says of the rows.
struct RankSuggestion {
  std::size_t suggested = 0;  ///< the median of the picks; 0: nothing replicates
  /// Whether the picks differ by no more than one place in the list of ranks, before which 0
  /// stands. False where only the starts speak, and where the search was stopped.
  bool decided = false;
  std::size_t by_agreement = 0;  ///< the largest rank whose starts agree
  /// That with the least held-out error, and the least rank within one standard error of the
  /// difference; none where too few nonzeros are held out.
  std::optional<std::size_t> by_held_out = std::nullopt, by_standard_error = std::nullopt;
  std::vector<RankReason> reasons = {};
};

/// What was found with several numbers of components.
struct RankChoice : RankSuggestion {
  std::vector<RankRow> rows = {};  ///< of the ranks that were finished
  RankRow zero = {};               ///< the zero model, R = 0
  /// By row, how often each component of its best model is found in the models of its starts.
  std::vector<std::vector<ComponentStability>> stability = {};
  /// Of the best model of the suggested rank, with error bars where the request wants some.
  RunTrust trust = {};
  std::size_t held_out = 0;  ///< entries, of all draws together
  std::size_t draws = 0;     ///< each of which holds out other entries
  double part = 0.0;         ///< of the entries that is held out
  /// What left ranks out, or cut the first one short: time_limit or observer.
  std::optional<StopReason> stopped = std::nullopt;
};

/// The score from which on starts have found the same components.
inline constexpr double alike_score = 0.95;
/// Held-out entries with fewer nonzeros tell nothing of models that are nearly zero everywhere.
inline constexpr double enough_held_out_nonzeros = 20.0;

/// The mean and its standard error; NaN where there are no values or, the latter, one.
[[nodiscard]] std::pair<double, double> mean_with_error(const std::vector<double>& values);

/// Sets differences and standard errors of the rows and the zero model. `losses` are by held-out
/// entry, first those of the zero model, then those of each row.
void compare_losses(const std::vector<std::vector<double>>& losses, std::vector<RankRow>& rows,
                    RankRow& zero);

/// What the rows say, of which there is one at least: the median of three picks. These are the
/// largest R with an agreement of at least `alike_score`, the least held-out error, and the least R
/// that is within one standard error of the difference from that; R = 0, the zero model, is among
/// them. Where fewer than `enough_held_out_nonzeros` of the held-out entries are nonzeros, the
/// first alone. Core consistency informs and never decides. A search that was `stopped`, of these
/// `ranks`, of which the rows are the first, does not decide, either.
[[nodiscard]] RankSuggestion suggest_rank(const std::vector<RankRow>& rows, const RankRow& zero,
                                          double held_out_nonzeros,
                                          std::optional<StopReason> stopped = std::nullopt,
                                          const std::vector<std::size_t>& ranks = {});

}  // namespace genten
