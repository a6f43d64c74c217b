// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "note_text.hpp"

#include <genten/run/notes.hpp>

namespace genten {

Note note_of(const GcpWarning& warning) {
  const auto slices = static_cast<std::size_t>(warning.number);
  const std::string of_mode =
      warning.mode < 0 ? "" : " of mode " + error_text::number(warning.mode);
  std::string text;
  if (warning.doubt == GcpDoubt::above_zero_model) {
    return {
        NoteCode::useless_fit,
        "the objective is above that of a model of zeros, " + number(warning.number) +
            ": sampled zeros have misled the run; more of them, another seed or a lower rank may "
            "help",
        {{"objective_of_zeros", warning.number}}};
  }
  if (warning.doubt == GcpDoubt::large_elements) {
    text = "elements of the model can be as large as " + number(warning.number) +
           ", where the loss is flat";
  } else {
    text = count_of(slices, "slice") + of_mode + (slices == 1 ? " has" : " have") +
           (warning.doubt == GcpDoubt::zero_slices ? " no nonzero" : " only ones") +
           ": the elements of such rows grow without end";
  }
  return {NoteCode::no_minimum, text + "; a ridge helps", {{"number", warning.number}}};
}

}  // namespace genten
