// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "nearest_column.hpp"

#include "base/names_in_option.hpp"
#include "edit_distance.hpp"

#include <genten/io/table.hpp>

namespace genten::tools {

std::string nearest_column_hint(const Error& error) {
  const std::string &option = error.fields().option, &found = error.fields().found;
  if (error.kind() != Error::Kind::file || (option != "values" && option != "modes")) return "";
  if (found.empty()) return "";
  const std::string nearest = closest(found, table_columns(error.fields().path, {}));
  if (nearest.empty()) return "";
  return "; did you mean '" + (option == "modes" ? names_in_option({nearest}) : nearest) + "'?";
}

}  // namespace genten::tools
