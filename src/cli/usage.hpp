// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Complaints about the command line.

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace genten::cli {

/// What was wrong, what may have been meant, and where the help is. `words` are those of the
/// command line, as they came.
std::string usage_message(const CLI::App& tool, const CLI::ParseError& error,
                          const std::vector<std::string>& words);

}  // namespace genten::cli
