// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files that list cells of a tensor, as those that are missing.

#include "match_rows.hpp"
#include "sidecar.hpp"
#include "tools/files.hpp"
#include "tools/program.hpp"

#include <genten/io/cells.hpp>

#include <string>

namespace genten::cli {

/// The cells that a file lists, as `own` numbers its rows, by their names where both have some.
/// Text counts from what the text of `own`, which was read with `report`, counts from; tables and
/// binary files say themselves what they count from. Throws Error, which names the file.
template <class Tensor>
[[nodiscard]] Tensor listed_cells(const std::string& file, const NamedRows& own,
                                  const ReadReport& report) {
  ReadOptions read;
  if (report.format != FileFormat::binary && !report.table) read.index_base = report.index_base;
  read = by_names_of(own, file, read, false);
  const bool by_name = may_have_names(file);
  read.dimensions = by_name ? shape_beside(file) : own.dimensions;
  const auto cells = tools::reading(file, [&] {
    return read_cells<double, typename Tensor::ordinal_type>(HostExec(), file, read);
  });
  if (!by_name && !cells.report.table) return cells.tensor;
  Labels names = labels_of("", file, cells.tensor.dimensions(), cells.report);
  const Tensor listed = with_numbers_as_names(own, file, cells.report, cells.tensor, names);
  const NamedRows other{file, names, listed.dimensions()};
  require_names(own, other, cells.report);
  return in_rows_of(listed, match_rows(own, other), own, other);
}

}  // namespace genten::cli
