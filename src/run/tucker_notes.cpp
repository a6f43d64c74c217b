// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/run/tucker_notes.hpp>

#include <utility>

namespace genten {

RunSettings run_settings(const TuckerOptions& options, EntryFacts entries) {
  return {.max_iterations = options.max_iterations,
          .tolerance = options.tolerance,
          .time_limit = options.time_limit,
          .takes_missing = false,
          .entries = std::move(entries)};
}

std::vector<Note> tucker_notes(const TuckerFigures& figures, const RunSettings& settings) {
  CpFigures common;
  common.stop_reason = figures.stop_reason;
  common.iterations = figures.iterations;
  common.fit = figures.fit;
  common.residual_norm = figures.residual_norm;
  common.residual_error = figures.residual_error;
  common.tensor_norm = figures.tensor_norm;
  common.tolerance_above_fit = figures.stop_reason == StopReason::converged &&
                               figures.iterations > 0 && figures.tensor_norm > 0.0 &&
                               figures.fit < settings.tolerance;
  return notes_of(common, CpAlsFigures(), ComponentFacts(), settings);
}

std::vector<std::string> tucker_warnings(const TuckerFigures& figures) {
  if (figures.vectors_converged) return {};
  return {
      "some leading vectors were not found to full accuracy: singular values of the matrices "
      "that they belong to are nearly the same"};
}

}  // namespace genten
