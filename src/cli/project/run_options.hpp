// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The options of the run that made a model, from its report.

#include <genten/dense/row_constraint.hpp>

#include <nlohmann/json.hpp>

#include <functional>
#include <string>

namespace genten::cli {

/// What `decompose --json` tells of a run.
struct RunReport {
  std::string file;
  nlohmann::json options;
  std::string tensor = {};  ///< the file that the run has read

  [[nodiscard]] std::string loss() const;
  /// Whether penalties are beside the whole sum of squares, not half of it.
  [[nodiscard]] bool sums_whole_squares() const;
  /// Penalties and bounds of a mode, 0-based.
  [[nodiscard]] RowConstraint constraint(std::size_t mode) const;
  /// "none", "unlisted", or the file that lists entries.
  [[nodiscard]] std::string missing() const;
};

/// Calls use(report) with the report `run` of the run that made a model or, where `run` is empty,
/// the one beside the model that names it, and returns whether there is one; "none" is no report.
/// Throws Error of kind `file` for what is no such report.
[[nodiscard]] bool with_run_report(const std::string& model, const std::string& run,
                                   const std::function<void(const RunReport&)>& use);

}  // namespace genten::cli
