// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <genten/run/notes.hpp>

#include <vector>

namespace genten {

/// The notes on what entries say of a model: too little, or other things than they were taken for.
[[nodiscard]] std::vector<Note> entry_notes(const CpFigures& figures, const OwnFigures& own,
                                            const RunSettings& settings);

}  // namespace genten
