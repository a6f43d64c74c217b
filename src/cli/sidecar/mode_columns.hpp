// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The columns of a table that is read beside a model, which go by the names of its modes.

#include "match_rows.hpp"

#include <string>
#include <vector>

namespace genten::cli {

/// The names of modes, "" for one that stands for none.
[[nodiscard]] std::vector<std::string> mode_names(const NamedRows& of);

/// Throws Error unless all names of modes are among a table's columns, and where its first line has
/// the names of rows. `values` is the column that has the values, as far as options say; without
/// `of_values` none is looked at.
void require_columns(const NamedRows& own, const std::string& file,
                     const std::vector<std::string>& columns, bool takes_modes = true,
                     const std::string& values = "", bool of_values = true);

/// Says that columns are modes by their places, where modes have no names.
void tell_of_places(const NamedRows& own, const std::string& file,
                    const std::vector<std::string>& columns);

}  // namespace genten::cli
