// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How much memory there is to take.

#include <genten/core/types.hpp>

#include <fstream>
#include <limits>
#include <string>

namespace genten::detail {

/// Bytes that the host can still give without swapping (MemAvailable); infinite where it does not
/// say.
[[nodiscard]] inline double available_host_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  double kibibytes = 0.0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:") return kibibytes * 1024.0;
    std::getline(file, unit);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace genten::detail
