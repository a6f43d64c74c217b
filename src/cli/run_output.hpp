// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What decompose and tucker say of a run, and where they write it.

#include "command.hpp"

#include <optional>
#include <string>

namespace genten::cli {

struct RunOutput {
  std::string output;  ///< the file of the model
  std::string json;
  std::string labels;
  std::size_t top = 0;
  std::optional<std::size_t> print_every;  ///< none: as Progress thins them out
  bool quiet = false;
  bool verbose = false;

  /// What `Progress` is to show.
  [[nodiscard]] std::optional<std::size_t> lines() const { return quiet ? 0 : print_every; }
};

/// What differs between commands in the help.
struct RunOutputHelp {
  std::string model;     ///< of --output
  std::string top;       ///< of --top
  std::string labelled;  ///< what --labels is for
};

/// Adds --output, --json, --top, --labels, --print-every, --verbose and --quiet.
void add_run_output(CLI::App& app, RunOutput& options, const RunOutputHelp& help);

}  // namespace genten::cli
