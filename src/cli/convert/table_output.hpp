// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors as tables, which all commands read again.

#include "model/csv_entries.hpp"
#include "tools/tensor_output.hpp"

#include <genten/core/compact.hpp>

#include <string>
#include <vector>

namespace genten::cli {

/// What separates the fields of a table of that name, .csv or .tsv, perhaps compressed; '\0' for
/// other names.
[[nodiscard]] char table_delimiter(const std::string& path);

/// How that is compressed, as an option or its name says.
[[nodiscard]] Compression table_compression(const tools::TensorOutput& output);

/// Whether the output is a table, as its name says and no option does otherwise.
[[nodiscard]] bool is_table_output(const tools::TensorOutput& output);

/// Throws Error of kind `file` for names of modes or rows that a table cannot have: the same
/// several times, those that stand for a missing value, and those of a mode that are all numbers
/// which no mode of a table has. `used` are by mode the rows with nonzeros, ascending, which alone
/// are written; numbers count from `first`.
void require_table_names(const std::string& path, const Labels& labels,
                         const std::vector<std::vector<std::uint64_t>>& used, std::size_t first);

/// Says on standard error where rows of a mode get other numbers when the table is read.
void tell_of_renumbered_rows(const std::string& path, const Labels& labels,
                             const std::vector<std::size_t>& dimensions,
                             const std::vector<std::vector<std::uint64_t>>& used);

/// Writes a tensor as a table, rows without names by their numbers from `first`, values in the
/// column of that name.
template <class Tensor>
void write_table(const tools::TensorOutput& output, const Tensor& tensor, const Labels& labels,
                 std::size_t first, const std::string& values) {
  std::vector<std::vector<std::uint64_t>> used;
  for (int n = 0; n < tensor.order(); ++n) {
    const auto rows = genten::detail::used_rows(tensor, n);
    used.emplace_back(rows.begin(), rows.end());
  }
  const std::string& path = output.file;
  require_table_names(path, labels, used, first);
  write_csv_entries(TableText(path, table_compression(output)), tensor, labels, first,
                    table_delimiter(path), values);
  tell_of_renumbered_rows(path, labels, tensor.dimensions(), used);
}

}  // namespace genten::cli
