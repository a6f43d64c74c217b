// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What may be meant where a table has no column of a name.

#include <genten/base/error.hpp>

#include <string>

namespace genten::tools {

/// "; did you mean 'count'?" where an option names no column of a table, but nearly one; else "".
[[nodiscard]] std::string nearest_column_hint(const Error& error);

}  // namespace genten::tools
