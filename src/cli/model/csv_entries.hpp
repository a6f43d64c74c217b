// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Entries and their values as a table.

#include "csv_text.hpp"
#include "labels.hpp"

#include <genten/core/sptensor.hpp>
#include <genten/io/atomic_file.hpp>

namespace genten::cli {

/// Writes a header of the names of modes and "value", and a line for each entry, in their order:
/// names of rows, or their numbers.
template <RealScalar Scalar, SubscriptOrdinal Ordinal>
void write_csv_entries(const std::string& path, const Sptensor<Scalar, Ordinal, HostExec>& entries,
                       const Labels& labels) {
  AtomicFile file(path);
  std::string line;
  const auto order = static_cast<std::size_t>(entries.order());
  for (std::size_t n = 0; n < order; ++n) {
    const std::string& name = labels.mode_name(n);
    line += csv_field(name.empty() ? Labels::numbered(n) : name) + ",";
  }
  file.write(line + "value\n");
  for (offset_t p = 0; p < entries.nnz(); ++p) {
    line.clear();
    for (std::size_t n = 0; n < order; ++n) {
      line += (n == 0 ? "" : ",") + csv_field(labels.row(n, entries.subscripts()(p, n)));
    }
    append_number(line, entries.values()(p));
    file.write(line + "\n");
  }
  file.commit();
}

}  // namespace genten::cli
