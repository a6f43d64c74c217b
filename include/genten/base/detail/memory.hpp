// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// How much memory there is to take.

#include <cstddef>
#include <fstream>
#include <limits>
#include <string>

namespace genten::detail {

/// Bytes that the host can still give without swapping: MemAvailable of /proc/meminfo; the largest
/// number where it does not say.
[[nodiscard]] inline std::size_t available_host_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string name, unit;
  std::size_t kibibytes = 0;
  while (file >> name >> kibibytes) {
    if (name == "MemAvailable:") return kibibytes * 1024;
    std::getline(file, unit);
  }
  return std::numeric_limits<std::size_t>::max();
}

}  // namespace genten::detail
