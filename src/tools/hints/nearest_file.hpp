// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Files that are not there: which one may have been meant.

#include <genten/base/error.hpp>

#include <string>

namespace genten::tools {

/// From now on `path` stands for a tensor, so that no model was meant by it.
void expect_tensor(const std::string& path);

/// Does the name end as those of models alone do, compressed or not?
[[nodiscard]] bool names_model(const std::string& path);

/// The file of the same folder that `path` may have been meant to be: one of its name with or
/// without .gz or .zst, else one of its name with the ending of another form of the same thing,
/// else one whose name takes a letter or two to change. "" for none.
[[nodiscard]] std::string nearest_file(const std::string& path);

/// Of an error that a file cannot be opened since there is none: "; did you mean NAME?", or that
/// its folder is not there. "" for other errors, also that of a file which is there for this
/// process.
[[nodiscard]] std::string nearest_file_hint(const Error& error);

}  // namespace genten::tools
