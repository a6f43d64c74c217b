// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include "signals.hpp"

namespace genten::cli {
namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& text) {
  throw CLI::ValidationError("--" + option, text);
}

}  // namespace

void require_options_for_ranks(const DecomposeOptions& options) {
  if (RanksOfProgram::now() == nullptr) {
    for (const char* name : {"grid", "transport"}) {
      if (options.given("--" + std::string(name))) refuse(name, "means nothing to one rank");
    }
    return;
  }
  const bool by_devices =
      options.transport == TransportKind::peer || options.transport == TransportKind::nccl;
  if (is_host_space<Kokkos::DefaultExecutionSpace> && by_devices) {
    refuse("transport " + std::string(to_string(options.transport)),
           "moves rows between GPUs, and these ranks have none");
  }
  const char* const one = "runs in one process: not yet on several ranks of a launcher";
  if (options.loss != Loss::gaussian) refuse("loss " + std::string(to_string(options.loss)), one);
  if (!options.missing.empty()) refuse("missing", one);
  if (options.input.file == "-") {
    throw CLI::ValidationError("FILE", "expected a file, which every rank can open, got -");
  }
}

int signal_of_any_rank() {
  const int own = InterruptGuard::signal();
  RankModule* const module = RanksOfProgram::now();
  if (module == nullptr) return own;
  for (const int each : all_gather(module->ranks(), own)) {
    if (own == 0 && each != 0) return each;
  }
  return own;
}

}  // namespace genten::cli
