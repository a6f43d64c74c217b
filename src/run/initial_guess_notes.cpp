// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "initial_guess_notes.hpp"

#include "note_text.hpp"

namespace genten {
namespace {

Note lifted_zeros(std::size_t zeros) {
  return {NoteCode::lifted_zeros,
          "the initial guess was 0 where the tensor is not: before the run " +
              count_of(zeros, "zero") + " of its factors " + (zeros == 1 ? "was" : "were") +
              error_text::with_options(" raised by {kappa}"),
          {{"zeros", static_cast<double>(zeros)}}};
}

Note fixed_random(const std::vector<int>& fixed) {
  std::vector<std::string> modes;
  for (const int mode : fixed) modes.push_back(error_text::number(mode));
  const bool one = modes.size() == 1;
  return {NoteCode::fixed_random,
          std::string(one ? "the factor of fixed mode " : "the factors of fixed modes ") +
              listed(modes) + (one ? " is" : " are") +
              error_text::with_options(
                  " still the random numbers that the run began at: give {init} a model that "
                  "has ") +
              (one ? "this factor" : "these factors"),
          {{"modes", static_cast<double>(fixed.size())}}};
}

}  // namespace

std::vector<Note> initial_guess_notes(const OwnFigures& own, const RunSettings& settings) {
  std::vector<Note> notes;
  const auto* const apr = std::get_if<CpAprFigures>(&own);
  if (apr != nullptr && apr->lifted_zeros != 0) notes.push_back(lifted_zeros(apr->lifted_zeros));
  if (settings.random_start && !settings.fixed_modes.empty()) {
    notes.push_back(fixed_random(settings.fixed_modes));
  }
  return notes;
}

}  // namespace genten
