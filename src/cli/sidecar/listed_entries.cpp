// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "listed_entries.hpp"

#include <limits>

namespace genten::cli {

std::vector<std::size_t> lengths_of_list(const NamedRows& own, const std::string& file, bool any) {
  auto shape = may_have_names(file) ? shape_beside(file) : std::vector<std::size_t>();
  if (shape.size() == own.dimensions.size()) return shape;
  auto lengths = own.dimensions;
  for (std::size_t n = 0; n < lengths.size(); ++n) {
    if (any || (own.labels.any_numbers() && own.labels.named(n)))
      lengths[n] = std::numeric_limits<std::int64_t>::max();
  }
  return lengths;
}

}  // namespace genten::cli
