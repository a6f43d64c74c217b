// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the subcommands have in common: how they are declared.

#include "tools/command_line.hpp"
#include "tools/files.hpp"
#include "tools/kokkos/session.hpp"
#include "tools/program.hpp"

#include <functional>
#include <memory>

namespace genten::cli {

using namespace tools;

/// The work of a subcommand. Runs while Kokkos is initialized, returns an exit code.
struct Action {
  Needs needs = Needs::host;
  std::function<int()> run;
  bool on_processes = false;  ///< may run on several processes of a launcher
};

/// Each declares a subcommand of `tool` that, when it was chosen, sets `action`.
void add_decompose(CLI::App& tool, Action& action);
void add_rank(CLI::App& tool, Action& action);
void add_tucker(CLI::App& tool, Action& action);
void add_info(CLI::App& tool, Action& action);
void add_show(CLI::App& tool, Action& action);
void add_convert(CLI::App& tool, Action& action);
void add_generate(CLI::App& tool, Action& action);
void add_compare(CLI::App& tool, Action& action);
void add_evaluate(CLI::App& tool, Action& action);
void add_predict(CLI::App& tool, Action& action);
void add_project(CLI::App& tool, Action& action);
void add_update(CLI::App& tool, Action& action);
/// The commands that print the manual page and the completions, of all that `tool` declares.
void add_manual(CLI::App& tool, Action& action);

/// Declares a subcommand whose options live in a new `Options`, and whose work is `run(options)`.
/// `declare(app, options)` adds the options.
template <class Options, class Declare, class Run>
void add_command(CLI::App& tool, Action& action, const char* name, const char* description,
                 Declare&& declare, Run run, Needs needs = Needs::host, bool on_processes = false) {
  CLI::App& app = add_subcommand(tool, name, description);
  const auto options = std::make_shared<Options>();
  declare(app, *options);
  set_callback(app, [options, run, needs, on_processes, &action] {
    action = {needs, [options, run] { return run(*options); }, on_processes};
  });
}

}  // namespace genten::cli
