// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "entry_notes.hpp"

#include "../base/names_in_option.hpp"
#include "note_text.hpp"

#include <genten/run/report.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace genten {
namespace {

/// Of a ridge that nobody has given, where it costs a 500th of the squared norm or more, and more
/// than the errors at the known entries, of which there are fewer than four a free number: with
/// four, models of the right rank miss all entries by less than the noise (docs/guide/missing.md).
/// Nothing of a model that misses held-out entries by less than twice as much as those that count:
/// it predicts. (One of the right rank misses them 1.7 times as far, the root of (n + p) / (n - p),
/// where n entries are twice as many as its p free numbers.)
/// Beside an l1 penalty it is not known which one costs.
std::optional<Note> strong_ridge(const CpFigures& figures, const OwnFigures& own,
                                 const RunSettings& settings) {
  const auto* const completion = std::get_if<CpCompletionFigures>(&own);
  const bool has_l1 =
      std::any_of(settings.constraints.begin(), settings.constraints.end(),
                  [](const RowConstraint& constraint) { return constraint.l1 > 0.0; });
  if (completion == nullptr || !settings.fits_ridge || has_l1) return std::nullopt;
  constexpr double some = 0.002, enough = 4.0, most = 2.0;
  const auto half_square = [](double norm) { return 0.5 * norm * norm; };
  const double penalty = figures.penalty;
  if (!(penalty > some * half_square(figures.tensor_norm)) ||
      !(penalty > half_square(figures.residual_norm)) || completion->ridge.empty()) {
    return std::nullopt;
  }
  const double rows = settings.entries.free_rows - static_cast<double>(completion->empty_rows);
  if (!(completion->entries < enough * rows * static_cast<double>(settings.rank))) {
    return std::nullopt;
  }
  const bool is_held_out = completion->holdout.entries != 0;
  if (is_held_out && completion->holdout.rmse <= most * completion->rmse) return std::nullopt;
  const double ridge = completion->ridge.front();
  return Note{NoteCode::strong_ridge,
              "the ridge that the run has chosen, " + number(ridge) +
                  error_text::with_options(
                      ", decides much of the model: for so many components few entries are known; "
                      "try a lower {rank}, or other values of {ridge}, as ") +
                  number(ridge / 10.0) + " and " + number(10.0 * ridge) + ": " +
                  error_text::with_options(is_held_out ? "" : "with {holdout=0.1} ") +
                  "the least error over held-out entries says which predicts best",
              {{"ridge", ridge}}};
}

/// What leaves out entries that are not listed, as the end of a sentence.
std::string left_out(const RunSettings& settings, bool one = false) {
  return error_text::with_options("{missing=unlisted}") +
         (settings.takes_missing ? "" : " of " + error_text::remedy("run_cp")) + " leaves " +
         (one ? "it" : "them") + " out";
}

/// The range of the values, before duplicates were merged.
ValueRange range_as_listed(const EntryFacts& facts) {
  if (!facts.as_listed) return *facts.values;
  return {facts.as_listed->lowest, facts.as_listed->highest};
}

/// How many values were judged: those that were added up one by one.
double values_listed(const EntryFacts& facts) {
  return facts.as_listed && facts.added_up != 0 ? facts.as_listed->sums[ValueSummary::count]
                                                : facts.listed;
}

/// That entries repeat others, and `what` becomes of them.
std::string repeated(std::size_t count, const std::string& what) {
  return count_of(count, "entry") + (count == 1 ? " lies" : " lie") +
         " at the same subscripts as " + (count == 1 ? "another" : "others") + ", and " + what;
}

/// The same with what takes one value of them: of what is measured, as ratings, a sum is seldom
/// meant.
std::string repeated_measures(std::size_t count, const std::string& what) {
  return repeated(count, what) + ": " + error_text::with_options("{duplicates=mean}") +
         " takes their mean, as last and max take the last and the largest of them";
}

/// This, as the end of a note on such values; "" where none repeats another.
std::string also_repeated(const EntryFacts& facts) {
  return facts.added_up == 0
             ? ""
             : "; " + repeated_measures(facts.added_up, "sums are taken for values");
}

Note ratings(const RunSettings& settings) {
  const ValueRange values = settings.entries.scale.value_or(range_as_listed(settings.entries));
  return {NoteCode::ratings,
          "the values look like ratings, from " + number(values.lowest) + " to " +
              number(values.highest) +
              ", and all entries that are not listed count as zeros: if these are unknown, " +
              left_out(settings) + also_repeated(settings.entries),
          {{"lowest", values.lowest}, {"highest", values.highest}}};
}

/// Of entries that count as zeros though the others say that this is odd.
Note unlisted_zeros(const RunSettings& settings) {
  const EntryFacts& facts = settings.entries;
  const ValueRange values = range_as_listed(facts);
  const std::string range = number(values.lowest) + " to " + number(values.highest);
  const double unlisted = facts.all - facts.listed;
  const bool one = unlisted == 1.0;
  const std::string why =
      facts.gaps == GapSign::listed_zeros ? "though zeros are listed among the others"
      : facts.gaps == GapSign::far_from_zero
          ? "though the others, from " + range + ", are far from zero"
      : facts.gaps == GapSign::tenths
          ? "though the others, from " + range + ", look measured, to a tenth"
          : "though none of the others, from " + range + ", some with decimals, is zero";
  return {NoteCode::unlisted_zeros,
          number(unlisted, "%.15g") + " of " + number(facts.all, "%.15g") +
              (one ? " entries is " : " entries are ") +
              (!facts.is_list ? "zero, "
               : one          ? "not listed and counts as zero, "
                              : "not listed and count as zeros, ") +
              why + (one ? ": if it is unknown, " : ": if they are unknown, ") +
              left_out(settings, one) +
              (facts.gaps == GapSign::listed_zeros ? ", and none that is listed as zero" : "") +
              also_repeated(facts),
          {{"unlisted", unlisted}, {"lowest", values.lowest}, {"highest", values.highest}}};
}

/// Of known entries that are the same: a constant is their model, and where the others are zeros
/// that is what the run should have been told.
Note constant_values(const EntryFacts& facts) {
  const bool of_sums = facts.as_listed && facts.added_up != 0;
  const double value = of_sums ? facts.as_listed->lowest : facts.values->lowest;
  const auto alike = static_cast<double>(facts.alike);
  const bool all = alike == values_listed(facts);
  const std::string known =
      number(values_listed(facts), "%.15g") + (of_sums ? " listed entries " : " known entries ");
  const std::string what =
      (all ? "all " + known : "of " + known + number(alike, "%.15g") + " ") + "are " +
      number(value) +
      (of_sums ? ", and known values are sums of those at the same subscripts: they tell how often "
                 "something occurs where it does, and nothing of where it does not"
       : all   ? ": a constant fits them, so that the model tells nothing"
               : ": a constant fits nearly all, so that the model tells hardly anything");
  return {NoteCode::constant_values,
          what + (facts.listed == facts.all
                      ? ""
                      : error_text::with_options("; where entries that are not listed are zeros, "
                                                 "as in a table of events, leave "
                                                 "{missing=unlisted} out")),
          {{"value", value}, {"entries", alike}}};
}

/// Of counts where they are not zero, from which no run learns where they are.
Note no_zeros(const EntryFacts& facts) {
  const std::string known = number(values_listed(facts), "%.15g") + " known counts ";
  const std::string few = facts.zeros == 0 ? "none of " + known + "is 0"
                                           : std::to_string(facts.zeros) + " of " + known +
                                                 (facts.zeros == 1 ? "is" : "are") +
                                                 " 0, far fewer than such counts have";
  return {NoteCode::no_zeros,
          few + ", so that they tell how many there are where there are some, and " +
              (facts.zeros == 0 ? "nothing" : "hardly anything") + " of where there are none" +
              error_text::with_options("; where entries that are not listed are zeros, as in a "
                                       "table of events, leave {missing=unlisted} out"),
          {{"entries", values_listed(facts)}}};
}

Note placeholders(const EntryFacts& facts) {
  const auto found = static_cast<double>(facts.placeholder.entries);
  const bool one = found == 1.0;
  const std::string of_all = " of " + number(values_listed(facts), "%.15g");
  std::vector<std::string> values;
  for (const double other : facts.placeholder.others) values.push_back(number(other, "%.15g"));
  values.push_back(number(facts.placeholder.value, "%.15g"));
  const bool is_zero = facts.placeholder.value == 0.0, is_answer = is_zero && facts.scale;
  const std::string others = !is_zero    ? " and far from all others: if that"
                             : is_answer ? ", and the others look like answers from " +
                                               number(facts.scale->lowest) + " to " +
                                               number(facts.scale->highest) + ": if 0"
                                         : ", of which the others are far: if that";
  return {NoteCode::placeholders,
          number(found, "%.15g") + of_all + (one ? " values is " : " values are ") +
              listed(values, 0, "or") + others + " stands for " +
              (is_answer ? "no answer" : "what is not known") + ", leave " +
              (one ? "this entry" : "these entries") + " out of the data" +
              (is_answer ? " (lines of a file; in pandas, table[table.answer > 0] where that is "
                           "the column)"
                         : "") +
              error_text::with_options(", with {missing=unlisted}"),
          {{"value", facts.placeholder.value}, {"entries", found}}};
}

Note nothing_missing(const EntryFacts& facts) {
  const std::string all = "all " + number(facts.all, "%.15g") + " entries are listed";
  const bool tells_of_zeros = facts.placeholder.entries != 0 && facts.placeholder.value == 0.0;
  const std::string none =
      error_text::with_options(": none is missing, and {missing=unlisted} leaves nothing out");
  return {NoteCode::nothing_missing,
          facts.zeros == 0 || tells_of_zeros
              ? all + none
              : all + ", " + std::to_string(facts.zeros) + " of them as " +
                    (facts.zeros == 1 ? "zero" : "zeros") + none +
                    "; zeros that are listed count as known: those that stand for what is "
                    "unknown are to be left out of the data (in pandas, observed=True of groupby)",
          {{"entries", facts.all}, {"zeros", static_cast<double>(facts.zeros)}}};
}

/// A mode of a table by its name, another one by its number.
std::string mode_text(std::size_t mode, const EntryFacts& facts) {
  return "mode " + (mode >= facts.mode_names.size() ? error_text::number(mode)
                                                    : "'" + facts.mode_names[mode] + "'");
}

/// Of modes that others determine, with the way out where columns of a table can be named.
Note determined_modes(const EntryFacts& facts) {
  const auto& found = facts.determined_modes;
  std::vector<std::string> told;
  for (const DeterminedMode& each : found) {
    told.push_back("each of the " + std::to_string(each.rows) + " rows of " +
                   mode_text(each.by, facts) + " occurs with one row of " +
                   mode_text(each.mode, facts) + " only" +
                   (each.by_each_other ? ", and the other way round" : ""));
  }
  const auto without = [&](auto DeterminedMode::*which) {
    std::vector<std::string> left;
    for (std::size_t n = 0; n < facts.mode_names.size(); ++n) {
      const bool is_left = std::none_of(
          found.begin(), found.end(), [&](const DeterminedMode& each) { return each.*which == n; });
      if (is_left) left.push_back(facts.mode_names[n]);
    }
    return error_text::option("modes", names_in_option(left));
  };
  const bool one = found.size() == 1;
  // As orders beside the customers who gave them, and their dates.
  const bool by_one = std::all_of(found.begin(), found.end(), [&](const DeterminedMode& each) {
    return each.by == found.front().by;
  });
  const std::string ids = "where rows of " + mode_text(found.front().by, facts) + " are but ids";
  std::string way = " and can be left out";
  if (!facts.mode_names.empty()) {
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

Note tiny_values(double mean, double added) {
  return {NoteCode::tiny_values,
          "the mean of the values is " + number(mean) + ", and the loss adds " + number(added) +
              " to the model wherever it divides by it: in another unit, in which they are near 1, "
              "they are fitted as they are",
          {{"mean", mean}, {"added", added}}};
}

Note negative_values(const EntryFacts& facts) {
  constexpr double percent = 100.0;
  return {NoteCode::negative_values,
          number(static_cast<double>(facts.negatives), "%.15g") + " of " +
              number(facts.listed, "%.15g") +
              (facts.negatives == 1 ? " values is negative and holds "
                                    : " values are negative and hold ") +
              number(percent * facts.negative_part, "%.2g") +
              " % of the sum of squares: a nonnegative model cannot follow " +
              (facts.negatives == 1 ? "it" : "them"),
          {{"values", static_cast<double>(facts.negatives)}, {"part", facts.negative_part}}};
}

/// With what lets the others count where a model is yet to be made, `before_run`.
Note one_large_value(const EntryFacts& facts, bool before_run, bool of_counts) {
  constexpr double percent = 100.0, most = 99.99;
  const bool has_logarithms = facts.values && facts.values->lowest > 0.0;
  const std::string way =
      has_logarithms ? "; if not, logarithms of the values let the others count" : "";
  return {NoteCode::one_large_value,
          "one of " + number(facts.listed, "%.15g") + " values, " + number(facts.largest) +
              ", holds " + number(std::min(percent * facts.largest_part, most), "%.4g") +
              (of_counts ? before_run ? " % of the sum of all, so that much of the model is of it: "
                                      : " % of the sum of all: "
                         : " % of the sum of squares, so that the fit tells of it and of hardly "
                           "anything else: ") +
              "if it is a slip, correct it" + (before_run ? way : ""),
          {{"value", facts.largest}, {"part", facts.largest_part}}};
}

/// Of runs that may end before what varies is found: a thousandth of it is less than their
/// tolerance, or their model follows less than nine tenths of it. A nonnegative model finds what
/// varies of values that begin near zero, however long it goes on. `followed` is that part, where
/// there is a model, of a run of so many `starts`; 0: it has none.
std::optional<Note> large_mean(const RunSettings& settings, std::optional<double> followed,
                               std::size_t starts) {
  constexpr double thousandth = 1e-3, tenth = 0.1, percent = 100.0, most = 99.9999;
  constexpr double rounding = 1e-12;  // of a fit
  constexpr double nearly_all = 0.999, much = 0.9;
  constexpr std::size_t enough_starts = 5;
  const EntryFacts& facts = settings.entries;
  const double part = facts.varying_part, tolerance = settings.tolerance;
  const bool ends_early = tolerance > thousandth * part;
  if (part == 0.0 || (followed && *followed >= (ends_early ? nearly_all : much))) return {};
  if (!followed && !ends_early) return {};
  std::vector<std::string> ways;
  const double enough = std::min(tenth * tolerance, thousandth) * part;
  // Where entries are missing, other limits may end it first.
  if (settings.has_missing) starts = 0;
  if (ends_early && enough >= rounding && !settings.has_missing) {
    const double smaller = std::pow(10.0, std::floor(std::log10(enough)));
    ways.push_back(error_text::option("tolerance", number(smaller)));
  }
  if (starts != 0 && starts < enough_starts) {
    ways.push_back(error_text::option("starts", std::to_string(enough_starts)));
  }
  const bool is_nonnegative = values_within(settings.constraints, settings.rank).lowest >= 0.0;
  return Note{
      NoteCode::large_mean,
      "the mean of the values, " + number(facts.mean) + ", holds " +
          number(std::min(percent * (1.0 - part * part), most), "%.6g") +
          " % of the sum of squares: the fit tells of the mean above all, and a run may end before "
          "it finds what varies" +
          (followed
               ? ", of which the model follows " +
                     number(std::floor(10.0 * percent * std::max(*followed, 0.0)) / 10.0) + " %"
               : "") +
          (is_nonnegative
               ? "; values less their least, " +
                     number(facts.values ? facts.values->lowest : 0.0, "%.6g") + ", let it go on"
               : "; values less their mean let it go on" +
                     (ways.empty() ? "" : ", as " + listed(ways) + " may")),
      {{"mean", facts.mean}, {"part", 1.0 - part * part}}};
}

Note merged(std::size_t count, const std::string& what) {
  return {NoteCode::merged_entries,
          repeated_measures(count, what),
          {{"entries", static_cast<double>(count)}}};
}

/// Of a table that may hold all of its rows more than once.
Note listed_again(const EntryFacts& facts) {
  const auto times = static_cast<double>(facts.times_listed);
  return {NoteCode::merged_entries,
          "each of " + number(facts.listed, "%.15g") + " entries is listed " +
              (facts.times_listed == 2 ? "twice" : std::to_string(facts.times_listed) + " times") +
              ", with the same value, and sums are taken for values: if the data hold all of their "
              "rows more than once, " +
              error_text::with_options("{duplicates=max}") + " takes each once",
          {{"entries", static_cast<double>(facts.added_up)}, {"times", times}}};
}

/// Whether sums of values are what is meant: of counts, and of events, whose values are all 1, or
/// another number, of which sums are how often they have occurred.
bool sums_are_meant(const RunSettings& settings) {
  const auto& listed = settings.entries.as_listed;
  const bool of_events = listed && listed->lowest == listed->highest;
  return settings.adds_counts || of_events || settings.entries.alike != 0;
}

/// What the values say, with one on a large one as of before or after a run, and on a mean that
/// outweighs what varies, of which a model of a run of so many starts follows a part.
std::vector<Note> notes_on_data(const RunSettings& settings, bool before_run,
                                std::optional<double> followed = {}, std::size_t starts = 0) {
  const EntryFacts& facts = settings.entries;
  std::vector<Note> notes;
  if (facts.values && facts.gaps == GapSign::ratings) {
    notes.push_back(ratings(settings));
  } else if (facts.values && facts.gaps != GapSign::none) {
    notes.push_back(unlisted_zeros(settings));
  }
  if (facts.values && facts.alike != 0) notes.push_back(constant_values(facts));
  if (facts.lack_zeros && (facts.alike == 0 || !before_run)) notes.push_back(no_zeros(facts));
  if (facts.placeholder.entries != 0) notes.push_back(placeholders(facts));
  if (settings.unlisted_are_missing && facts.all > 0.0 && facts.listed == facts.all) {
    notes.push_back(nothing_missing(facts));
  }
  if (facts.times_listed != 0) {
    notes.push_back(listed_again(facts));
  } else if (settings.has_missing && facts.added_up != 0 && !sums_are_meant(settings)) {
    notes.push_back(merged(facts.added_up, "sums count as known values"));
  } else if (facts.adds_measures && !settings.has_missing) {
    notes.push_back(merged(facts.added_up, "sums are taken for values"));
  }
  if (facts.fractions != 0) notes.push_back(fractions(facts.fractions));
  if (facts.tiny_mean != 0.0) notes.push_back(tiny_values(facts.tiny_mean, settings.added));
  if (facts.negatives != 0) notes.push_back(negative_values(facts));
  if (facts.largest_part != 0.0)
    notes.push_back(one_large_value(facts, before_run, settings.of_counts));
  if (auto note = large_mean(settings, followed, starts)) notes.push_back(std::move(*note));
  if (!facts.determined_modes.empty()) notes.push_back(determined_modes(facts));
  return notes;
}

}  // namespace

std::string summed_binary(std::size_t added_up) {
  return repeated(added_up, "sums are taken for values: ") +
         error_text::with_options("{duplicates=max}") + " takes the largest of them";
}

std::vector<Note> data_notes(const RunSettings& settings) {
  return notes_on_data(settings, true);
}

std::vector<Note> notes_beside_model(const RunSettings& settings) {
  constexpr std::array codes{NoteCode::ratings,        NoteCode::unlisted_zeros,
                             NoteCode::no_zeros,       NoteCode::placeholders,
                             NoteCode::merged_entries, NoteCode::one_large_value};
  std::vector<Note> notes = notes_on_data(settings, false);
  std::erase_if(notes, [&](const Note& note) {
    return std::find(codes.begin(), codes.end(), note.code) == codes.end();
  });
  return notes;
}

bool tells_of_gaps(const std::vector<Note>& notes) {
  return std::any_of(notes.begin(), notes.end(), [](const Note& note) {
    return note.code == NoteCode::ratings || note.code == NoteCode::unlisted_zeros;
  });
}

std::vector<Note> entry_notes(const CpFigures& figures, const OwnFigures& own,
                              const RunSettings& settings) {
  std::optional<double> followed;
  const double varying = settings.entries.varying_part * figures.tensor_norm;
  if (varying > 0.0 && std::isfinite(figures.residual_norm)) {
    const double left = figures.residual_norm / varying;
    followed = 1.0 - left * left;
  }
  std::vector<Note> notes = notes_on_data(settings, true, followed, figures.starts.size());
  if (auto note = strong_ridge(figures, own, settings)) {
    notes.insert(notes.begin(), std::move(*note));
  }
  return notes;
}

}  // namespace genten
