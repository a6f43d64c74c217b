// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoints.hpp"

#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/cp/cp_als.hpp>

#include <iostream>

namespace genten::cli {
namespace {

Loss loss_of(const std::string& checkpoint, Precision precision) {
  const bool is_apr = precision == Precision::float32
                          ? is_apr_checkpoint(read_checkpoint<float, HostExec>(checkpoint))
                          : is_apr_checkpoint(read_checkpoint<double, HostExec>(checkpoint));
  return is_apr ? Loss::poisson : Loss::gaussian;
}

}  // namespace

void warn_of_checkpoint(const std::string& path, const char* why) {
  std::cout.flush();
  std::cerr << "genten: no checkpoint in " << printable(path) << ": " << printable_lines(why)
            << "; the run goes on\n";
}

void prepare_to_resume(DecomposeOptions& options) {
  if (options.resume.empty()) return;
  if (options.resume == "-") reject("resume", "a file, which is read more than once", "-");
  if (options.given("--init")) {
    throw CLI::ValidationError("--init", "means nothing beside --resume");
  }
  const auto saved = checkpoint_scalar_bytes(options.resume) == sizeof(float) ? Precision::float32
                                                                              : Precision::float64;
  if (options.given("--precision") && options.input.precision != saved) {
    reject("precision", "that of the checkpoint, " + value_text(saved),
           value_text(options.input.precision));
  }
  options.input.precision = saved;
  const Loss loss = reading(options.resume, [&] { return loss_of(options.resume, saved); });
  if (options.given("--loss") && options.loss != loss) {
    reject("loss", "that of the checkpoint, " + value_text(loss), value_text(options.loss));
  }
  options.loss = loss;
}

}  // namespace genten::cli
