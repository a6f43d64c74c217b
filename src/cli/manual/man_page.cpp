// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "man_page.hpp"

#include "tools/option_text.hpp"

#include <algorithm>
#include <cctype>

namespace genten::cli {

namespace {

/// Text as the macros want it: no dash becomes a hyphen, no line begins with a command.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char letter : text) {
    if (letter == '\\') {
      result += "\\e";
    } else if (letter == '-') {
      result += "\\-";
    } else {
      if ((letter == '.' || letter == '\'') && (result.empty() || result.back() == '\n')) {
        result += "\\&";
      }
      result += letter;
    }
  }
  return result;
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string bold(const std::string& text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
  return "\\fI" + escaped(text) + "\\fR";
}

void add_option(std::string& page, const OptionDescription& option) {
  page += ".TP\n";
  const bool positional = !option.names.front().starts_with("-");
  for (std::size_t i = 0; i < option.names.size(); ++i) {
    page += (i == 0 ? "" : ", ");
    page += positional ? italic(option.names[i]) : bold(option.names[i]);
  }
  if (!positional && !option.value.empty()) page += " " + italic(tools::short_values(option.value));
  page += "\n" + escaped(option.meaning) + "\n";
}

void add_synopsis(std::string& page, const CommandDescription& command) {
  page += ".br\n" + bold("genten " + command.name) + " [" + italic("OPTION") + "]...";
  for (const auto& positional : command.positionals) page += " " + italic(positional.names[0]);
  page += "\n";
}

void add_lines(std::string& page, const std::string& text) {
  if (!text.empty()) page += ".PP\n.nf\n" + escaped(text) + "\n.fi\n";
}

}  // namespace

std::string man_page(const ToolDescription& tool, const std::string& version) {
  std::string page = ".TH GENTEN 1 \"\" \"Genten " + escaped(version) + "\" \"Genten\"\n";
  page += ".SH NAME\ngenten \\- " + escaped(tool.itself.meaning) + "\n.SH SYNOPSIS\n";
  for (const auto& command : tool.commands) add_synopsis(page, command);
  page += ".SH OPTIONS\n";
  for (const auto& option : tool.itself.options) add_option(page, option);
  add_lines(page, tool.itself.footer);
  for (const auto& command : tool.commands) {
    page += ".SH " + upper(escaped(command.name)) + "\n" + escaped(command.meaning) + ".\n";
    for (const auto& positional : command.positionals) add_option(page, positional);
    const std::string* group = nullptr;
    for (const auto& option : command.options) {
      if (group == nullptr || *group != option.group) page += ".SS " + escaped(option.group) + "\n";
      group = &option.group;
      add_option(page, option);
    }
    add_lines(page, command.footer);
  }
  return page;
}

}  // namespace genten::cli
