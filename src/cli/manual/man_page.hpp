// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The manual page of the tool.

#include "description.hpp"

namespace genten::cli {

/// Section 1, in the macros man(7).
[[nodiscard]] std::string man_page(const ToolDescription& tool, const std::string& version);

}  // namespace genten::cli
