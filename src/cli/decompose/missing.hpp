// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// genten decompose --missing: the file that lists missing cells.

#include "decompose.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "tools/files.hpp"

#include <genten/io/cells.hpp>

#include <optional>

namespace genten::cli {

/// The missing cells, where a file lists them: it counts from what the tensor's file counts
/// from, unless that is binary. Where both have names of rows, these say which row is which.
/// Throws Error, which names the file.
template <class Tensor>
[[nodiscard]] std::optional<Tensor> missing_cells(const DecomposeOptions& options,
                                                  const TensorFacts& facts) {
  using Exec = typename Tensor::execution_space;
  const std::string file = options.missing_file();
  if (file.empty()) return std::nullopt;
  ReadOptions read;
  // Text counts as the tensor's text does; tables say themselves what they count from.
  if (facts.report.format != FileFormat::binary && !facts.report.table) {
    read.index_base = facts.report.index_base;
  }
  const Labels known = labels_of(options.labels, facts.file, facts.dimensions, facts.report);
  read = by_names_of({facts.file, known, facts.dimensions}, file, read, false);
  const auto cells_with = [&](const std::vector<std::size_t>& dimensions) {
    read.dimensions = dimensions;
    return tools::reading(file, [&] {
      return read_cells<typename Tensor::scalar_type, typename Tensor::ordinal_type>(HostExec(),
                                                                                     file, read);
    });
  };
  const auto placed = [&](const auto& cells) -> std::optional<Tensor> {
    const auto lengths = cells.tensor.dimensions();
    const Labels others = labels_of("", file, lengths, cells.report);
    const NamedRows own{facts.file, known, facts.dimensions}, other{file, others, lengths};
    require_names(own, other, cells.report);
    const bool named = known.any() && others.any();
    if (!named && !cells.report.table) return std::nullopt;
    return copy_to<Exec>(in_rows_of(cells.tensor, match_rows(own, other), own, other));
  };
  if (may_have_names(file)) {
    const auto shape = shape_beside(file);
    const bool fits = shape.size() == facts.dimensions.size();
    if (const auto cells = fits ? placed(cells_with(shape)) : std::nullopt) return cells;
  }
  const auto cells = cells_with(facts.dimensions);
  const auto by_name = cells.report.table ? placed(cells) : std::nullopt;
  return by_name ? *by_name : copy_to<Exec>(cells.tensor);
}

}  // namespace genten::cli
