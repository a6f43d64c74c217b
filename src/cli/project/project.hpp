// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the parts of genten project share.

#include "labels.hpp"
#include "option_rules.hpp"
#include "tools/tensor_input.hpp"

#include <genten/cp/project_rows.hpp>

#include <nlohmann/json_fwd.hpp>

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
  std::string run;       ///< the report of the run that made the model
  std::string training;  ///< the tensor of that run
  std::string output, rows;
  std::string missing = "none";
  std::string missing_in_training = "none";  ///< likewise, where a list of the run's tensor
  std::string loss = "gaussian";
  std::optional<double> loss_parameter;
  bool nonnegative = false;
  ProjectOptions options;
  ReportOptions report;
  Given given;
  /// In words, which options are those of the run.
  std::string taken = {};
};

/// Takes from the report of a run (`decompose --json`) what the command line does not give, for the
/// rows of `mode` of a model: loss, constraints and missing entries. Returns whether there is a
/// report. Throws Error of kind `file` for what is no such report.
[[nodiscard]] bool take_run(ProjectCommand& command, const Ktensor<double, HostExec>& model,
                            int mode);

/// What was found, for people and files.
struct ProjectedSlices {
  const Projection<double, HostExec>& found;
  const Labels& labels;
  std::size_t mode;
  /// Below this part explained a row fits far worse than training rows; NaN: not known.
  double fence;

  [[nodiscard]] bool far_worse(std::size_t row) const { return found.rows[row].explained < fence; }
};

/// A line for each row.
void write_rows(const std::string& path, const ProjectedSlices& slices);
/// The members of the report.
[[nodiscard]] nlohmann::ordered_json to_json(const ProjectedSlices& slices);
void print(std::ostream& out, const ProjectedSlices& slices);

}  // namespace genten::cli
