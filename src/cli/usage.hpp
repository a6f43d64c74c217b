// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Complaints about the command line.

#include <CLI/CLI.hpp>

#include <string>

namespace genten::cli {

/// What was wrong, what may have been meant, and where the help is.
std::string usage_message(const CLI::App& tool, const CLI::ParseError& error);

}  // namespace genten::cli
