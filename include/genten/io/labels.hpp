// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Names of the rows of a mode.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace genten {

/// Reads one name per line: line i names subscript i - 1. Names may hold anything but line ends;
/// there are no comments. Lines may end in CR LF, the last one need not end, and the file may be
/// compressed with gzip or zstd. An empty name is an Error of kind `file`.
[[nodiscard]] std::vector<std::string> read_labels(const std::string& path);

/// The same for a mode of length `dimension`; any other number of names is an Error.
[[nodiscard]] std::vector<std::string> read_labels(const std::string& path, std::size_t dimension);

/// Writes one name per line. A name that is empty or holds a line end is an Error of kind
/// `argument`, since it would not read back. The file appears under its name when it is complete.
void write_labels(const std::string& path, std::span<const std::string> names);

}  // namespace genten
