// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoints.hpp"

#include "ranks.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/cp/cp_als.hpp>
#include <genten/cp/cp_completion.hpp>

#include <iostream>

namespace genten::cli {
namespace {

/// Which solver a checkpoint is of.
struct SavedSolver {
  Precision precision = Precision::float64;
  Loss loss = Loss::gaussian;
  CompletionCheckpoint missing = CompletionCheckpoint::none;
};

template <RealScalar Scalar>
SavedSolver solver_of(const std::string& file) {
  const auto checkpoint = read_checkpoint<Scalar, HostExec>(file);
  return {sizeof(Scalar) == sizeof(float) ? Precision::float32 : Precision::float64,
          is_apr_checkpoint(checkpoint) ? Loss::poisson : Loss::gaussian,
          completion_checkpoint(checkpoint)};
}

/// What the first rank finds in the file.
SavedSolver find_solver(const std::string& file) {
  SavedSolver found;
  on_first_rank([&] {
    const bool narrow = checkpoint_scalar_bytes(file) == sizeof(float);
    found =
        reading(file, [&] { return narrow ? solver_of<float>(file) : solver_of<double>(file); });
  });
  return of_first_rank(found);
}

/// Sets what is missing to what was in the run of the checkpoint. A list is in a file of its own,
/// which must be given again.
void take_missing(DecomposeOptions& options, CompletionCheckpoint saved) {
  const bool given = !options.missing.empty();
  const bool same = saved == CompletionCheckpoint::none       ? !given
                    : saved == CompletionCheckpoint::unlisted ? !given || options.misses_unlisted()
                                                              : !options.missing_file().empty();
  if (!same) {
    const char* const expected =
        saved == CompletionCheckpoint::none       ? "none, as the run of the checkpoint had it"
        : saved == CompletionCheckpoint::unlisted ? "that of the checkpoint, unlisted"
                                                  : "the file of missing cells that the run of the "
                                                    "checkpoint had";
    reject("missing", expected, given ? options.missing : "none");
  }
  if (saved == CompletionCheckpoint::unlisted) options.missing = "unlisted";
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
  const SavedSolver solver = find_solver(options.resume);
  if (options.given("--precision") && options.input.precision != solver.precision) {
    reject("precision", "that of the checkpoint, " + value_text(solver.precision),
           value_text(options.input.precision));
  }
  options.input.precision = solver.precision;
  if (options.given("--loss") && options.loss != solver.loss) {
    reject("loss", "that of the checkpoint, " + value_text(solver.loss), value_text(options.loss));
  }
  options.loss = solver.loss;
  take_missing(options, solver.missing);
}

}  // namespace genten::cli
