// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/run/notes.hpp>

#include <vector>

namespace genten {

/// The notes on components that cannot be read one by one, and on models beyond the data.
[[nodiscard]] std::vector<Note> component_notes(const CpFigures& figures, const OwnFigures& own,
                                                const ComponentFacts& components,
                                                const RunSettings& settings);

}  // namespace genten
