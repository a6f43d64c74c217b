// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The run of a model as options of a command line, for messages that advise one.

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace genten::cli {

/// An option by which a run was made, and the member of the run that says so.
struct OptionOfRun {
  std::string member;  ///< "loss_parameter"
  std::string option;  ///< "--loss-parameter"
  std::string text;    ///< "--loss-parameter 0.5"
};

/// A file as it is typed in a command that a message advises; what is read once is `otherwise`.
[[nodiscard]] std::string file_in_command(const std::string& file, const char* otherwise);

/// The options of `decompose` that decide what is fitted, of a run as `run_of_options` writes it:
/// none for least squares, nor for a ridge that the run has chosen itself.
[[nodiscard]] std::vector<OptionOfRun> options_of_run(const nlohmann::json& run);

/// The options by which values were read, of such a run: " --values price --duplicates mean".
[[nodiscard]] std::string options_of_values(const nlohmann::json& run);

/// With what `decompose` begins at a model.
[[nodiscard]] std::string init_option(const std::string& model);

/// The options of `decompose` that begin at a model, read other files as that of its run, and fit
/// as that did.
[[nodiscard]] std::string fit_options(const std::string& model);

}  // namespace genten::cli
