// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace genten::tools {

/// The rows of a mode that are called as a quarter or a year of which two months or more, or two
/// quarters, are rows, too: as "Q1 2024" beside "2024-01" and "2024-02".
[[nodiscard]] std::vector<std::size_t> summed_periods(const std::vector<std::string>& names);

}  // namespace genten::tools
