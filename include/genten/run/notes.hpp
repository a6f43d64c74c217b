// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What is to be known of a run before its model is believed. The tool prints these notes, JSON and
/// Python's results hold them, and reports show them: each is made here.

#include <genten/base/enum_words.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/components.hpp>
#include <genten/cp/cp_apr.hpp>
#include <genten/cp/cp_completion.hpp>
#include <genten/cp/cp_gcp.hpp>
#include <genten/cp/result.hpp>
#include <genten/dense/row_constraint.hpp>
#include <genten/io/value_summary.hpp>
#include <genten/run/determined_modes.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace genten {

/// What a note is about.
enum class NoteCode {
  iteration_limit,
  time_limit,
  interrupted,
  stopped_in_start,
  late_signal,
  non_finite,
  ended_starts,
  useless_fit,
  bounds_exclude_data,
  residual_uncertain,
  objective_overflow,
  tolerance_above_fit,
  stalled,
  no_minimum,
  lifted_zeros,
  degenerate,
  far_predictions,
  cancelling,
  collinear,
  mixtures,
  split_components,
  one_entry,
  two_modes,
  zero_components,
  tiny_components,
  rank_deficient,
  empty_rows,
  starts_disagree,
  unstable_components,
  stability_unknown,
  uncertain_weights,
  no_standard_errors,
  overdispersed,
  refused_kernels,
  strong_ridge,
  ratings,
  unlisted_zeros,
  constant_values,
  no_zeros,
  placeholders,
  nothing_missing,
  merged_entries,
  fractions,
  tiny_values,
  negative_values,
  one_large_value,
  large_mean,
  determined_modes,
  refits_cut
};

/// The words of the codes, and titles of reports.
constexpr auto enum_words(NoteCode) {
  using enum NoteCode;
  return std::array{
      EnumWord("iteration_limit", iteration_limit, "Not converged"),
      EnumWord("time_limit", time_limit, "Not converged"),
      EnumWord("interrupted", interrupted, "Not converged"),
      EnumWord("stopped_in_start", stopped_in_start, "Not all starts were made"),
      EnumWord("late_signal", late_signal, "A signal came late"),
      EnumWord("non_finite", non_finite, "Not converged: numbers out of range"),
      EnumWord("ended_starts", ended_starts, "Starts that a lower limit ended"),
      EnumWord("useless_fit", useless_fit, "Hardly better than nothing"),
      EnumWord("bounds_exclude_data", bounds_exclude_data, "The bounds exclude the data"),
      EnumWord("residual_uncertain", residual_uncertain, "The residual is uncertain"),
      EnumWord("objective_overflow", objective_overflow, "The objective is out of range"),
      EnumWord("tolerance_above_fit", tolerance_above_fit, "The tolerance is above the fit"),
      EnumWord("stalled", stalled, "No step lowers the objective"),
      EnumWord("no_minimum", no_minimum, "There may be no minimum"),
      EnumWord("lifted_zeros", lifted_zeros, "Zeros of the initial guess were raised"),
      EnumWord("degenerate", degenerate, "Components larger than the data"),
      EnumWord("far_predictions", far_predictions, "Predictions far beyond the data"),
      EnumWord("cancelling", cancelling, "Components that cancel each other"),
      EnumWord("collinear", collinear, "Components that are nearly the same"),
      EnumWord("mixtures", mixtures, "Components that may be mixtures"),
      EnumWord("split_components", split_components, "Components that one would do for"),
      EnumWord("one_entry", one_entry, "Components of one entry"),
      EnumWord("two_modes", two_modes, "Two modes do not determine components"),
      EnumWord("zero_components", zero_components, "Components that are zero"),
      EnumWord("tiny_components", tiny_components, "Components without weight"),
      EnumWord("rank_deficient", rank_deficient, "More components than the data determine"),
      EnumWord("empty_rows", empty_rows, "Rows without data"),
      EnumWord("starts_disagree", starts_disagree, "The starts disagree"),
      EnumWord("unstable_components", unstable_components, "Components that are not found again"),
      EnumWord("stability_unknown", stability_unknown, "Starts that were not compared"),
      EnumWord("uncertain_weights", uncertain_weights, "Components that may be none"),
      EnumWord("no_standard_errors", no_standard_errors, "Standard errors are not known"),
      EnumWord("overdispersed", overdispersed, "Counts vary more than error bars expect"),
      EnumWord("refused_kernels", refused_kernels, "A faster kernel was refused"),
      EnumWord("strong_ridge", strong_ridge, "The ridge decides much"),
      EnumWord("ratings", ratings, "Ratings whose gaps count as zeros"),
      EnumWord("unlisted_zeros", unlisted_zeros, "Entries that are not listed count as zeros"),
      EnumWord("constant_values", constant_values, "Known entries that are all the same"),
      EnumWord("no_zeros", no_zeros, "Counts of which no zero is known"),
      EnumWord("placeholders", placeholders, "Numbers that may stand for what is not known"),
      EnumWord("nothing_missing", nothing_missing, "No entry is missing"),
      EnumWord("merged_entries", merged_entries, "Repeated entries were added up"),
      EnumWord("fractions", fractions, "Values that are no counts"),
      EnumWord("tiny_values", tiny_values, "Values beside which what the loss adds counts"),
      EnumWord("negative_values", negative_values, "Negative values beside a nonnegative model"),
      EnumWord("one_large_value", one_large_value, "One value outweighs all others"),
      EnumWord("large_mean", large_mean, "The mean outweighs what varies around it"),
      EnumWord("determined_modes", determined_modes, "Modes that others determine"),
      EnumWord("refits_cut", refits_cut, "Not all refits were made")};
}

/// One thing to know.
struct Note {
  NoteCode code{};
  std::string text;  ///< for people, for ErrorWords::text; no capital letter or period at its ends
  std::vector<std::pair<std::string, double>> numbers = {};  ///< that the text rests on, by name
};

/// By what entries that a tensor does not list, and that count as zeros, look unknown.
enum class GapSign {
  none,
  ratings,        ///< the values look like ratings
  listed_zeros,   ///< others are listed as zeros
  far_from_zero,  ///< all values are far from zero
  fractions,      ///< nearly all entries are listed, and no number with decimals is zero
  tenths          ///< the values lie on both sides of zero, and are measured to a tenth
};

/// From where components, and predictions of missing entries, are too large.
inline constexpr double times_the_data = 2.0;

/// A value, as -999, that may stand for what is not known, others that may, too, as 98 beside 99,
/// and how many entries have one of them; 0: there is none.
struct Placeholder {
  double value = 0.0;
  std::size_t entries = 0;
  std::vector<double> others = {};
};

/// What notes rest on of a tensor's entries. The caller of a run sets the first four,
/// `look_at_values` the others.
struct EntryFacts {
  std::size_t added_up = 0;  ///< entries that were added to others at the same subscripts
  /// Of values before duplicates were merged, where some were.
  std::optional<ValueSummary> as_listed = {};
  /// The tensor was made of a list of its entries: of an array with zeros it lists all others.
  bool is_list = false;
  std::vector<std::string> mode_names = {};  ///< of columns that `modes` can name, or none
  double listed = 0.0;                       ///< of the tensor
  double all = 0.0;                          ///< and those that it does not list; 0: not known
  double free_rows = 0.0;  ///< of all modes, but for the scales of a component; 0: not known
  std::optional<ValueRange> values = {};  ///< of the tensor's nonzeros, duplicates added up
  GapSign gaps = GapSign::none;           ///< by which entries that count as zeros look unknown
  bool adds_measures = false;    ///< all entries are listed, and those added up are no amounts
  std::size_t times_listed = 0;  ///< each entry, with the same value, before they were added up
  std::size_t fractions = 0;     ///< values that are not whole numbers, beside counts
  double tiny_mean = 0.0;  ///< of values that are hardly larger than what the loss adds; else 0
  /// Values below zero beside a model that has none, and the part of the sum of squares that they
  /// hold; 0: hardly any.
  std::size_t negatives = 0;
  double negative_part = 0.0;
  /// The value that holds nearly all of the sum of squares, and the part that it holds; 0: none.
  double largest = 0.0;
  double largest_part = 0.0;
  /// The mean of values of which all entries that count are listed, and how large what varies
  /// around it is, as a part of the root mean square, where that is a tenth at most; 0: more.
  double mean = 0.0;
  double varying_part = 0.0;
  std::size_t zeros = 0;  ///< listed ones, where unlisted entries are missing
  /// Where unlisted entries are missing: entries that all have the least value, or those of
  /// nearly only ones, before duplicates are merged; 0: they differ.
  std::size_t alike = 0;
  /// Of counts, or of nothing but ones, likewise: whether none is zero, or far fewer than of
  /// counts.
  bool lack_zeros = false;
  Placeholder placeholder = {};
  std::optional<ValueRange> scale = {};  ///< of ratings beside which some are the placeholder
  std::vector<DeterminedMode> determined_modes = {};
};

/// What figures alone do not tell of a run.
struct RunSettings {
  std::size_t rank = 0;
  std::size_t max_iterations = 0;
  double tolerance = 0.0;
  double time_limit = 0.0;
  std::size_t starts = 1;
  /// By mode, with those of losses that need nonnegative factors; free ones for factors that are
  /// not updated.
  std::vector<RowConstraint> constraints = {};
  std::vector<int> fixed_modes = {};  ///< whose factors are not updated
  bool least_squares = true;          ///< the fit is what is maximized
  bool models_means = true;           ///< the model is the expected value of the data
  bool has_missing = false;           ///< some entries do not count
  bool unlisted_are_missing = false;
  bool takes_missing = true;     ///< entries that are not listed can be said to be missing
  bool fits_ridge = false;       ///< nobody has given one, and the run has chosen it
  bool of_counts = false;        ///< the loss is for counts
  bool adds_counts = false;      ///< likewise, as one of `is_of_counts`: sums are meant
  double added = 0.0;            ///< by a loss of positive values to the model
  bool is_interrupted = false;   ///< a signal or a callback came
  bool by_callback = false;      ///< it was a callback
  double far_predictions = 0.0;  ///< part of entries where the model is beyond all values by far
  EntryFacts entries = {};
};

/// Whether a loss, by its name, is of counts, of which sums are counts, too.
[[nodiscard]] inline bool is_of_counts(std::string_view loss) {
  return loss == "poisson" || loss == "negative-binomial";
}

/// The figures of one solver alone.
using OwnFigures = std::variant<CpAlsFigures, CpAprFigures, CpCompletionFigures, CpGcpFigures>;

/// The notes on a run, in the order of `NoteCode`. `components` may be empty where a model is not
/// in one place: then nothing is said of them.
///
/// A component counts as degenerate with more than twice the norm of the data (of the whole tensor,
/// were missing entries as large as the others), where another points against it and, but for
/// missing entries, the whole model is less than half as large; two components cancel from a cosine
/// of -0.85, and are nearly the same from 0.95 (Lorenzo-Seva and ten Berge, Methodology 2(2),
/// 2006); one is tiny at a millionth of the largest. Two are mixtures where, of least squares, one
/// column in the place of theirs would add no more than three times what noise makes of it to the
/// sum of squares, in all modes but two that are free in sign, or but one. Where entries are
/// missing, of losses whose model is the expected value, components count as too large, too, that
/// nothing cancels, and predictions of missing entries of twice the others' root mean square, or of
/// more than twice any value at one entry of a thousand.
[[nodiscard]] std::vector<Note> notes_of(const CpFigures& figures, const OwnFigures& own,
                                         const ComponentFacts& components,
                                         const RunSettings& settings);

/// Those among them that are on the tensor, whatever the model.
[[nodiscard]] std::vector<Note> data_notes(const RunSettings& settings);

/// Those of them that hold of data that meet a model which was made before: on entries that count
/// as zeros though they look unknown, on numbers that stand for what is not known, on sums of what
/// is measured, and on a value that outweighs all others.
[[nodiscard]] std::vector<Note> notes_beside_model(const RunSettings& settings);

/// Whether one of them is on entries that count as zeros.
[[nodiscard]] bool tells_of_gaps(const std::vector<Note>& notes);

/// What follows the complaint about values that a loss of 0 and 1 does not take, where so many
/// entries were added to others, with references to options.
[[nodiscard]] std::string summed_binary(std::size_t added_up);

/// What a doubt of cp_gcp, or of `slices_without_minimum` before it, is for people.
[[nodiscard]] Note note_of(const GcpWarning& warning);

/// The least and the largest value that a model of so many components can have within its bounds;
/// infinite where nothing bounds it.
[[nodiscard]] ValueRange values_within(const std::vector<RowConstraint>& constraints,
                                       std::size_t rank);

}  // namespace genten
