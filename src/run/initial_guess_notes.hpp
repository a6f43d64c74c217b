// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Notes on what a run began at.

#include <genten/run/notes.hpp>

namespace genten {

[[nodiscard]] std::vector<Note> initial_guess_notes(const OwnFigures& own,
                                                    const RunSettings& settings);

}  // namespace genten
