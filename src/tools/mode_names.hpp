// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Modes of the command line that are given by their names. Names of modes are known once a tensor
/// is read; until then a number below 0 stands for each in the options.

#include <genten/core/mode_selection.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace genten::tools {

/// The number that stands for a name.
[[nodiscard]] int place_of_mode_name(std::string_view name);
/// A mode, 0-based, or what stands for its name, as the command line has it.
[[nodiscard]] std::string mode_text(int mode);
/// Whether any option of this process names a mode.
[[nodiscard]] bool modes_are_named();

/// The mode, 0-based, that `text` says by its number from 1 or by its name, out of `names`, "" for
/// a mode without one. Throws the usage error of option `--name`, with the nearest name, or where
/// there are no names with what `lacking` says of that.
[[nodiscard]] int mode_of(std::string_view name, const std::string& text,
                          const std::vector<std::string>& names, const std::string& lacking = "");

/// Puts numbers in place of names. Throws as `mode_of`.
void number_modes(std::string_view name, std::vector<int>& modes,
                  const std::vector<std::string>& names);
void number_modes(std::string_view name, ModeSelection& selection,
                  const std::vector<std::string>& names);
/// Other options have no modes.
template <class Value>
void number_modes(std::string_view, Value&, const std::vector<std::string>&) {}

}  // namespace genten::tools
