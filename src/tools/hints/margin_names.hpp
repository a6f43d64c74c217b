// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of rows that sum or average the others, as the margins of a spreadsheet do.

#include <string>
#include <string_view>
#include <vector>

namespace genten::tools {

/// Those that are called so, by mode, as "Total" among three or more, "Total North" where North is
/// a row of any mode, "C_mean" beside C1 and C2, and "Q1 2024" beside its months, in their order.
/// `modes` are the names of modes, of which "all items" is one. Ordinary words, where nobody looks
/// at the numbers.
[[nodiscard]] std::vector<std::vector<std::string>> margin_names(
    const std::vector<std::vector<std::string>>& names, const std::vector<std::string>& modes,
    bool ordinary);

/// Whether a name alone, as "overall", is that of a margin or of what an ordinary row is, as a
/// question of a survey: `margins_by_numbers` tells.
[[nodiscard]] bool is_ordinary_word(std::string_view name);

/// What is to be done about rows that are called so.
inline constexpr const char* margins_remedy =
    "where such a row sums or averages the others, as margins of a spreadsheet do, they count "
    "twice: leave its entries out of the table";

}  // namespace genten::tools
