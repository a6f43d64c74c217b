// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "entry_notes.hpp"

#include "../base/names_in_option.hpp"
#include "note_text.hpp"

#include <algorithm>
#include <optional>

namespace genten {
namespace {

/// Of a ridge that nobody has given, where it costs a 500th of the squared norm or more, and more
/// than the errors at the known entries. Beside an l1 penalty it is not known which one costs.
std::optional<Note> strong_ridge(const CpFigures& figures, const OwnFigures& own,
                                 const RunSettings& settings) {
  const auto* const completion = std::get_if<CpCompletionFigures>(&own);
  const bool has_l1 =
      std::any_of(settings.constraints.begin(), settings.constraints.end(),
                  [](const RowConstraint& constraint) { return constraint.l1 > 0.0; });
  if (completion == nullptr || !settings.fits_ridge || has_l1) return std::nullopt;
  constexpr double some = 0.002;
  const auto half_square = [](double norm) { return 0.5 * norm * norm; };
  const double penalty = figures.penalty;
  if (!(penalty > some * half_square(figures.tensor_norm)) ||
      !(penalty > half_square(figures.residual_norm)) || completion->ridge.empty()) {
    return std::nullopt;
  }
  const double ridge = completion->ridge.front();
  return Note{NoteCode::strong_ridge,
              "the ridge that the run has chosen, " + number(ridge) +
                  error_text::with_options(
                      ", decides much of the model: for so many components few entries are known; "
                      "try a lower {rank}, or other values of {ridge}: with {holdout=0.1} the "
                      "least error over held-out entries says which predicts best"),
              {{"ridge", ridge}}};
}

Note ratings(const ValueRange& values) {
  return {NoteCode::ratings,
          "the values look like ratings, from " + number(values.lowest) + " to " +
              number(values.highest) +
              error_text::with_options(", and all entries that are not listed count as zeros: if "
                                       "these are unknown, {missing=unlisted} leaves them out"),
          {{"lowest", values.lowest}, {"highest", values.highest}}};
}

/// Of entries that count as zeros though the others say that this is odd.
Note unlisted_zeros(const RunSettings& settings) {
  const ValueRange& values = *settings.values;
  const std::string range = number(values.lowest) + " to " + number(values.highest);
  const double unlisted = settings.all_entries - settings.listed_entries;
  const std::string why =
      settings.gaps == GapSign::listed_zeros ? "though zeros are listed among the others"
      : settings.gaps == GapSign::far_from_zero
          ? "though the others, from " + range + ", are far from zero"
          : "though none of the others, from " + range + " and most with decimals, is zero";
  return {NoteCode::unlisted_zeros,
          number(unlisted, "%.15g") + " of " + number(settings.all_entries, "%.15g") +
              (unlisted == 1.0 ? " entries is not listed and counts as zero, "
                               : " entries are not listed and count as zeros, ") +
              why +
              error_text::with_options(": if they are unknown, {missing=unlisted} leaves them out"),
          {{"unlisted", unlisted}, {"lowest", values.lowest}, {"highest", values.highest}}};
}

/// A mode of a table by its name, another one by its number.
std::string mode_text(std::size_t mode, const RunSettings& settings) {
  return "mode " + (mode >= settings.mode_names.size() ? error_text::number(mode)
                                                       : "'" + settings.mode_names[mode] + "'");
}

/// Of modes that others determine, with the way out where columns of a table can be named.
Note determined_modes(const RunSettings& settings) {
  const auto& found = settings.determined_modes;
  std::vector<std::string> told;
  for (const DeterminedMode& each : found) {
    told.push_back("each of the " + std::to_string(each.rows) + " rows of " +
                   mode_text(each.by, settings) + " occurs with one row of " +
                   mode_text(each.mode, settings) + " only" +
                   (each.by_each_other ? ", and the other way round" : ""));
  }
  const auto without = [&](auto DeterminedMode::*which) {
    std::vector<std::string> left;
    for (std::size_t n = 0; n < settings.mode_names.size(); ++n) {
      const bool is_left = std::none_of(
          found.begin(), found.end(), [&](const DeterminedMode& each) { return each.*which == n; });
      if (is_left) left.push_back(settings.mode_names[n]);
    }
    return error_text::option("modes", names_in_option(left));
  };
  const bool one = found.size() == 1;
  // As orders beside the customers who gave them, and their dates.
  const bool by_one = std::all_of(found.begin(), found.end(), [&](const DeterminedMode& each) {
    return each.by == found.front().by;
  });
  const std::string ids = "where rows of " + mode_text(found.front().by, settings) + " are but ids";
  std::string way = " and can be left out";
  if (!settings.mode_names.empty()) {
    way = "; " + without(&DeterminedMode::mode) + (one ? " leaves it out" : " leaves them out");
    if (by_one) way += ", and " + ids + ", " + without(&DeterminedMode::by) + " leaves these out";
  } else if (by_one) {
    way += ", or, " + ids + ", that one can";
  }
  return {NoteCode::determined_modes,
          listed(told) + ": such " + (one ? "a mode tells" : "modes tell") + " nothing more" + way,
          {{"modes", static_cast<double>(found.size())}}};
}

Note fractions(std::size_t count) {
  return {NoteCode::fractions,
          count_of(count, "value") +
              (count == 1 ? " is not a whole number" : " are not whole numbers") +
              ", but the loss, poisson, is for counts: used as they are, amounts make its "
              "likelihood and standard errors those of as many events",
          {{"values", static_cast<double>(count)}}};
}

/// Of what is measured, as ratings, a sum is seldom meant.
Note merged(std::size_t count) {
  return {NoteCode::merged_entries,
          count_of(count, "entry") + (count == 1 ? " lies" : " lie") +
              " at the same subscripts as " + (count == 1 ? "another" : "others") +
              ", and sums count as known values: duplicates can also become their mean, the last "
              "or the largest value",
          {{"entries", static_cast<double>(count)}}};
}

}  // namespace

std::vector<Note> data_notes(const RunSettings& settings) {
  std::vector<Note> notes;
  if (settings.values && settings.gaps == GapSign::ratings) {
    notes.push_back(ratings(*settings.values));
  } else if (settings.values && settings.gaps != GapSign::none) {
    notes.push_back(unlisted_zeros(settings));
  }
  if (settings.has_missing && settings.added_up != 0) notes.push_back(merged(settings.added_up));
  if (settings.fractions != 0) notes.push_back(fractions(settings.fractions));
  if (!settings.determined_modes.empty()) notes.push_back(determined_modes(settings));
  return notes;
}

std::vector<Note> entry_notes(const CpFigures& figures, const OwnFigures& own,
                              const RunSettings& settings) {
  std::vector<Note> notes = data_notes(settings);
  if (auto note = strong_ridge(figures, own, settings)) {
    notes.insert(notes.begin(), std::move(*note));
  }
  return notes;
}

}  // namespace genten
