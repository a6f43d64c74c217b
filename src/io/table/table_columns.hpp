// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the columns of a table hold: subscripts, other numbers, or texts.

#include "table_blocks.hpp"
#include "table_numbers.hpp"

#include <cstdint>
#include <limits>

namespace genten::detail {

/// A column is of the last of these that one of its fields is.
enum class ColumnKind {
  whole,   ///< whole numbers below 2^63 - 1 without leading zeros, which are subscripts
  number,  ///< other numbers
  text
};

/// A field and its place in the text.
struct FoundField {
  std::string text;
  std::size_t place = 0;
};

/// What is known of a column that is a mode.
struct ModeColumn {
  ColumnKind kind = ColumnKind::whole;
  std::uint64_t largest = 0;
  std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
  std::size_t negative = Bytes::npos;  ///< place of the first negative number
  FoundField number;                   ///< the first that is not whole; where `kind` is number
  /// The first number with commas, with marks between thousands, or with signs beside it, and
  /// whether there are other texts.
  FoundField marks;
  bool has_words = false;
  bool has_signs = false;

  void add(const ModeColumn& later);
};

/// Takes into account a field that is not missing, of a table with decimal points.
void take_field(ModeColumn& column, std::string_view field, std::size_t place);

/// Why a column is no mode.
enum class ColumnFault { none, marks, signs, numbers, negative };
[[nodiscard]] ColumnFault fault_of(const ModeColumn& column);

/// The whole number that a field is; nothing where it is none, or 2^63 - 1 or beyond. Blanks
/// around it and a sign are read, as of all numbers.
struct WholeNumber {
  std::uint64_t magnitude = 0;
  bool negative = false;
};
[[nodiscard]] std::optional<WholeNumber> to_whole_number(std::string_view field);

/// Whether a field of a mode or of the values is missing, as `is_missing_value` says. In quotes a
/// word is the name of a row, as R writes them.
[[nodiscard]] bool is_missing(const TableLayout& layout, std::size_t column,
                              const TableField& field);

/// What to say of one that is.
[[nodiscard]] std::string missing_value(const TableLayout& layout, std::size_t column,
                                        std::string_view field);

/// What to say behind the message on a value that is no number, where it may mark one that is
/// missing, as a dash does, or words among numbers do; "" of others.
[[nodiscard]] std::string mark_hint(const Bytes& text, const TableLayout& layout,
                                    const std::vector<TableBlock>& blocks, std::size_t column,
                                    std::string_view field);

/// How many fields of modes and values are missing in all blocks, and where the first of them are,
/// as the end of a message on one; "" where there is no other.
[[nodiscard]] std::string missing_in_all(const Bytes& text, const TableLayout& layout,
                                         const std::vector<TableBlock>& blocks);

/// The first numbers of a column that a sign of decimals would refuse.
[[nodiscard]] RefusedNumbers refused_numbers(const Bytes& text, const TableLayout& layout,
                                             const std::vector<TableBlock>& blocks,
                                             std::size_t column);

/// "column 'user'"
[[nodiscard]] std::string column_name(const TableLayout& layout, std::size_t column);

/// What a message appends to the option that names the values: an option for the modes among these
/// other columns, where some are quantities of their own by their names; "" where none is.
[[nodiscard]] std::string beside_values(const std::vector<std::string>& others);

/// Looks at the fields of all modes and counts the records of blocks. Throws Error of the first
/// record that is wrong, and for columns that are no modes: of numbers that are not whole, or
/// negative.
[[nodiscard]] std::vector<ModeColumn> look_at_columns(const HostExec& host, const std::string& path,
                                                      const Bytes& text, const TableLayout& layout,
                                                      const ReadOptions& options,
                                                      std::vector<TableBlock>& blocks);

}  // namespace genten::detail
