// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Writing names of rows and modes, and what is known of a model's run, beside a tensor or model,
/// FILE.labels.json, for the Python package and for this tool.

#include "labels.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace genten::cli {

/// The names of an output's rows.
struct OutputNames {
  Labels labels;
  std::vector<std::size_t> dimensions;         ///< those of the output
  std::optional<std::size_t> index_base = {};  ///< from where a text counts
  /// Whether the form knows entries alone, so that there may be names of slices behind the last one
  /// that is listed.
  bool knows_entries_alone = false;
  /// Of a tensor that is made of a table, what that calls its values, unless "value".
  std::string values = {};
  /// Of the run that made a model, as `run_beside` has it; null of tensors.
  nlohmann::json run = {};

  [[nodiscard]] bool any() const { return labels.any() || !run.is_null(); }
  /// What the file holds, for people.
  [[nodiscard]] const char* content() const {
    return labels.any() ? "names" : "the options of the run";
  }
};

/// FILE.labels.json, where names have a place beside such an output; "" where they have none, as
/// beside the standard output and pipes, and for no output at all.
[[nodiscard]] std::string labels_file_of(const std::string& output);

/// Throws Error of kind `file` where names would take the place of a file that holds no names.
void require_place_of_labels(const std::string& output, const OutputNames& names);

/// Writes names and loss beside a file that was just written, and returns the name of that file; ""
/// where there are none or no place. Names of the file that was there before are then removed,
/// and standard error says so, as it does of names that the output has no rows for.
[[nodiscard]] std::string write_labels_beside(const std::string& output, const OutputNames& names);

}  // namespace genten::cli
