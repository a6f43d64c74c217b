// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoints.hpp"

#include "processes.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/run/run_cp.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

namespace genten::cli {
namespace {

/// What all processes know of a checkpoint before they read it.
struct SavedRun {
  Precision precision = Precision::float64;
  std::size_t loss = 0;  ///< its place among `loss_names`
  double parameter = 0.0;
  MissingEntries missing = MissingEntries::none;
  Solver solver = Solver::als;
};

template <RealScalar Scalar>
SavedRun look_into(const std::string& file) {
  const auto saved =
      reading(file, [&] { return request_of(read_checkpoint<Scalar, HostExec>(file)); });
  const auto names = loss_names();
  const auto loss = std::find(names.begin(), names.end(), saved.loss) - names.begin();
  return {sizeof(Scalar) == sizeof(float) ? Precision::float32 : Precision::float64,
          static_cast<std::size_t>(loss), saved.any_loss().facts().parameter, saved.missing,
          saved.solver()};
}

}  // namespace

void warn_of_checkpoint(const std::string& path, const std::string& why) {
  std::cout.flush();
  std::cerr << "genten: no checkpoint in " << printable(path) << ": " << printable_lines(why)
            << "; the run goes on\n";
}

bool keeps_its_checkpoint(const DecomposeOptions& options) {
  std::error_code absent;
  return std::filesystem::equivalent(options.checkpoint, options.resume, absent);
}

void tell_of_earlier_checkpoint(const DecomposeOptions& options) {
  const std::string& path = options.checkpoint;
  if (path.empty() || keeps_its_checkpoint(options)) return;
  on_first_process([&] {
    if (!tools::is_checkpoint(path)) return;
    std::cout.flush();
    std::cerr << "genten: note: " << printable(path)
              << " is the checkpoint of an earlier run, which the first one of this run replaces; "
                 "--resume "
              << printable(path) << " goes on with it\n";
  });
}

void Checkpoints::note_trouble(const std::string& why) {
  if (m_trouble.empty()) warn_of_checkpoint(m_path, why);
  m_trouble = why;
}

void Checkpoints::require_last() const {
  if (m_trouble.empty()) return;
  throw Error(Error::Kind::file, "the last checkpoint was not written: " + m_trouble);
}

void prepare_to_resume(DecomposeOptions& options) {
  if (options.resume.empty()) return;
  if (options.resume == "-") reject("resume", "a file, which is read more than once", "-");
  if (options.given("--init")) {
    usage_error("--init",
                "has no effect beside --resume, which goes on from its checkpoint: leave it out");
  }
  SavedRun found;
  on_first_process([&] {
    const bool narrow = checkpoint_scalar_bytes(options.resume) == sizeof(float);
    found = narrow ? look_into<float>(options.resume) : look_into<double>(options.resume);
  });
  found = of_first_process(found);
  if (options.given("--precision") && options.input.precision != found.precision) {
    reject("precision", "that of the checkpoint, " + value_text(found.precision),
           value_text(options.input.precision));
  }
  CpRequest saved;
  saved.loss = loss_names()[found.loss];
  saved.missing = found.missing;
  saved.asked = found.solver;
  if (!saved.any_loss().facts().parameter_name.empty()) saved.loss_parameter = found.parameter;
  settle(options);
  require_same_problem_as(options, saved);
  options.input.precision = found.precision;
  options.request.loss = saved.loss;
  options.request.loss_parameter = saved.loss_parameter;
  options.request.asked = saved.asked;
  options.request.missing = saved.missing;
  if (found.missing == MissingEntries::unlisted) options.missing = "unlisted";
}

}  // namespace genten::cli
