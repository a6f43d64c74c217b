// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Entries and their values as a table.

#include "csv_text.hpp"
#include "labels.hpp"

#include <genten/core/sptensor.hpp>
#include <genten/io/atomic_file.hpp>

#include <algorithm>

namespace genten::cli {

/// The name of a table's column of values, which no mode has: "value" if that is so.
[[nodiscard]] inline std::string values_column(const Labels& labels) {
  std::string name = "value";
  const auto& modes = labels.mode_names();
  while (std::find(modes.begin(), modes.end(), name) != modes.end()) name += "_";
  return name;
}

/// Writes a header of the names of modes and that of the values, and a line for each entry, in
/// their order: names of rows, or their numbers from `first`, and the value in the shortest digits
/// that read back to it.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_csv_entries(const std::string& path, const Sptensor<Scalar, Ordinal, HostExec>& entries,
                       const Labels& labels, std::size_t first, char delimiter = ',') {
  AtomicFile file(path);
  std::string line;
  const auto order = static_cast<std::size_t>(entries.order());
  for (std::size_t n = 0; n < order; ++n) {
    const std::string& name = labels.mode_name(n);
    line += csv_field(name.empty() ? Labels::numbered(n) : name, table_signs) + delimiter;
  }
  file.write(line + values_column(labels) + "\n");
  const auto subscripts = entries.subscripts();
  const auto values = entries.values();
  for (offset_t p = 0; p < entries.nnz(); ++p) {
    line.clear();
    for (std::size_t n = 0; n < order; ++n) {
      const std::size_t row = subscripts(p, n);
      line += labels.named(n) ? csv_field(labels.row(n, row), table_signs)
                              : std::to_string(row + first);
      line += delimiter;
    }
    append_number(line, values(p), "");
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace genten::cli
