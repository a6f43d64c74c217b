// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the parser knows of the tool, as manuals and completions need it.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace genten::cli {

struct OptionDescription {
  std::vector<std::string> names;  ///< with their dashes, short ones first; one of a positional
  std::string value;               ///< what stands for the value in the help; "" of flags
  std::string meaning;             ///< one line
  std::string group;               ///< the title above it in the help

  /// The values that the help enumerates: "a" and "b" of "a|b|FILE".
  [[nodiscard]] std::vector<std::string> words() const;
  [[nodiscard]] bool takes_file() const { return value.find("FILE") != std::string::npos; }
  /// With commas between them.
  [[nodiscard]] bool takes_files() const { return value.find("FILE,") != std::string::npos; }
};

struct CommandDescription {
  std::string name;
  std::string meaning;
  std::string footer;
  std::vector<OptionDescription> positionals;
  std::vector<OptionDescription> options;
};

/// The tool itself, and each of its commands.
struct ToolDescription {
  CommandDescription itself;
  std::vector<CommandDescription> commands;
};

[[nodiscard]] ToolDescription describe(const CLI::App& tool);

}  // namespace genten::cli
