// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "long_modes.hpp"

#include "tools/text.hpp"

namespace genten::cli {

using namespace tools;

std::string long_modes_note(const std::vector<ModeUse>& modes) {
  std::vector<std::string> found;
  for (const ModeUse& mode : modes) {
    if (!is_long(mode)) continue;
    found.push_back("mode " + std::to_string(mode.mode + 1) + " has " +
                    count_of(mode.length, "row") + ", of which " +
                    (mode.counted ? "" : "at most ") + std::to_string(mode.used) +
                    (mode.used == 1 ? " holds" : " hold") + " nonzeros");
  }
  if (found.empty()) return "";
  return join(found, "; ") +
         ": if subscripts are ids, genten convert --compact numbers those that occur";
}

}  // namespace genten::cli
