// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the parts of genten project share.

#include "labels.hpp"
#include "option_rules.hpp"
#include "run_options.hpp"
#include "tools/tensor_input.hpp"

#include <genten/core/mode_selection.hpp>
#include <genten/cp/project_rows.hpp>

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace genten::cli {

/// The command line of genten project.
struct ProjectCommand {
  std::string model;
  tools::TensorInput input;
  std::string mode;
  std::string run;                             ///< the report of the run that made the model
  std::optional<KnownRun> report_of_run = {};  ///< what is known of it
  std::string training;                        ///< the tensor of that run
  std::string output, rows;
  std::string missing = "none";
  std::string missing_in_training = "none";  ///< likewise, where a list of the run's tensor
  ModeSelection partial = {};                ///< modes of whose rows those with entries alone count
  std::string loss = "gaussian";
  std::optional<double> loss_parameter;
  bool nonnegative = false;
  ProjectOptions options;
  ReportOptions report;
  Given given;
  nlohmann::json options_of_run = nlohmann::json::object();  ///< what is known of them
  bool knows_run = false;  ///< a run is known, or the command line says what it was
  /// In words, which options are those of the run.
  std::string taken = {};
};

/// Takes from a run what the command line does not give, for the rows of `mode` of a model: loss,
/// constraints and missing entries.
void take_run(ProjectCommand& command, const Ktensor<double, HostExec>& model, int mode,
              const KnownRun& run);

/// What was found, for people and files.
struct ProjectedSlices {
  const Projection<double, HostExec>& found;
  const Labels& labels;
  std::size_t mode;
  bool free_rows;  ///< no penalty says which row it is where entries leave several
  bool has_training;
  /// Below this part explained a row fits far worse than training rows; NaN: not known.
  double fence;
  std::vector<std::string> notes;  ///< on new rows and entries

  [[nodiscard]] bool far_worse(std::size_t row) const { return found.rows[row].explained < fence; }
  /// Whether entries are too few to determine a row.
  [[nodiscard]] bool is_open(std::size_t row) const {
    return free_rows && found.rows[row].entries < static_cast<double>(found.model.rank());
  }
};

/// A line for each row.
void write_rows(const std::string& path, const ProjectedSlices& slices);
/// The members of the report.
[[nodiscard]] nlohmann::ordered_json to_json(const ProjectedSlices& slices);
void print(std::ostream& out, const ProjectedSlices& slices);

}  // namespace genten::cli
