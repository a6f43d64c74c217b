// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Options and text of genten tucker.

#include "command.hpp"
#include "option_rules.hpp"
#include "report_lines.hpp"
#include "run_output.hpp"
#include "tools/tensor_input.hpp"

#include <genten/run/tucker_notes.hpp>
#include <genten/tucker/options.hpp>

#include <iosfwd>

namespace genten::cli {

struct TuckerCommand : RunOutput {
  TensorInput input;
  TuckerOptions run;
  std::string guess_file;  ///< --init FILE; empty: none
  Given given;             ///< whether an option was
};

void declare_tucker(CLI::App& app, TuckerCommand& options);

/// Throws usage errors, before anything is read, for options that mean nothing beside others.
void check_options(const TuckerCommand& options);

/// Throws usage errors for options that are not for a tensor like that, and Error of kind `file`
/// for a tensor of one mode.
void check_options(const TuckerCommand& options, const TensorFacts& facts);

/// The options by their names on the command line.
nlohmann::ordered_json options_json(const TuckerCommand& options);

/// What is about to be done to what.
void print_beginning(std::ostream& out, const TuckerCommand& options, const TensorFacts& facts);

/// What a run has come to, but its model.
struct TuckerReport {
  TuckerFigures figures;
  std::vector<std::size_t> core_dimensions;
  std::vector<Note> notes;
  std::vector<std::string> warnings;  ///< that are no notes
};

/// The outcome.
void print_summary(std::ostream& out, const TuckerCommand& options, const TuckerReport& report,
                   const RunFiles& files, bool interrupted);

}  // namespace genten::cli
