// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "processes.hpp"

#include "signals.hpp"
#include "tools/launch/process_options.hpp"

namespace genten::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& text) {
  usage_error("--" + option, text);
}

}  // namespace

void require_options_for_processes(const DecomposeOptions& options) {
  require_use_of_process_options([&](const std::string& name) { return options.given(name); },
                                 options.transport);
  if (ProcessesOfProgram::now() == nullptr) return;
  const char* const one = "runs in one process: not yet on several processes of a launcher";
  const CpRequest& request = options.request;
  if (request.loss != "gaussian") refuse("loss " + request.loss, one);
  if (!options.missing.empty()) refuse("missing", one);
  if (request.solver() != Solver::als) refuse("solver " + value_text(request.solver()), one);
  if (options.input.compact) {
    usage_error("--compact",
                std::string(one) + "; genten convert --compact writes a tensor for them");
  }
  if (options.from_nvecs) refuse("init nvecs", one);
  if (request.trust.standard_errors) refuse("standard-errors", one);
  if (request.trust.bootstrap != 0) refuse("bootstrap", one);
  if (options.input.file == "-") {
    usage_error("FILE", "expected a file, which every process can open, got -");
  }
}

int signal_of_any_process() {
  const int own = InterruptGuard::signal();
  MpiModule* const module = ProcessesOfProgram::now();
  if (module == nullptr) return own;
  for (const int each : all_gather(module->processes(), own)) {
    if (own == 0 && each != 0) return each;
  }
  return own;
}

}  // namespace genten::cli
