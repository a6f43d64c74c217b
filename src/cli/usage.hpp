// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Help and complaints about the command line.

#include <CLI/CLI.hpp>

#include <string>

namespace genten::cli {

/// Layout of --help of the tool and its subcommands.
void style_help(CLI::App& tool);

/// What was wrong, what may have been meant, and where the help is.
std::string usage_message(const CLI::App& tool, const CLI::ParseError& error);

}  // namespace genten::cli
