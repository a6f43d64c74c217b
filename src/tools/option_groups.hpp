// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Titles of options in the help.

#include <string>

namespace CLI {
class App;
}

namespace genten::tools {

/// The title in the help of the options that are declared from now on.
void begin_group(CLI::App& app, const std::string& title);

}  // namespace genten::tools
