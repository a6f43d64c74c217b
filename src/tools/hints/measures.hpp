// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Columns of numbers that a table has beside its values and that nobody has named as modes: some
/// are quantities of their own.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace genten::tools {

/// A table whose values are named and whose modes are not.
struct ModesOfTable {
  std::vector<std::vector<std::uint64_t>> subscripts;  ///< by mode
  std::vector<bool> named;                             ///< by mode, whether it has texts
  std::vector<double> values;
  /// By mode, whether most of its texts are numbers with decimals; none where nobody has looked.
  std::vector<bool> decimals = {};
};

/// Whether most of these texts, all of them different, are numbers with decimals: not versions,
/// which are few and have one digit behind the point, or are the same number as 1.1 and 1.10 are.
[[nodiscard]] bool are_decimals(const std::vector<std::string>& texts);

/// Of longer tables nobody asks.
inline constexpr std::size_t most_looked_at = 1'000'000;

/// Several modes of numbers beside which texts alone tell all rows apart, as those of a wide table
/// do, whose columns hold one quantity. Or the first mode of numbers does, which ascends or is
/// called as ids are, and the others have the range of the values, and no names of times and
/// places. `columns` are the names of all modes.
[[nodiscard]] std::vector<std::size_t> wide_columns(const ModesOfTable& table,
                                                    const std::vector<std::string>& columns);

/// Why a mode of numbers may be a quantity.
enum class MeasureSign {
  correlation,  ///< the values rise or fall with it
  name,         ///< it is called as quantities are
  decimals,     ///< most of its texts are numbers with decimals
  property,     ///< each cell of the other modes, of which most occur, has one of its texts
  gaps          ///< most numbers between its least and its largest do not occur
};

/// A mode of numbers that may be a quantity.
struct Measure {
  std::size_t mode = 0;
  std::size_t distinct = 0;  ///< its numbers
  double correlation = 0.0;  ///< of their ranks with those of the values
  MeasureSign sign = MeasureSign::correlation;
  bool is_needed = false;  ///< to tell rows apart, which its name alone outweighs
};

/// Modes of numbers without which rows can be told apart as well, and with which the values rise or
/// fall, or which are quantities by their names or their gaps; those that are by their names, also
/// where rows recur, as the sales of a product on one day do, but for what a table counts by, as
/// movies by rating, or any grid that is full. What counts places, as a week does
/// beside shop and product, is needed to tell rows apart; two quantities of one row, such as amount
/// and revenue, both follow from its place and most often go together. Where a number counts places
/// and is not needed, as the day of a rating that each user gives an item once, the values hardly
/// depend on it, and it is called as times, ids and places are. Texts of which most are numbers
/// with decimals, beside a few words, count whether or not rows need them; and so do texts of which
/// each cell of the others has one, as the kind of weather of a city and day, where half of these
/// cells or more occur, but for what one of the others determines and what is called as times, ids
/// and places. `columns` are the names of all modes. Where rows were `merged` names alone tell.
[[nodiscard]] std::vector<Measure> measures_in(const ModesOfTable& table,
                                               const std::vector<std::string>& columns,
                                               bool merged);

/// A note on them with references to options, "" of none; `columns` are those of all modes.
[[nodiscard]] std::string measures_note(const std::vector<Measure>& found,
                                        const std::vector<std::string>& columns);

}  // namespace genten::tools
