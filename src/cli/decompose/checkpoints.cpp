// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "checkpoints.hpp"

#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/cp/cp_als.hpp>

#include <iostream>

namespace genten::cli {

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
}

void take_saved_options(DecomposeOptions& options, const CpAlsOptions& saved) {
  CpAlsOptions taken = saved;
  for_each_field(options.als, [&](const auto& field, const auto& given) {
    using Value = std::remove_cvref_t<decltype(given)>;
    if (field.name == "init" || !options.given("--" + std::string(field.name))) return;
    for_each_field(taken, [&](const auto& other, auto& value) {
      if constexpr (std::is_same_v<Value, std::remove_cvref_t<decltype(value)>>) {
        if (other.name != field.name) return;
        if (value != given && !may_change_on_resume(field.name)) {
          const std::string before = value_text(value);
          reject(field.name, "that of the checkpoint, " + (before.empty() ? "none" : before),
                 value_text(given));
        }
        value = given;
      }
    });
  });
  options.als = taken;
}

}  // namespace genten::cli
