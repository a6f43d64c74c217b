// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What convert --compact writes beside the tensor.

#include "labels.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace genten::cli {

/// Files beside OUTPUT that say which slices of each mode were kept.
class CompactFiles {
 public:
  /// Subscripts in the files count from `base`.
  CompactFiles(std::string output, std::size_t base) : m_output(std::move(output)), m_base(base) {}

  /// Throws Error of kind `file` when the files of some mode could not be written, or would replace
  /// one of the labels' files.
  void require_writable(std::size_t order, const std::vector<std::string>& labels) const;

  /// OUTPUT.modeN.rows: line i is the subscript that row i of the mode had; N counts from 1.
  void write_rows(std::size_t mode, const std::vector<std::uint64_t>& rows);

  /// OUTPUT.modeN.labels: line i is the name of row i of the mode, in `labels` that of `rows[i]`.
  void write_labels(std::size_t mode, const std::vector<std::uint64_t>& rows, const Labels& labels);

  /// All files that were written.
  [[nodiscard]] const std::vector<std::string>& written() const { return m_written; }

 private:
  [[nodiscard]] std::string name(std::size_t mode, const char* what) const;

  std::string m_output;
  std::size_t m_base;
  std::vector<std::string> m_written;
};

}  // namespace genten::cli
