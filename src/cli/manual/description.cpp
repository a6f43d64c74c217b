// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "description.hpp"

#include "tools/text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace genten::cli {

namespace {

/// Text that was wrapped for the help, in one line.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : " ") + word;
  return result;
}

CommandDescription describe_command(const CLI::App& app) {
  CommandDescription command{app.get_name(), app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options()) {
    OptionDescription described;
    for (const auto& name : option->get_snames()) described.names.push_back("-" + name);
    for (const auto& name : option->get_lnames()) described.names.push_back("--" + name);
    const bool positional = described.names.empty();
    if (positional) described.names.push_back(option->get_name(true));
    if (option->get_items_expected_max() > 0) described.value = option->get_type_name();
    described.meaning = unwrapped(option->get_description());
    described.group = option->get_group();
    (positional ? command.positionals : command.options).push_back(described);
  }
  return command;
}

}  // namespace

std::vector<std::string> OptionDescription::words() const {
  std::vector<std::string> result;
  std::istringstream pieces(value);
  for (std::string piece; std::getline(pieces, piece, '|');) {
    const bool stands_for_another =
        std::any_of(piece.begin(), piece.end(),
                    [](unsigned char letter) { return std::isupper(letter) || letter == ','; });
    if (!piece.empty() && !stands_for_another) result.push_back(piece);
  }
  return result;
}

ToolDescription describe(const CLI::App& tool) {
  ToolDescription result{describe_command(tool), {}};
  for (const CLI::App* command : tool.get_subcommands({})) {
    result.commands.push_back(describe_command(*command));
  }
  return result;
}

}  // namespace genten::cli
