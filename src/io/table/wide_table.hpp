// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tables of which several columns hold one quantity, and how pandas makes long ones of them.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace genten::detail {

/// Columns of numbers of which some may hold the same quantity.
inline constexpr std::size_t fewest_of_one_quantity = 3;
/// What to do with a table whose values stand in several columns.
[[nodiscard]] std::string melt_hint();

/// What a message says behind a call that leaves out empty cells.
inline constexpr const char* about_empty_cells =
    "; dropna() leaves out empty cells, which then are zeros, or missing where unlisted entries "
    "are";

/// What becomes of the columns of a wide table.
struct LongTable {
  std::vector<std::string> ids = {};       ///< that are modes
  std::vector<std::string> cells = {};     ///< that hold one quantity, by their names
  std::vector<std::string> left_out = {};  ///< of other quantities
  std::string mode = "variable";           ///< of the names of `cells`
  std::string values = "value";            ///< the column of their values

  /// The call of pandas that makes it of the table `df`.
  [[nodiscard]] std::string call() const;
  /// As "columns 'Jan', 'Feb', 'Mar' and so on hold".
  [[nodiscard]] std::string cells_hold() const;
};

/// The long table of one of which three columns of `numbers` or more, and half of these, are called
/// as times are; none of others. Other numbers are no ids where they are quantities by their names,
/// or among `no_modes`.
[[nodiscard]] std::optional<LongTable> long_table_of_times(
    const std::vector<std::string>& columns, const std::vector<std::string>& numbers,
    const std::vector<std::string>& no_modes);

/// What is wrong with such a table, and how a long one is made of it; "" of others.
[[nodiscard]] std::string wide_table(const std::vector<std::string>& columns,
                                     const std::vector<std::string>& numbers,
                                     const std::vector<std::string>& no_modes = {});

}  // namespace genten::detail
