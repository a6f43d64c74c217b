// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Columns of a table that nobody looks at, since its rows are counted.

#include "base/column_words.hpp"
#include "tools/text.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace genten::tools {

/// That columns are not used where rows are counted, `of_model` as in the table that the model was
/// made from, and what takes one for the values: `option` says how its name, or none, is given.
[[nodiscard]] inline std::string unused_columns_note(
    const std::vector<std::string>& columns, bool of_model,
    const std::function<std::string(const std::string&)>& option) {
  const bool one = columns.size() == 1;
  const auto quantity = std::find_if(columns.begin(), columns.end(), is_called_quantity);
  const std::string way_out =
      quantity == columns.end()
          ? option("") + " names one that has the values"
          : option(*quantity) + " takes " + (one ? "it" : "that one") + " for the values";
  return (one ? "column " : "columns ") + join(columns, ", ") + (one ? " is" : " are") +
         " not used, and each row counts as 1" +
         (of_model ? ", as in the table that the model was made from: " : ": ") + way_out;
}

}  // namespace genten::tools
