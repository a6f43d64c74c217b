// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "table_output.hpp"

#include "tools/files.hpp"
#include "tools/printable.hpp"

#include <genten/base/error.hpp>
#include <genten/io/table.hpp>

#include <algorithm>
#include <iostream>
#include <unordered_set>

namespace genten::cli {

using tools::has_extension;
using tools::output_name;
using tools::printable;

namespace {

/// Whether a column of these names alone holds numbers for who reads it.
bool are_whole_numbers(const Labels& labels, std::size_t mode,
                       const std::vector<std::uint64_t>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](std::uint64_t row) {
    const std::string name = labels.row(mode, row);
    const bool digits = name.find_first_not_of("0123456789") == std::string::npos;
    return digits && (name.size() == 1 || name.front() != '0');
  });
}

}  // namespace

char table_delimiter(const std::string& path) {
  if (has_extension(path, ".csv")) return ',';
  return has_extension(path, ".tsv") ? '\t' : '\0';
}

void require_table_names(const std::string& path, const Labels& labels) {
  const auto refuse = [&](const std::string& what, const std::string& name,
                          const std::string& why) {
    throw Error(Error::Kind::file, output_name(path) + ": " + what + " \"" + printable(name) +
                                       "\", " + why +
                                       "; .gtn and the forms of text keep such names beside them");
  };
  std::unordered_set<std::string> modes;
  for (std::size_t n = 0; n < labels.mode_names().size(); ++n) {
    const std::string& called = labels.mode_name(n);
    if (!called.empty() && !modes.insert(called).second) {
      refuse("several modes are called", called, "and columns need different names");
    }
    std::unordered_set<std::string> rows;
    for (std::size_t i = 0; i < labels.count(n); ++i) {
      const std::string name = labels.row(n, i);
      if (is_missing_value(name)) {
        refuse(labels.mode(n) + " has a row that is called", name,
               "which stands for a missing value in tables");
      }
      if (rows.insert(name).second) continue;
      refuse(labels.mode(n) + " has several rows that are called", name, "which would become one");
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
    } else if (are_whole_numbers(labels, n, used[n])) {
      told = "its names are whole numbers, which are numbers of rows when the table is read";
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
