// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "large_rank.hpp"

#include <algorithm>

namespace genten::tools {
namespace {

/// The rank of which any tensor is: it is the sum of its fibers along its longest mode, each of
/// which has rank 1.
std::size_t fibers(std::span<const std::size_t> dimensions) {
  const auto longest = std::max_element(dimensions.begin(), dimensions.end());
  std::size_t count = 1;
  for (auto length = dimensions.begin(); length != dimensions.end(); ++length) {
    if (length != longest) count = *length > SIZE_MAX / count ? SIZE_MAX : count * *length;
  }
  return count;
}

}  // namespace

std::string why_too_large(std::size_t rank, std::span<const std::size_t> dimensions, RankUse use) {
  if (dimensions.empty() || std::ranges::min(dimensions) == 0) return "";
  if (!use.constrained && rank > fibers(dimensions)) {
    return "more than the " + std::to_string(fibers(dimensions)) +
           " with which any tensor of this shape is exact";
  }
  const std::size_t longest = std::ranges::max(dimensions);
  if (use.chosen || rank <= longest) return "";
  return "more than every mode is long, at most " + std::to_string(longest) +
         ", so that the columns of each factor depend on each other";
}

std::string rank_note(std::size_t rank, std::span<const std::size_t> dimensions, RankUse use) {
  const std::string why = why_too_large(rank, dimensions, use);
  if (why.empty()) return "";
  const std::string number = std::to_string(rank);
  if (use.chosen) return "rank " + number + " is " + why;
  return "no rank was given, and the default, " + number + ", is " + why +
         ": give a smaller one, as --rank " + std::to_string(small_rank(dimensions));
}

std::size_t small_rank(std::span<const std::size_t> dimensions) {
  return std::min({std::size_t{3}, fibers(dimensions), std::ranges::max(dimensions)});
}

}  // namespace genten::tools
