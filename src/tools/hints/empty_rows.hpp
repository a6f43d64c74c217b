// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Rows of new slices that have no entries, as of slices that are numbered by ids.

#include "tools/long_modes.hpp"

#include <genten/base/error.hpp>

#include <cstddef>
#include <string>

namespace genten::tools {

/// How many of so many rows have no entries, as a note; "" of none. They may be ids, as of
/// `slices_are_ids`, where `first` is the first row with entries. Beside names numbers `are_names`
/// of a file or a table; rows of an array are not, whose first slices may be zeros.
[[nodiscard]] inline std::string empty_rows_note(std::size_t first, std::size_t empty,
                                                 std::size_t rows, bool are_names = true) {
  if (empty == 0) return "";
  const std::string told = std::to_string(empty) + " of " + std::to_string(rows) +
                           (rows == 1 ? " row" : " rows") + (empty == 1 ? " has" : " have") +
                           " no entries";
  if (!slices_are_ids(are_names ? first : 0, empty, rows)) return told;
  const std::string way = " (" + error_text::remedy("compact_model") + ")";
  return told + ": are these slices ids? A model of a tensor without empty slices" +
         (are_names ? way + " takes ids for names"
                    : " takes ids for names, if the slices are one, too" + way);
}

}  // namespace genten::tools
