// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files that list entries of a tensor, as those that are missing.

#include "match_rows.hpp"
#include "sidecar.hpp"
#include "table_numbers.hpp"
#include "tools/files.hpp"
#include "tools/program.hpp"

#include <genten/io/entries.hpp>

#include <string>

namespace genten::cli {

/// The entries that a file lists, as `own` numbers its rows, by their names where both have some.
/// Numbers of a table count as the rows of `own` where these are numbers of one, all else as
/// `base_of_list` says of the file `tensor`, which was read with `report`. Throws Error, which
/// names the file.
template <class Tensor>
[[nodiscard]] Tensor listed_entries(const std::string& file, const NamedRows& own,
                                    const std::string& tensor, const ReadReport& report) {
  ReadOptions read;
  const bool numbered = own.labels.table_base() && is_table_file(file, read);
  if (!numbered) read.index_base = base_of_list(file, own, tensor, report);
  read = by_names_of(own, file, read, false, remedy_of_list);
  const bool by_name = may_have_names(file);
  read.dimensions = by_name ? shape_beside(file) : own.dimensions;
  const auto entries = tools::reading(file, [&] {
    return read_entries<double, typename Tensor::ordinal_type>(HostExec(), file, read);
  });
  if (!by_name && !entries.report.table) return entries.tensor;
  Labels names = labels_of("", file, entries.tensor.dimensions(), entries.report);
  const Tensor listed = with_numbers_as_names(own, file, entries.report, entries.tensor, names);
  const NamedRows other{file, names, listed.dimensions()};
  require_names(own, other, entries.report);
  return in_rows_of(listed, match_rows(own, other), own, other, true);
}

}  // namespace genten::cli
