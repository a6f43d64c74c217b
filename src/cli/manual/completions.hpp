// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What shells complete of the tool's command lines: commands, options, words that an option takes,
/// files.

#include "description.hpp"

#include <genten/base/enum_words.hpp>

namespace genten::cli {

enum class Shell { bash, zsh, fish };

constexpr auto enum_words(Shell) {
  return std::array{EnumWord("bash", Shell::bash), EnumWord("zsh", Shell::zsh),
                    EnumWord("fish", Shell::fish)};
}

/// A script that the shell reads when it starts, or when it first completes the tool.
[[nodiscard]] std::string completions(Shell shell, const ToolDescription& tool);

}  // namespace genten::cli
