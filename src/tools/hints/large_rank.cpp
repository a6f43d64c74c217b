// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "large_rank.hpp"

#include <algorithm>
#include <cstdint>

namespace genten::tools {

std::string why_too_large(std::size_t rank, std::span<const std::size_t> dimensions, bool chosen) {
  if (dimensions.empty()) return "";
  const auto longest = std::max_element(dimensions.begin(), dimensions.end());
  if (*std::min_element(dimensions.begin(), dimensions.end()) == 0) return "";
  // A tensor is the sum of its fibers along its longest mode, each of which has rank 1.
  std::size_t fibers = 1;
  for (auto length = dimensions.begin(); length != dimensions.end(); ++length) {
    if (length != longest) fibers = *length > SIZE_MAX / fibers ? SIZE_MAX : fibers * *length;
  }
  if (rank > fibers) {
    return "more than the " + std::to_string(fibers) +
           " with which any tensor of this shape is exact";
  }
  if (chosen || rank <= *longest) return "";
  return "more than every mode is long, at most " + std::to_string(*longest) +
         ", so that the columns of each factor depend on each other";
}

std::string rank_note(std::size_t rank, std::span<const std::size_t> dimensions, bool chosen) {
  const std::string why = why_too_large(rank, dimensions, chosen);
  if (why.empty()) return "";
  const std::string number = std::to_string(rank);
  if (chosen) return "rank " + number + " is " + why;
  return "no rank was given, and the default, " + number + ", is " + why +
         ": give a smaller one, as --rank 3";
}

}  // namespace genten::tools
