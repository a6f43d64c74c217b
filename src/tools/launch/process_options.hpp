// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Command-line options that are about several processes.

#include <genten/dist/device_transport.hpp>
#include <genten/dist/grid.hpp>

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace genten::tools {

/// Adds --grid and --transport.
void add_process_options(CLI::App& app, Grid& grid, TransportKind& transport);

/// Throws a usage error where one of them was given (`given("--grid")`) to a single process, and
/// for a transport between GPUs that there are none of.
void require_use_of_process_options(const std::function<bool(const std::string&)>& given,
                                    TransportKind transport);

}  // namespace genten::tools
