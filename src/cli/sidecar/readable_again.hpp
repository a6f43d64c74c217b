// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files that can be read a second time, to say in which line something is.

#include <filesystem>
#include <string>

namespace genten::cli {

/// Whether it is a regular file: pipes and the standard input are read once.
[[nodiscard]] inline bool can_be_read_again(const std::string& file) {
  std::error_code ignored;
  return file != "-" && std::filesystem::is_regular_file(file, ignored);
}

}  // namespace genten::cli
