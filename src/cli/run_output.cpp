// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "run_output.hpp"

#include "tools/option_groups.hpp"

namespace genten::cli {

void add_run_output(CLI::App& app, RunOutput& options, const RunOutputHelp& help) {
  begin_group(app, "Output");
  add_output(app, "-o,--output", options.output, help.model + "; - is the standard output");
  add_output(app, "--json", options.json,
             "write the result, with versions, machine and options; - is the standard output");
  add_option(app, {"top", help.top, 0, 1e9}, options.top);
  add_text(app, "--labels", "FILE,...", options.labels,
           "names of the rows, one file a mode, for " + help.labelled +
               ", beside which they go; nothing between two commas: no names (default "
               "FILE.labels.json)");
  const auto every =
      add_option(app, {"print-every", "print every Nth iteration; 0: none", 0, 1e9},
                 options.print_every, "1 on a terminal, in place; elsewhere some twenty in all");
  const auto verbose = add_flag(app, "-v,--verbose", options.verbose,
                                "say also which kernel ran, how fast, and where the time went");
  add_flag(app, "-q,--quiet", options.quiet,
           "print nothing but what --top asks for, and warnings on standard error; refused where "
           "nothing is asked for or written either")
      .excludes(every)
      .excludes(verbose)
      .described_alone();  // the help need not say what it excludes
}

}  // namespace genten::cli
