// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The check that two shapes agree.

#include <genten/base/error.hpp>

#include <string>
#include <vector>

namespace genten::detail {

/// Throws Error unless two shapes agree.
inline void check_same_dimensions(const char* function, const std::vector<std::size_t>& expected,
                                  const std::vector<std::size_t>& got) {
  if (expected == got) return;
  const auto text = [](const std::vector<std::size_t>& dimensions) {
    std::string result;
    for (const std::size_t d : dimensions)
      result += (result.empty() ? "" : " x ") + std::to_string(d);
    return result.empty() ? std::string("none") : result;
  };
  throw Error::in(function, "expected dimensions " + text(expected) + ", got " + text(got));
}

}  // namespace genten::detail
