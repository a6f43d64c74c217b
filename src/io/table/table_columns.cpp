// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_columns.hpp"

#include "../text/numbers.hpp"

#include <algorithm>
#include <charconv>

namespace genten::detail {

namespace {

/// Whether the column takes the field for a subscript, as far as it is known.
bool take_whole(ModeColumn& column, std::string_view field) {
  if (column.kind == ColumnKind::text) return false;
  const auto whole = to_whole_number(field);
  if (!whole) return false;
  if (whole->negative && column.negative == nullptr) column.negative = field.data();
  column.largest = std::max(column.largest, whole->magnitude);
  column.smallest = std::min(column.smallest, whole->magnitude);
  return true;
}

void look_closer(ModeColumn& column, const TableField& field) {
  if (column.kind == ColumnKind::text) return;
  double value = 0.0;
  const std::string_view text = trimmed(field.text);
  // Digits alone that are too many for a subscript are names.
  const bool digits = std::all_of(text.begin(), text.end(), is_digit);
  if (digits || to_value(text, value) == ValueStatus::not_a_number) {
    column.kind = ColumnKind::text;
  } else if (column.kind == ColumnKind::whole) {
    column.kind = ColumnKind::number;
    column.number = field;
  }
}

/// Throws Error for columns that are no modes.
void require_modes(const std::string& path, std::string_view text, const TableLayout& layout,
                   const std::vector<ModeColumn>& columns) {
  for (std::size_t n = 0; n < columns.size(); ++n) {
    const ModeColumn& column = columns[n];
    const std::string name = column_name(layout, layout.modes[n]);
    if (column.kind == ColumnKind::number) {
      fail_at(path, text, column.number.text.data(),
              name + ": expected whole numbers or texts, got " + in_quotes(column.number.text) +
                  ": is it the column of values? Or leave it out of the modes");
    }
    if (column.kind == ColumnKind::whole && column.negative != nullptr) {
      fail_at(path, text, column.negative, name + ": expected subscripts, got a negative one");
    }
  }
}

}  // namespace

void ModeColumn::add(const ModeColumn& later) {
  if (negative == nullptr) negative = later.negative;
  if (kind != ColumnKind::number) number = later.number;
  kind = std::max(kind, later.kind);
  largest = std::max(largest, later.largest);
  smallest = std::min(smallest, later.smallest);
}

std::optional<WholeNumber> to_whole_number(std::string_view field) {
  field = trimmed(field);
  WholeNumber number;
  if (!field.empty() && (field.front() == '-' || field.front() == '+')) {
    number.negative = field.front() == '-';
    field.remove_prefix(1);
  }
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, number.magnitude);
  constexpr std::uint64_t longest = std::numeric_limits<std::int64_t>::max();
  if (error != std::errc() || stop != end || number.magnitude >= longest) return std::nullopt;
  number.negative = number.negative && number.magnitude != 0;
  return number;
}

bool is_missing(std::string_view field) {
  constexpr std::size_t longest = 8;
  // clang-format off
  constexpr std::array<std::string_view, 18> words = {
      "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
      "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"};
  // clang-format on
  if (field.empty()) return true;
  if (field.size() > longest ||
      std::string_view("#-1<Nn").find(field.front()) == std::string_view::npos) {
    return false;
  }
  return std::find(words.begin(), words.end(), field) != words.end();
}

std::string column_name(const TableLayout& layout, std::size_t column) {
  return "column " + in_quotes(layout.columns[column]);
}

std::string missing_value(const TableLayout& layout, std::size_t column, std::string_view field) {
  return column_name(layout, column) + ": a value is missing" +
         (field.empty() ? "" : " (" + in_quotes(field) + ")") +
         ": leave out the row, or write what it is to count as";
}

std::vector<ModeColumn> look_at_columns(const HostExec& host, const std::string& path,
                                        std::string_view text, const TableLayout& layout,
                                        const ReadOptions& options,
                                        std::vector<TableBlock>& blocks) {
  const BlockWork work{options.threads, options.meter};
  const std::size_t order = layout.modes.size();
  std::vector<std::vector<ModeColumn>> found(blocks.size(), std::vector<ModeColumn>(order));
  work.begin("looking at columns", blocks.size());
  for_each_table_block(
      "genten::look_at_columns", host, path, text, blocks.size(), work,
      [&](std::size_t i, std::size_t) {
        return for_each_record(
            blocks[i], layout, text.data() + text.size(),
            [&](std::size_t column, const TableField& field) -> std::optional<TableError> {
              const auto mode = static_cast<std::size_t>(layout.roles[column]);
              if (mode >= order || take_whole(found[i][mode], field.text)) return std::nullopt;
              if (is_missing(field.text)) {
                return TableError{field.text.data(), missing_value(layout, column, field.text)};
              }
              look_closer(found[i][mode], field);
              return std::nullopt;
            },
            [&]() -> std::optional<TableError> {
              ++blocks[i].rows;
              return std::nullopt;
            });
      });
  std::vector<ModeColumn> columns(order);
  std::size_t row = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].row = row;
    row += blocks[i].rows;
    for (std::size_t n = 0; n < order && blocks[i].rows != 0; ++n) columns[n].add(found[i][n]);
  }
  if (row == 0) {
    throw Error::in_file(path, 0, "the table has no rows behind its header");
  }
  require_modes(path, text, layout, columns);
  return columns;
}

}  // namespace genten::detail
