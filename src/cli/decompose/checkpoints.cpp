// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoints.hpp"

#include "ranks.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/run/run_cp.hpp>

#include <algorithm>
#include <iostream>

namespace genten::cli {
namespace {

/// What all ranks know of a checkpoint before they read it.
struct SavedRun {
  Precision precision = Precision::float64;
  std::size_t loss = 0;  ///< its place among `loss_names`
  MissingEntries missing = MissingEntries::none;
  Solver solver = Solver::als;
};

/// What the first rank finds in the file. Complains of options that are otherwise in it.
template <RealScalar Scalar>
SavedRun look_into(DecomposeOptions options) {
  const auto saved = reading(options.resume, [&] {
    return request_of(read_checkpoint<Scalar, HostExec>(options.resume));
  });
  settle(options);
  resume(options, saved);
  const auto names = loss_names();
  const auto loss = std::find(names.begin(), names.end(), saved.loss) - names.begin();
  return {sizeof(Scalar) == sizeof(float) ? Precision::float32 : Precision::float64,
          static_cast<std::size_t>(loss), saved.missing, saved.solver()};
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
    usage_error("--init", "means nothing beside --resume");
  }
  SavedRun saved;
  on_first_rank([&] {
    const bool narrow = checkpoint_scalar_bytes(options.resume) == sizeof(float);
    const Precision precision = narrow ? Precision::float32 : Precision::float64;
    if (options.given("--precision") && options.input.precision != precision) {
      reject("precision", "that of the checkpoint, " + value_text(precision),
             value_text(options.input.precision));
    }
    saved = narrow ? look_into<float>(options) : look_into<double>(options);
  });
  saved = of_first_rank(saved);
  options.input.precision = saved.precision;
  options.request.loss = loss_names()[saved.loss];
  options.request.asked = saved.solver;
  if (saved.missing == MissingEntries::unlisted) options.missing = "unlisted";
}

}  // namespace genten::cli
