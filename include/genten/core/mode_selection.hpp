// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// ModeSelection: some modes of a tensor, or all of them, however many there are.

#include <algorithm>
#include <vector>

namespace genten {

/// A type of options, like `std::vector<int>`: modes, 0-based here and from 1 wherever a person
/// reads them, or all.
struct ModeSelection {
  bool all = false;
  std::vector<int> modes = {};  ///< where not all

  [[nodiscard]] static ModeSelection every() { return {.all = true}; }
  [[nodiscard]] bool empty() const { return !all && modes.empty(); }
  [[nodiscard]] bool contains(int mode) const {
    return all || std::find(modes.begin(), modes.end(), mode) != modes.end();
  }
  friend bool operator==(const ModeSelection&, const ModeSelection&) = default;
};

}  // namespace genten
