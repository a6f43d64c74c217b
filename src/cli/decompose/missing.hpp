// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// genten decompose --missing: the file that lists missing entries.

#include "decompose.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "tools/files.hpp"

#include <genten/io/entries.hpp>

#include <optional>

namespace genten::cli {

/// The missing entries, where a file lists them, which counts as the tensor does: see
/// `base_of_list`. Where both have names of rows, these say which row is which.
/// Throws Error, which names the file.
template <class Tensor>
[[nodiscard]] std::optional<Tensor> missing_entries(const DecomposeOptions& options,
                                                    const TensorFacts& facts) {
  using Exec = typename Tensor::execution_space;
  const std::string file = options.missing_file();
  if (file.empty()) return std::nullopt;
  ReadOptions read;
  const Labels known = labels_of(options.labels, facts.file, facts.dimensions, facts.report);
  const NamedRows own{facts.file, known, facts.dimensions};
  read.index_base = base_of_list(file, own, facts.file, facts.report);
  read = by_names_of(own, file, read, false, remedy_of_list);
  const auto entries_with = [&](const std::vector<std::size_t>& dimensions) {
    read.dimensions = dimensions;
    return tools::reading(file, [&] {
      return read_entries<typename Tensor::scalar_type, typename Tensor::ordinal_type>(HostExec(),
                                                                                       file, read);
    });
  };
  const auto placed = [&](const auto& entries) -> std::optional<Tensor> {
    const auto lengths = entries.tensor.dimensions();
    const Labels others = labels_of("", file, lengths, entries.report);
    const NamedRows other{file, others, lengths};
    require_names(own, other, entries.report);
    const bool named = known.any() && others.any();
    if (!named && !entries.report.table) return std::nullopt;
    return copy_to<Exec>(in_rows_of(entries.tensor, match_rows(own, other), own, other));
  };
  if (may_have_names(file)) {
    const auto shape = shape_beside(file);
    const bool fits = shape.size() == facts.dimensions.size();
    if (const auto entries = fits ? placed(entries_with(shape)) : std::nullopt) return entries;
  }
  const auto entries = entries_with(facts.dimensions);
  const auto by_name = entries.report.table ? placed(entries) : std::nullopt;
  return by_name ? *by_name : copy_to<Exec>(entries.tensor);
}

}  // namespace genten::cli
