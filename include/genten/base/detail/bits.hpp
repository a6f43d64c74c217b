// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How narrow a number may be stored.

#include <bit>
#include <cstddef>

namespace genten::detail {

/// Bits that hold every number below `count`, such as the subscripts of a mode of that length: 0
/// for counts 0 and 1.
[[nodiscard]] constexpr int bits_for(std::size_t count) {
  return count <= 1 ? 0 : static_cast<int>(std::bit_width(count - 1));
}

}  // namespace genten::detail
