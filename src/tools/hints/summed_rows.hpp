// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows whose values are sums of those of the others, whatever they are called.

#include "measures.hpp"

#include <cstddef>
#include <vector>

namespace genten::tools {

/// By mode with names the row whose entries are the sums of all others at the same subscripts of
/// the other modes, three sums or more of several numbers that are not 0 among them; `no_row` where
/// none is so. Of tables beyond `most_looked_at` nobody asks.
inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);
[[nodiscard]] std::vector<std::size_t> summed_rows(const ModesOfTable& table);

/// What is to be done about such a row.
inline constexpr const char* summed_row_remedy =
    "holds the sums of all others, which count twice with it: leave its entries out of the table";

}  // namespace genten::tools
