// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Writing at a place of a file.

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace genten::detail {

/// Writes all of the bytes from `begin` on. Returns the errno of what failed, 0 for nothing.
[[nodiscard]] inline int write_all_at(int descriptor, std::size_t begin, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    begin += static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace genten::detail
