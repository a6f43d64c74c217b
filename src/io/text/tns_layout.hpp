// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the first lines of a text tensor say about the rest.

#include "../file/tensor_file.hpp"
#include "matrix_market.hpp"
#include "text_lines.hpp"

#include <genten/io/options.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace genten::detail {

/// A text tensor's form and where its entries start.
struct TextLayout {
  FileFormat format = FileFormat::frostt;
  std::size_t order = 0;
  std::vector<std::size_t> dimensions;  ///< the options' or the header's; empty: from the entries
  std::size_t dimensions_line = 0;      ///< where the header gives them; 0: nowhere, or overridden
  std::optional<std::size_t> entries;   ///< the number that the header gives
  std::size_t entries_line = 0;
  std::size_t data_offset = 0;   ///< of the first entry's line, or the length of the text
  std::size_t lines_before = 0;  ///< lines before that one
  std::size_t base = 1;          ///< what subscripts count from
  bool ones = false;             ///< entries have no values: they are 1
  Symmetry symmetry = Symmetry::general;
  /// The first entry's subscripts and value if all are whole numbers, which a header could be too.
  std::vector<std::size_t> suspicious_first;
};

/// Tells the form of a text; throws Error in the name of `path`.
[[nodiscard]] TextLayout detect_layout(const std::string& path, std::string_view text,
                                       const ReadOptions& options,
                                       TextContent content = TextContent::entries);

}  // namespace genten::detail
