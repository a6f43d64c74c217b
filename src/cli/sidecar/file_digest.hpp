// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Checksums of files and texts.

#include <string>

namespace genten::cli {

/// SHA-256 of a file's bytes as 64 hexadecimal digits. Throws Error of kind `file` where it cannot
/// be read, and of kind runtime where libarchive, which computes it, was built without.
[[nodiscard]] std::string sha256_of_file(const std::string& path);
/// The same of a text.
[[nodiscard]] std::string sha256_of_text(const std::string& text);

}  // namespace genten::cli
