// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_output.hpp"

#include "io/table/table_columns.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/base/error.hpp>

#include <iostream>
#include <unordered_set>

namespace genten::cli {

using genten::detail::ColumnFault;
using genten::detail::ColumnKind;
using genten::detail::fault_of;
using genten::detail::ModeColumn;
using genten::detail::take_field;
using genten::detail::to_whole_number;
using tools::has_extension;
using tools::output_name;
using tools::printable;

namespace {

/// What the reader makes of a column of these names alone; places are those in `rows`.
ModeColumn column_of(const Labels& labels, std::size_t mode,
                     const std::vector<std::uint64_t>& rows) {
  ModeColumn column;
  for (std::size_t i = 0; i < rows.size(); ++i) take_field(column, labels.row(mode, rows[i]), i);
  return column;
}

}  // namespace

char table_delimiter(const std::string& path) {
  const std::string name = tools::uncompressed_name(path);
  if (has_extension(name, ".csv")) return ',';
  return has_extension(name, ".tsv") ? '\t' : '\0';
}

Compression table_compression(const tools::TensorOutput& output) {
  return output.compression.is_given() ? output.write.compression
                                       : tools::compression_of_name(output.file);
}

bool is_table_output(const tools::TensorOutput& output) {
  return !tools::has_format(output) && table_delimiter(output.file) != '\0';
}

void require_table_names(const std::string& path, const Labels& labels,
                         const std::vector<std::vector<std::uint64_t>>& used, std::size_t first) {
  const auto refuse = [&](const std::string& what, const std::string& name,
                          const std::string& why) {
    throw Error(Error::Kind::file, output_name(path) + ": " + what + " \"" + printable(name) +
                                       "\", " + why +
                                       "; .gtn and the forms of text keep such names beside them");
  };
  std::unordered_set<std::string> modes;
  for (std::size_t n = 0; n < used.size(); ++n) {
    const std::string& name = labels.mode_name(n);
    const std::string called = name.empty() ? Labels::numbered(n) : name;
    if (!modes.insert(called).second) {
      refuse("several modes are called", called, "and columns need different names");
    }
    if (!labels.named(n)) continue;
    for (const std::uint64_t row : used[n]) {
      if (!labels.row(n, row).empty()) continue;
      refuse(labels.mode(n) + " has a row that is called", "",
             "which stands for a missing value in tables");
    }
    const ModeColumn column = column_of(labels, n, used[n]);
    const std::string all = labels.mode(n) + " has rows that are called by numbers alone, as";
    const ColumnFault fault = fault_of(column);
    if (fault == ColumnFault::negative) {
      refuse(all, labels.row(n, used[n][column.negative]), "which is no number of a row");
    }
    if (fault != ColumnFault::none) {
      refuse(all, (fault == ColumnFault::numbers ? column.number : column.marks).text,
             "which tables have for values, not for names");
    }
    const bool numbers = column.kind == ColumnKind::whole && !used[n].empty();
    if (numbers && column.smallest < first) {
      refuse(all, std::to_string(column.smallest),
             "but numbers of rows count from " + std::to_string(first) + " here");
    }
    std::unordered_set<std::string> rows;
    for (const std::uint64_t row : used[n]) {
      const std::string own = labels.row(n, row);
      const bool is_new =
          rows.insert(numbers ? std::to_string(to_whole_number(own)->magnitude) : own).second;
      if (is_new) continue;
      refuse(labels.mode(n) + " has several rows that are called", own, "which would become one");
    }
  }
}

void tell_of_renumbered_rows(const std::string& path, const Labels& labels,
                             const std::vector<std::size_t>& dimensions,
                             const std::vector<std::vector<std::uint64_t>>& used) {
  std::cout.flush();
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    std::string told;
    if (!labels.named(n)) {
      const std::size_t length = used[n].empty() ? 0 : used[n].back() + 1;
      if (length != dimensions[n]) {
        told = "it is " + std::to_string(length) + " long when the table is read, not " +
               std::to_string(dimensions[n]) + ", since the last rows have no nonzeros";
      }
    } else if (column_of(labels, n, used[n]).kind == ColumnKind::whole) {
      if (labels.are_numbers(n)) continue;  // they are told to be read by --compact
      told =
          "its names are whole numbers, which are numbers of rows when the table is read without "
          "--compact";
    } else {
      bool same = used[n].size() == dimensions[n];
      for (std::size_t i = 1; same && i < dimensions[n]; ++i) {
        same = labels.row(n, i - 1) < labels.row(n, i);
      }
      if (!same) {
        told =
            "rows stand in the order of their names when the table is read, those with nonzeros "
            "alone";
      }
    }
    if (told.empty()) continue;
    std::cerr << "genten: note: " << output_name(path) << ": " << printable(labels.mode(n)) << ": "
              << told << '\n';
  }
}

}  // namespace genten::cli
