// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows whose values are sums of those of others, whatever they are called.

#include "measures.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace genten::tools {

/// A row whose entries are the sums of those of others.
struct SummedRow {
  std::size_t row = 0;
  std::vector<std::size_t> others = {};  ///< none: all
};

/// By mode with names the rows whose entries are the sums of all others at the same subscripts of
/// the other modes, three sums or more of several numbers that are not 0 among them. In modes of 64
/// rows at most, none below zero, also those of some others, where no other sums of rows would do,
/// and more of them agree than there are rows. Of tables beyond `most_looked_at` nobody asks.
[[nodiscard]] std::vector<std::vector<SummedRow>> summed_rows(const ModesOfTable& table);

/// By mode with names those of `names` that are ordinary words of margins, as "overall", and whose
/// values are, but for rounding, the sums or the means of all others beside them.
[[nodiscard]] std::vector<std::vector<std::string>> margins_by_numbers(
    const ModesOfTable& table, const std::vector<std::vector<std::string>>& names);

/// What is to be said of a row, behind what it is called; `name` calls another one.
[[nodiscard]] std::string about_summed_row(const SummedRow& row,
                                           const std::function<std::string(std::size_t)>& name);

}  // namespace genten::tools
