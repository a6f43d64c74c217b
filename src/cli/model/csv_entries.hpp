// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Entries and their values as a table.

#include "csv_text.hpp"
#include "labels.hpp"
#include "table_text.hpp"

#include <genten/core/sptensor.hpp>
#include <genten/io/table.hpp>

#include <algorithm>

namespace genten::cli {

/// The name of a table's column of values, which no mode has: the one `wanted` if that is so.
[[nodiscard]] inline std::string values_column(const Labels& labels, const std::string& wanted) {
  std::string name = wanted;
  const auto& modes = labels.mode_names();
  while (std::find(modes.begin(), modes.end(), name) != modes.end()) name += "_";
  return name;
}

/// A name as a table has it: in quotes, too, where it would stand for a missing value, as NA.
[[nodiscard]] inline std::string name_field(const std::string& name) {
  return is_missing_value(name) ? '"' + name + '"' : csv_field(name, table_signs);
}

/// A fourth digit behind a point keeps three from being taken for thousands.
inline void append_value_digit(std::string& line) {
  constexpr std::size_t thousand = 3;
  const std::size_t digits = line.size() - (line.find_last_not_of("0123456789") + 1);
  if (digits == thousand && line.size() > thousand && line[line.size() - thousand - 1] == '.') {
    line += '0';
  }
}

/// Writes a header of the names of modes and that of the values, and a line for each entry, in
/// their order: names of rows, or their numbers from `first`, and the value, in the column `values`
/// where no mode is called so, in digits that read back to it, the shortest ones if these cannot be
/// taken for thousands.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_csv_entries(TableText file, const Sptensor<Scalar, Ordinal, HostExec>& entries,
                       const Labels& labels, std::size_t first, char delimiter = ',',
                       const std::string& values_name = "value") {
  std::string line;
  const auto order = static_cast<std::size_t>(entries.order());
  for (std::size_t n = 0; n < order; ++n) {
    const std::string& name = labels.mode_name(n);
    line += csv_field(name.empty() ? Labels::numbered(n) : name, table_signs) + delimiter;
  }
  file.write(line + csv_field(values_column(labels, values_name), table_signs) + "\n");
  const auto subscripts = entries.subscripts();
  const auto values = entries.values();
  for (offset_t p = 0; p < entries.nnz(); ++p) {
    line.clear();
    for (std::size_t n = 0; n < order; ++n) {
      const std::size_t row = subscripts(p, n);
      line += labels.named(n) ? name_field(labels.row(n, row)) : std::to_string(row + first);
      line += delimiter;
    }
    append_number(line, values(p), "");
    append_value_digit(line);
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace genten::cli
