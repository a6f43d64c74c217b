// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How unlike two words are, for hints at what was meant.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace genten::tools {

/// How many letters have to be changed, added or taken away (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that `word` begins or nearly is; "" if none.
[[nodiscard]] std::string closest(const std::string& word,
                                  const std::vector<std::string>& candidates);

}  // namespace genten::tools
