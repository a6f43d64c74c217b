// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The options of the run that made a model.

#include "model/loss_option.hpp"
#include "model/read_model.hpp"
#include "option_rules.hpp"
#include "tools/tensor_input.hpp"

#include <genten/core/duplicates.hpp>
#include <genten/cp/stream.hpp>
#include <genten/dense/row_constraint.hpp>
#include <genten/io/checkpoint.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace genten::cli {

/// Whether two names are of one file.
[[nodiscard]] bool is_one_file(const std::string& a, const std::string& b);

/// The options of a stream, as reports have them.
[[nodiscard]] nlohmann::json options_of(const StreamOptions& options);

/// What is known of a run, and the file that tells it.
struct KnownRun {
  std::string file;
  nlohmann::json options;   ///< by the names and in the form that reports have them
  std::string tensor = {};  ///< the file that the run has read, where that is known

  [[nodiscard]] std::string loss() const;
  /// Whether penalties are beside the whole sum of squares, not half of it.
  [[nodiscard]] bool sums_whole_squares() const;
  /// Penalties and bounds of a mode, 0-based.
  [[nodiscard]] RowConstraint constraint(std::size_t mode) const;
  /// "none", "unlisted", or the file that lists entries.
  [[nodiscard]] std::string missing() const;
  /// Whether that file is there: a run in Python says that there was a list, and no more.
  [[nodiscard]] bool knows_list() const;
  /// Warns on standard error where the file that lists missing entries is another one than in the
  /// run, as far as its checksum is known.
  void tell_of_changed_list() const;
  [[nodiscard]] Duplicates duplicates() const;
  /// Throws Error of kind `file` unless these can be told of `order` modes.
  void check(std::size_t order) const;
};

/// What a run made of the entries of its tensor, and who says so.
struct EntriesOfRun {
  Duplicates duplicates = Duplicates::sum;  ///< what became of several at the same subscripts
  std::string missing = "none";             ///< "unlisted", or "listed": those of a file
  std::string list = {};    ///< the file that lists the missing ones, where that is known
  std::string tensor = {};  ///< the file that the run has read, likewise
  std::string source = {};  ///< the file that says so
};

[[nodiscard]] EntriesOfRun entries_of_run(const std::optional<KnownRun>& run);

/// Takes the rule for duplicates from a run unless the command line has one, and notes that it was
/// `taken`.
void take_duplicates(tools::TensorInput& input, const Given& given, Duplicates rule,
                     std::vector<std::string>& taken);

/// What help says of the column of a table's values.
inline constexpr const char* values_of_run = "that of the run that made MODEL";
/// Takes the column of a table's values from a run unless the command line names one. Where the
/// run's values had no name, or the table has no column of that name, it is the one column beside
/// those of the model's `modes`, which standard error names. Throws Error of kind `file` where
/// there is none then, or more than one.
void take_values(ReadOptions& read, const std::string& file, const Given& given,
                 const std::optional<KnownRun>& run, const std::vector<std::string>& modes);

/// What is known of the run that made a model of `order` modes, by the report `run` or, where `run`
/// is empty, by the model's file itself, of a stream, or by what stands beside it. Nothing where
/// none of these tells, and for "none". Throws Error of kind `file` for what is no report of such a
/// run.
[[nodiscard]] std::optional<KnownRun> run_of_model(const std::string& model, const std::string& run,
                                                   std::size_t order);
/// The same of a stream whose state was read from `model`.
[[nodiscard]] KnownRun run_of_stream(const std::string& model,
                                     const Checkpoint<StreamingCp::Model>& saved);

/// Adds --run, the report of the run that made MODEL, of which `defaults` are taken; `none` says
/// what holds without it.
void add_run(CLI::App& app, std::string& run, const std::string& defaults, const std::string& none);

/// Says on standard error that all entries count, though a list of missing ones was given to the
/// run that made a model.
void tell_of_list(const std::string& model);
/// Says on standard error what is assumed of the run that made a model, of which nothing is known,
/// unless --run says so. `assumed` ends the sentence, with the remedy.
void tell_of_unknown_run(const std::string& model, const std::string& run,
                         const std::string& assumed);
/// The same of a CP model's loss, unless --loss or the `run`, which `asked` names, says it;
/// `assumed` of what has no loss to go by.
void tell_of_unknown_loss(const ValueModel& model, const std::string& file,
                          const std::optional<KnownRun>& run, const std::string& asked,
                          const LossChoice& loss, const std::string& assumed);
/// Whether loss or constraints are on the command line.
[[nodiscard]] bool any_constraint_given(const Given& given);
/// The same note of commands whose options are those of the run, unless some are given.
void tell_of_unknown_constraints(const std::string& model, const std::string& run,
                                 const Given& given);

}  // namespace genten::cli
