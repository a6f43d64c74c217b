// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The records of a table, cut into blocks that threads read, and going through them.

#include "../file/blocks.hpp"
#include "../file/bytes.hpp"
#include "../text/text_lines.hpp"
#include "table_fields.hpp"
#include "table_layout.hpp"

#include <genten/base/error.hpp>

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace genten::detail {

/// What is wrong, and the first byte of the record or field that it is about.
struct TableError {
  const char* at = nullptr;
  std::string message;
  std::function<std::string()> more = {};  ///< what the message ends with, found when thrown
};

/// Records that start in [begin, stop) of a text.
struct TableBlock {
  std::size_t begin = 0;
  std::size_t stop = 0;
  std::size_t row = 0;   ///< number of the first record
  std::size_t rows = 0;  ///< number of records
};

/// A block's records in memory.
struct TableRecords {
  std::size_t begin = 0;  ///< where they are in the text
  std::string_view text;

  TableRecords(const Bytes& table, const TableBlock& block, std::vector<char>& buffer)
      : begin(block.begin), text(table.load(block.begin, block.stop - block.begin, buffer)) {}
  [[nodiscard]] const char* end() const { return text.data() + text.size(); }
  /// The place in the text of a byte of the records.
  [[nodiscard]] std::size_t place(const char* at) const {
    return begin + static_cast<std::size_t>(at - text.data());
  }
};

/// Cuts the records of the table `path`, from `begin` on, into blocks of about so many bytes. Line
/// ends inside of quotes are no ends of records: a first pass counts quotes. Throws Error for a
/// record of which 64 MiB do not end it, as behind a quote too many, with the line where it begins.
[[nodiscard]] std::vector<TableBlock> cut_table(const HostExec& host, const std::string& path,
                                                const Bytes& text, std::size_t begin,
                                                std::size_t block_bytes, const BlockWork& work);

/// Calls `take(column, field)` for every field of a block's records and `end()` behind each; both
/// return what is wrong, if anything. Returns the first error, one of a record that has not as many
/// fields as the header among them.
template <class Take, class End>
std::optional<TableError> for_each_record(const TableRecords& records, const TableLayout& layout,
                                          const Take& take, const End& end) {
  FieldReader reader(layout.delimiter, layout.skips_blanks, records.text.data(), records.end());
  while (reader.at() < records.end()) {
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

/// Number of the line with this place of a text.
[[nodiscard]] std::size_t line_of(const Bytes& text, std::size_t place);

/// Calls `read(block, records, worker)`, which returns what is wrong, if anything, for all blocks
/// of a text, and throws the first error with its line.
template <class Read>
void for_each_table_block(const char* label, const HostExec& host, const std::string& path,
                          const Bytes& text, std::span<const TableBlock> blocks,
                          const BlockWork& work, const Read& read) {
  const std::size_t workers = worker_count(host, blocks.size(), work.threads);
  std::vector<std::vector<char>> buffers(workers);
  std::vector<std::pair<std::size_t, TableError>> errors(blocks.size());
  std::atomic<std::size_t> first_wrong{blocks.size()};
  for_each_block(
      label, host, workers, blocks.size(),
      [&](std::size_t i, std::size_t worker) {
        // Blocks before a wrong one are read all the same: theirs may come first.
        if (i > first_wrong.load(std::memory_order_relaxed)) return;
        const TableRecords records(text, blocks[i], buffers[worker]);
        const std::optional<TableError> error = read(i, records, worker);
        if (!error) return;
        errors[i] = {records.place(error->at), *error};
        atomic_lower(first_wrong, i);
      },
      work.meter);
  if (first_wrong == blocks.size()) return;
  const auto& [place, error] = errors[first_wrong];
  throw Error::in_file(path, line_of(text, place),
                       error.message + (error.more ? error.more() : ""));
}

}  // namespace genten::detail
