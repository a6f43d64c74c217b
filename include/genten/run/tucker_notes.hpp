// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What is to be known of a Tucker decomposition before its model is believed.

#include <genten/run/notes.hpp>
#include <genten/tucker/tucker.hpp>

#include <string>
#include <vector>

namespace genten {

/// The notes on a run, in the order of `NoteCode`. A run that an observer ended was interrupted,
/// unless it was `by_callback`.
[[nodiscard]] std::vector<Note> tucker_notes(const TuckerFigures& figures,
                                             const TuckerOptions& options, bool is_interrupted,
                                             bool by_callback = false);

/// What else is to be known, as sentences without a capital letter and a period.
[[nodiscard]] std::vector<std::string> tucker_warnings(const TuckerFigures& figures);

}  // namespace genten
