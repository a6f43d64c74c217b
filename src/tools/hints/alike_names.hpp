// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of rows that somebody may have meant to be the same.

#include <cstddef>
#include <string>
#include <vector>

namespace genten::tools {

/// Names that differ only by blanks at their ends or by the case of letters of ASCII: how many, and
/// two of them.
struct AlikeNames {
  std::size_t count = 0;
  std::string first, second;
};

/// Those beside the first of each.
[[nodiscard]] AlikeNames alike_names(const std::vector<std::string>& names);
/// Those of `known` of which one of `names` does.
[[nodiscard]] AlikeNames alike_names(const std::vector<std::string>& names,
                                     const std::vector<std::string>& known);

}  // namespace genten::tools
