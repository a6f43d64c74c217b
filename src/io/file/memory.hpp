// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Memory is counted before it is taken.

#include <cstddef>
#include <string>

namespace genten::detail {

/// Throws Error of kind `memory` when `needed` bytes are more than `limit`, or more than what is
/// available where `limit` is 0. The message starts with `path` and names both numbers.
void require_memory(const std::string& path, const std::string& purpose, std::size_t needed,
                    std::size_t limit);

/// What is left of a limit when `held` bytes of it are taken; no limit stays none.
[[nodiscard]] constexpr std::size_t remaining_limit(std::size_t limit, std::size_t held) {
  if (limit == 0) return 0;
  return limit > held ? limit - held : 1;
}

/// a * b, or the largest number where that is too large.
[[nodiscard]] std::size_t saturating_product(std::size_t a, std::size_t b);

}  // namespace genten::detail
