// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tables among the files that `read_tensor` reads.

#include <genten/io/options.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// Whether a file is a table, by its first line or by options that name its columns; see
/// `read_tensor`. Of what is no regular file the options alone say it. A file that cannot be read
/// is none.
[[nodiscard]] bool is_table_file(const std::string& path, const ReadOptions& options);

/// The names of the columns of a file that is a table, whichever of them the options choose; none
/// of another file, of what is no regular file, and of a file that cannot be read.
[[nodiscard]] std::vector<std::string> table_columns(const std::string& path,
                                                     const ReadOptions& options);

/// Whether a field of a table says that a value is missing: an empty one, "NA", "nan" and what else
/// pandas takes for one. Names of rows are none of these.
[[nodiscard]] bool is_missing_value(std::string_view field);

/// Whether a field may have been meant so: where that says it, and of marks such as "-" and "\\N",
/// which are names of rows all the same.
[[nodiscard]] bool may_be_missing(std::string_view field);

}  // namespace genten
