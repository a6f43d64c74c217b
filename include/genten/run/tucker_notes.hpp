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

/// What options say of a run, beside what is known of the tensor's entries; the rest is for the
/// caller to set.
[[nodiscard]] RunSettings run_settings(const TuckerOptions& options, EntryFacts entries = {});

/// The notes on a run, in the order of `NoteCode`.
[[nodiscard]] std::vector<Note> tucker_notes(const TuckerFigures& figures,
                                             const RunSettings& settings);

/// What else is to be known, as sentences without a capital letter and a period.
[[nodiscard]] std::vector<std::string> tucker_warnings(const TuckerFigures& figures);

}  // namespace genten
