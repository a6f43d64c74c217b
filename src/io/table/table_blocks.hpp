// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The records of a table, cut into blocks that threads read, and going through them.

#include "../file/blocks.hpp"
#include "../text/text_lines.hpp"
#include "table_fields.hpp"
#include "table_layout.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genten::detail {

/// What is wrong, and the first byte of the record or field that it is about.
struct TableError {
  const char* at = nullptr;
  std::string message;
};

/// Records that start in [begin, stop).
struct TableBlock {
  const char* begin = nullptr;
  const char* stop = nullptr;
  std::size_t row = 0;   ///< number of the first record
  std::size_t rows = 0;  ///< number of records
};

/// Cuts a table's records into blocks of about so many bytes. Line ends inside of quotes are no
/// ends of records: a first pass counts quotes.
[[nodiscard]] std::vector<TableBlock> cut_table(const HostExec& host, std::string_view records,
                                                std::size_t block_bytes, const BlockWork& work);

/// Calls `take(column, field)` for every field of a block's records and `end()` behind each; both
/// return what is wrong, if anything. Returns the first error, one of a record that has not as many
/// fields as the header among them. `text_end` is where the whole text ends.
template <class Take, class End>
std::optional<TableError> for_each_record(const TableBlock& block, const TableLayout& layout,
                                          const char* text_end, const Take& take, const End& end) {
  FieldReader reader(layout.delimiter, block.begin, text_end);
  while (reader.at() < block.stop) {
    if (reader.skip_empty_line()) continue;
    const char* const record = reader.at();
    std::size_t column = 0;
    FieldEnd ended = FieldEnd::delimiter;
    std::optional<TableError> wrong;
    for (; ended == FieldEnd::delimiter; ++column) {
      TableField field;
      ended = reader.next(field);
      if (ended == FieldEnd::wrong) return TableError{record, reader.wrong()};
      if (column < layout.columns.size() && !wrong) wrong = take(column, field);
    }
    if (column != layout.columns.size()) {
      return TableError{record, "expected " + counted(layout.columns.size(), "field") +
                                    ", as many as the header has, got " + std::to_string(column)};
    }
    if (!wrong) wrong = end();
    if (wrong) return wrong;
  }
  return std::nullopt;
}

/// Throws Error that names the line of a place in a text.
[[noreturn]] void fail_at(const std::string& path, std::string_view text, const char* at,
                          const std::string& message);

/// Calls `read(block, worker)`, which returns what is wrong, if anything, for all blocks, and
/// throws the first error with its line. `text` is the whole text.
template <class Read>
void for_each_table_block(const char* label, const HostExec& host, const std::string& path,
                          std::string_view text, std::size_t blocks, const BlockWork& work,
                          const Read& read) {
  std::vector<std::optional<TableError>> errors(blocks);
  std::atomic<std::size_t> first_wrong{blocks};
  for_each_block(
      label, host, worker_count(host, blocks, work.threads), blocks,
      [&](std::size_t i, std::size_t worker) {
        // Blocks before a wrong one are read all the same: theirs may come first.
        if (i > first_wrong.load(std::memory_order_relaxed)) return;
        errors[i] = read(i, worker);
        if (errors[i]) atomic_lower(first_wrong, i);
      },
      work.meter);
  if (first_wrong == blocks) return;
  const TableError& error = *errors[first_wrong];
  fail_at(path, text, error.at, error.message);
}

}  // namespace genten::detail
