// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The order of modes where nobody has asked for another.

#include <cstddef>
#include <numeric>
#include <vector>

namespace genten {

/// The modes 0, 1, ..., order - 1 of a tensor.
[[nodiscard]] inline std::vector<int> natural_mode_order(std::size_t order) {
  std::vector<int> modes(order);
  std::iota(modes.begin(), modes.end(), 0);
  return modes;
}

}  // namespace genten
