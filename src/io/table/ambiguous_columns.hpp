// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Complaints of columns of numbers of which nothing says whether they are modes or values.

#include <string>
#include <vector>

namespace genten::detail {

/// The columns without those of `numbers` that are called as quantities are, where two or more are
/// left; else all.
[[nodiscard]] std::vector<std::string> but_quantities(std::vector<std::string> columns,
                                                      const std::vector<std::string>& numbers);

/// Throws Error of columns of a table, some of which hold `whole` numbers and may be values, too,
/// where nothing says which they are.
[[noreturn]] void refuse_whole_numbers(const std::string& path,
                                       const std::vector<std::string>& columns,
                                       std::vector<std::string> whole);

/// What a message appends to the option that names the values: an option for the modes among these
/// other columns, where some of the `numbers` among them are quantities by their names; "" where
/// none is.
[[nodiscard]] std::string beside_values(const std::vector<std::string>& others,
                                        const std::vector<std::string>& numbers);

}  // namespace genten::detail
