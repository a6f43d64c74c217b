// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of rows that sum the others, as the margins of a spreadsheet do.

#include <string>
#include <vector>

namespace genten::tools {

/// Those that are called so, as "Total", among three or more, in their order.
[[nodiscard]] std::vector<std::string> margin_names(const std::vector<std::string>& names);

}  // namespace genten::tools
