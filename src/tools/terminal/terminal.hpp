// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What text may do on a terminal: colours, and lines that are written over.

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace genten::tools {

/// Is this the standard output or standard error, and a terminal? False for any other stream.
bool is_terminal(const std::ostream& out);

/// Can lines be written over there? On a terminal, unless TERM says that it cannot ("dumb", or not
/// set).
bool can_write_over(const std::ostream& out);

/// May colours be used there? Where lines can be written over, unless NO_COLOR is set and not empty
/// (no-color.org).
bool has_colors(const std::ostream& out);

/// Columns of a terminal; 80 where they are not known.
std::size_t terminal_width(const std::ostream& out);

/// What a piece of text is.
enum class Paint { name, note, error };

/// `text`, in the colour of what it is where `out` has colours.
std::string painted(const std::ostream& out, Paint paint, std::string_view text);

}  // namespace genten::tools
