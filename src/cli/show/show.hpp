// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What is in a model, for commands that describe tensors.

#include "option_rules.hpp"

#include <string>

namespace genten::cli {

/// Does what `genten show` does with --top 0; returns the exit code.
int show_model(const std::string& file, const ReportOptions& report);

}  // namespace genten::cli
