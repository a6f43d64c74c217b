// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Care about output files before work is spent on their content.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace genten::tools {

/// Throws Error of kind `file` when a file of that name could not be written, so that a mistake
/// does not show only after hours of work. An empty name, and "-", are always right.
void require_writable(const std::string& path);

/// Throws Error of kind `file` when output would replace the input.
void require_different(const std::string& input, const std::string& output);

/// Does the name end like this, upper and lower case alike?
bool has_extension(const std::string& path, const char* extension);

/// Is a model to be written in binary? By the name, .gkt and .bin, else in text.
bool is_binary_model(const std::string& path);

/// Writes JSON to a file, or to the standard output for "-". Nothing for an empty name.
void write_json(const std::string& path, const nlohmann::ordered_json& value);

}  // namespace genten::tools
