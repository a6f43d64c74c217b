// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace genten::tools {

/// Of new rows of a mode with `known` ones, each behind "mode X has": names that differ from a
/// known one only by blanks, by case or by zeros before a number, those in another form
/// than the one that all known dates have, and those of sums.
[[nodiscard]] std::vector<std::string> new_name_notes(const std::vector<std::string>& known,
                                                      const std::vector<std::string>& fresh);
/// The last of these alone; "" of none.
[[nodiscard]] std::string new_margins_note(const std::vector<std::string>& known,
                                           const std::vector<std::string>& fresh);
/// Which of the `known` rows of a mode are meant by `unknown` names: one that differs only as
/// above, and dates in another form than all known ones have; "" where nothing tells.
[[nodiscard]] std::string meant_names(const std::vector<std::string>& known,
                                      const std::vector<std::string>& unknown);

}  // namespace genten::tools
