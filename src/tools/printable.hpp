// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Text from elsewhere (labels, names of files) on a terminal.

#include <string>
#include <string_view>

namespace genten::tools {

/// The text with \xNN in place of every byte that could do something to a terminal: control
/// characters, those of Unicode that turn the direction of writing, and what is no UTF-8.
std::string printable(std::string_view text);

/// The same line by line: line ends stay.
std::string printable_lines(std::string_view text);

/// A text in quotes where it begins or ends with a blank, which nobody would see.
std::string with_ends(const std::string& text);

/// A text in quotes where it has a comma, too, for lists with commas between.
std::string in_list(const std::string& text);

/// The characters of a text in UTF-8, U+FFFD in place of every byte that is none.
std::u32string code_points(std::string_view text);

}  // namespace genten::tools
