// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

#include <genten/run/rank_choice.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

namespace genten {
namespace {

/// A number to so many digits, as `format` has them.
std::string text(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

std::string text_of(std::size_t rank) {
  return "R = " + std::to_string(rank);
}

RankReason of_agreement(const std::vector<RankRow>& rows, std::size_t alike) {
  if (alike == 0) {
    const auto best = std::max_element(
        rows.begin(), rows.end(),
        [](const RankRow& a, const RankRow& b) { return a.agreement < b.agreement; });
    return {RankReasonCode::agreement,
            "Agreement: starts of no rank find the same components; the median score is at most " +
                text("%.3f", best->agreement) + ", at " + text_of(best->rank) + ", and " +
                text("%g", alike_score) + " would do.",
            {{"pick", 0.0}, {"rank", static_cast<double>(best->rank)}, {"score", best->agreement}}};
  }
  const auto last =
      std::find_if(rows.begin(), rows.end(), [&](const RankRow& row) { return row.rank == alike; });
  RankReason reason{
      RankReasonCode::agreement,
      "Agreement: " + text_of(alike) +
          " is the largest whose starts find the same components, with a median score of " +
          text("%.3f", last->agreement),
      {{"pick", static_cast<double>(alike)}, {"score", last->agreement}}};
  if (last + 1 != rows.end()) {
    reason.text += "; of " + text_of(last[1].rank) + " it is " + text("%.3f", last[1].agreement);
    reason.numbers.emplace_back("next_score", last[1].agreement);
  }
  reason.text += ".";
  return reason;
}

/// The first of the rows, of which the zero model's is the first and ranks ascend, with the least
/// loss over held-out entries, or with one that is the same to rounding: residuals of less than
/// three millionths of the data are hidden by it.
template <class Row>
std::size_t least_of(const std::vector<Row*>& all) {
  constexpr double hidden = 1e-11;  // of squares
  const auto least = std::min_element(all.begin(), all.end(), [](const Row* a, const Row* b) {
    return a->holdout_loss < b->holdout_loss;
  });
  const double zero = std::abs(all.front()->holdout_loss);
  const double near = (*least)->holdout_loss + (std::isfinite(zero) ? hidden * zero : 0.0);
  const auto first = std::find_if(all.begin(), least,
                                  [near](const Row* row) { return row->holdout_loss <= near; });
  return static_cast<std::size_t>(first - all.begin());
}

std::string nothing(std::size_t rank) {
  return rank == 0 ? ", nothing replicates" : "";
}

/// Ranks in ascending order: "2", "2 to 8" or "2, 4, 8".
std::string list_of(const std::vector<std::size_t>& ranks) {
  if (ranks.size() > 2 && ranks.back() - ranks.front() == ranks.size() - 1) {
    return std::to_string(ranks.front()) + " to " + std::to_string(ranks.back());
  }
  std::string list;
  for (const std::size_t rank : ranks) list += (list.empty() ? "" : ", ") + std::to_string(rank);
  return list;
}

RankReason of_stop(StopReason reason, std::size_t last, const std::vector<std::size_t>& untried) {
  const std::string by = reason == StopReason::observer ? "An interruption" : "The time limit";
  const std::string were = untried.size() == 1 ? " was" : " were";
  return {RankReasonCode::stopped,
          by + " ended the search " +
              (untried.empty() ? "in " + text_of(last) + ", whose runs were cut short."
                               : "after " + text_of(last) + ": " + list_of(untried) + were +
                                     " not tried, and may be better."),
          {{"rank", static_cast<double>(last)}, {"untried", static_cast<double>(untried.size())}}};
}

/// That the suggested rank is the first or the last one of those that were tried, where others
/// beyond it may be suggested: the starts pick the largest rank that they agree on, so that lower
/// ones count by held-out entries alone.
void add_edges(RankSuggestion& found, const std::vector<RankRow>& rows, bool is_stopped) {
  const auto add = [&](RankReasonCode code, const char* text) {
    found.reasons.push_back({code, text, {{"rank", static_cast<double>(found.suggested)}}});
  };
  if (!is_stopped && found.suggested == rows.back().rank) {
    add(RankReasonCode::largest,
        "That is the largest rank of all that were tried: try larger ones, too.");
  }
  if (found.by_held_out && found.suggested == rows.front().rank && found.suggested > 1) {
    add(RankReasonCode::smallest,
        "That is the smallest rank of all that were tried: lower ones may predict as well, so try "
        "ranks from 1 on.");
  }
}

/// What is to be said beside the picks: that the search was stopped, or what to do where no rank is
/// suggested.
void add_end(RankSuggestion& found, const std::vector<RankRow>& rows,
             std::optional<StopReason> stopped, const std::vector<std::size_t>& ranks) {
  if (stopped) {
    found.decided = false;
    const auto done = static_cast<std::ptrdiff_t>(std::min(rows.size(), ranks.size()));
    found.reasons.push_back(
        of_stop(*stopped, rows.back().rank, {ranks.begin() + done, ranks.end()}));
    return;
  }
  if (found.suggested != 0) return;
  RankReason& reason = found.reasons.emplace_back();
  reason.code = RankReasonCode::nothing;
  reason.text =
      "No rank is suggested: try more starts, a smaller tolerance, ranks below those that were "
      "tried, or another loss, as poisson for counts. Where nothing replicates then, the data "
      "have no components that are more than chance.";
}

/// Where the loss of a few held-out entries keeps the next rank from being better than that with
/// the least: its standard error is 2/5 of it or more.
void add_few_entries(RankSuggestion& found, const std::vector<RankRow>& rows) {
  constexpr double most = 0.4;
  const auto next = std::find_if(rows.begin(), rows.end(),
                                 [&](const RankRow& row) { return row.rank > *found.by_held_out; });
  if (next == rows.end() || !(next->holdout_loss > 0.0) ||
      !(next->holdout_error >= most * next->holdout_loss)) {
    return;
  }
  found.reasons.push_back(
      {RankReasonCode::few_entries,
       "A few held-out entries make most of the loss at " + text_of(next->rank) + ", " +
           text("%.5g", next->holdout_loss) + " with a standard error of " +
           text("%.2g", next->holdout_error) +
           ": their values may be slips, which the loss huber heeds less, or rows of theirs have "
           "hardly any other entries.",
       {{"rank", static_cast<double>(next->rank)},
        {"loss", next->holdout_loss},
        {"error", next->holdout_error}}});
}

RankReason verdict(const RankSuggestion& found, const std::array<std::size_t, 3>& sorted) {
  const std::string of = "of the picks " + std::to_string(found.by_agreement) + ", " +
                         std::to_string(*found.by_held_out) + " and " +
                         std::to_string(*found.by_standard_error) + " the median is " +
                         std::to_string(found.suggested) + nothing(found.suggested) + ".";
  const std::string what = found.decided ? text_of(found.suggested)
                                         : "The data do not decide between " + text_of(sorted[0]) +
                                               " and " + text_of(sorted[2]);
  return {RankReasonCode::verdict,
          what + ": " + of,
          {{"suggested", static_cast<double>(found.suggested)},
           {"lowest", static_cast<double>(sorted[0])},
           {"highest", static_cast<double>(sorted[2])}}};
}

}  // namespace

std::pair<double, double> mean_with_error(const std::vector<double>& values) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const auto count = static_cast<double>(values.size());
  double sum = 0.0, squares = 0.0;
  for (const double value : values) sum += value;
  if (values.empty()) return {none, none};
  const double mean = sum / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() < 2 ? none : std::sqrt(squares / (count - 1.0) / count)};
}

void compare_losses(const std::vector<std::vector<double>>& losses, std::vector<RankRow>& rows,
                    RankRow& zero) {
  std::vector<RankRow*> all = {&zero};
  for (RankRow& row : rows) all.push_back(&row);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::tie(all[i]->holdout_loss, all[i]->holdout_error) = mean_with_error(losses[i]);
  }
  const std::size_t least = least_of(all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<double> differences = losses[i];
    for (std::size_t e = 0; e < differences.size(); ++e) differences[e] -= losses[least][e];
    std::tie(all[i]->holdout_difference, all[i]->holdout_difference_error) =
        mean_with_error(differences);
  }
}

RankSuggestion suggest_rank(const std::vector<RankRow>& rows, const RankRow& zero,
                            double held_out_nonzeros, std::optional<StopReason> stopped,
                            const std::vector<std::size_t>& ranks) {
  RankSuggestion found;
  for (const RankRow& row : rows) {
    if (row.agreement >= alike_score) found.by_agreement = row.rank;
  }
  found.reasons.push_back(of_agreement(rows, found.by_agreement));
  if (held_out_nonzeros < enough_held_out_nonzeros) {
    found.suggested = found.by_agreement;
    found.reasons.push_back({RankReasonCode::few_held_out,
                             "All draws of held-out entries together have " +
                                 text("%.0f", held_out_nonzeros) + " nonzeros, too few to test by.",
                             {{"nonzeros", held_out_nonzeros}}});
    found.reasons.push_back(
        {RankReasonCode::verdict,
         text_of(found.suggested) + ", by agreement alone" + nothing(found.suggested) + ".",
         {{"suggested", static_cast<double>(found.suggested)}}});
    add_edges(found, rows, stopped.has_value());
    add_end(found, rows, stopped, ranks);
    return found;
  }
  std::vector<const RankRow*> all = {&zero};
  for (const RankRow& row : rows) all.push_back(&row);
  const auto place = [&](std::size_t rank) {
    return std::find_if(all.begin(), all.end(),
                        [rank](const RankRow* row) { return row->rank == rank; }) -
           all.begin();
  };
  const RankRow& best = *all[least_of(all)];
  const RankRow& near = **std::find_if(all.begin(), all.end(), [&](const RankRow* row) {
    return row == &best || row->holdout_difference <= row->holdout_difference_error;
  });
  found.by_held_out = best.rank;
  found.by_standard_error = near.rank;
  std::array sorted = {found.by_agreement, best.rank, near.rank};
  std::sort(sorted.begin(), sorted.end());
  found.suggested = sorted[1];
  found.decided = place(sorted[2]) - place(sorted[0]) <= 1;
  found.reasons.push_back({RankReasonCode::held_out,
                           "Held-out error: least at " + text_of(best.rank) + ", " +
                               text("%.5g", best.holdout_loss) + " with a standard error of " +
                               text("%.2g", best.holdout_error) + ".",
                           {{"pick", static_cast<double>(best.rank)},
                            {"loss", best.holdout_loss},
                            {"error", best.holdout_error}}});
  const double difference = near.holdout_difference, error = near.holdout_difference_error;
  std::string within = "One standard error: " + text_of(near.rank);
  within += &near == &best ? " itself, since no smaller one is within it."
                           : " is the least within it, by " + text("%.2g", difference) +
                                 " with a standard error of " + text("%.2g", error) + ".";
  found.reasons.push_back({RankReasonCode::standard_error,
                           within,
                           {{"pick", static_cast<double>(near.rank)},
                            {"difference", difference},
                            {"difference_error", error}}});
  add_few_entries(found, rows);
  found.reasons.push_back(verdict(found, sorted));
  add_edges(found, rows, stopped.has_value());
  add_end(found, rows, stopped, ranks);
  return found;
}

}  // namespace genten
