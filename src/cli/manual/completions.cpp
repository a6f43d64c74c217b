// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "completions.hpp"

#include "tools/text.hpp"

namespace genten::cli {

using namespace tools;

namespace {

std::string command_names(const ToolDescription& tool) {
  std::vector<std::string> names;
  for (const auto& command : tool.commands) names.push_back(command.name);
  return join(names, " ");
}

std::string option_names(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const auto& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return join(names, " ");
}

/// Text between single quotes, which every shell takes as it is; `quote` is how the shell writes a
/// single quote there.
std::string quoted(std::string text, const std::string& quote) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += quote.size()) {
    text.replace(at, 1, quote);
  }
  return "'" + text + "'";
}

// --- bash ----------------------------------------------------------------------------------------

/// What follows an option with a value, as an arm of a `case` over "command option".
std::string bash_value(const CommandDescription& command, const OptionDescription& option) {
  std::vector<std::string> patterns;
  for (const auto& name : option.names) patterns.push_back("'" + command.name + " " + name + "'");
  std::string arm = "    " + join(patterns, " | ") + ")\n";
  if (const auto words = option.words(); !words.empty()) {
    arm += "      COMPREPLY=($(compgen -W '" + join(words, " ") + "' -- \"$current\"))\n";
  }
  if (option.takes_files()) {
    arm +=
        "      compopt -o filenames -o nospace 2>/dev/null\n"
        "      case $current in *,*) before=${current%,*}, current=${current##*,} ;; esac\n"
        "      mapfile -t COMPREPLY < <(compgen -P \"$before\" -f -- \"$current\")\n";
  } else if (option.takes_file()) {
    arm +=
        "      compopt -o filenames 2>/dev/null\n"
        "      mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n";
  }
  return arm + "      return ;;\n";
}

std::string for_bash(const ToolDescription& tool) {
  std::string script =
      "# Completion of genten for bash.\n"
      "_genten() {\n"
      "  local command='' current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD - 1]} i\n"
      "  local before=''\n"
      "  local IFS=$' \\t\\n'\n"
      "  # bash takes --option=value apart.\n"
      "  if [ \"$current\" = = ]; then\n"
      "    current=''\n"
      "  elif [ \"$last\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
      "    last=${COMP_WORDS[COMP_CWORD - 2]}\n"
      "  fi\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case ${COMP_WORDS[i]} in\n"
      "      -*) ;;\n"
      "      *) command=${COMP_WORDS[i]}; break ;;\n"
      "    esac\n"
      "  done\n"
      "  case \"$command $last\" in\n";
  for (const auto& command : tool.commands) {
    for (const auto& option : command.options) {
      if (!option.value.empty()) script += bash_value(command, option);
    }
  }
  script +=
      "  esac\n"
      "  local options='" +
      option_names(tool.itself) + "' words='" + command_names(tool) +
      "'\n"
      "  case $command in\n"
      "    '') ;;\n";
  for (const auto& command : tool.commands) {
    std::vector<std::string> words;
    for (const auto& positional : command.positionals) {
      for (const auto& word : positional.words()) words.push_back(word);
    }
    script += "    " + command.name + ") options='" + option_names(command) + "' words='" +
              join(words, " ") + "' ;;\n";
  }
  return script +
         "    *) return ;;\n"
         "  esac\n"
         "  if [[ $current == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
         "  elif [ -n \"$words\" ]; then\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  else\n"
         "    compopt -o filenames 2>/dev/null\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n"
         "  fi\n"
         "}\n"
         "complete -F _genten genten\n";
}

// --- zsh -----------------------------------------------------------------------------------------

/// What comes after the explanation: ":value:(words)", ":file:_files" or both.
std::string zsh_action(const OptionDescription& option) {
  const auto words = option.words();
  if (!words.empty() && option.takes_file()) {
    return ":value: _genten_words_or_files " + join(words, " ");
  }
  if (!words.empty()) return ":value:(" + join(words, " ") + ")";
  return option.takes_file() ? ":file:_files" : ":value: ";
}

std::string zsh_option(const OptionDescription& option) {
  std::string meaning;
  for (const char letter : option.meaning) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') meaning += '\\';
    meaning += letter;
  }
  std::string lines;
  for (const auto& name : option.names) {
    const std::string specification = "(" + join(option.names, " ") + ")" + name +
                                      (option.value.empty() || !name.starts_with("--") ? "" : "=") +
                                      "[" + meaning + "]" +
                                      (option.value.empty() ? "" : zsh_action(option));
    lines += "        " + quoted(specification, "'\\''") + " \\\n";
  }
  return lines;
}

std::string for_zsh(const ToolDescription& tool) {
  std::string script =
      "#compdef genten\n"
      "# Completion of genten for zsh.\n"
      "_genten_words_or_files() {\n"
      "  compadd -- \"$@\"\n"
      "  _files\n"
      "}\n"
      "_genten() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const auto& command : tool.commands) {
    script += "    " + quoted(command.name + ":" + command.meaning, "'\\''") + "\n";
  }
  script +=
      "  )\n"
      "  if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local command=$words[2]\n"
      "  if ((CURRENT > 2)); then\n"
      "    shift words\n"
      "    ((CURRENT--))\n"
      "  fi\n"
      "  case $command in\n";
  for (const auto& command : tool.commands) {
    script += "    " + command.name + ")\n      _arguments -s \\\n";
    for (const auto& option : command.options) script += zsh_option(option);
    for (const auto& positional : command.positionals) {
      script += "        " + quoted(zsh_action(positional), "'\\''") + " \\\n";
    }
    script += "        && return ;;\n";
  }
  script += "    *)\n      _arguments \\\n";
  for (const auto& option : tool.itself.options) script += zsh_option(option);
  return script +
         "        && return ;;\n"
         "  esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _genten ]; then\n"
         "  _genten \"$@\"\n"
         "else\n"
         "  compdef _genten genten\n"
         "fi\n";
}

// --- fish ----------------------------------------------------------------------------------------

std::string fish_option(const std::string& condition, const OptionDescription& option) {
  std::string line = "complete -c genten -n " + condition;
  for (const auto& name : option.names) {
    const bool long_name = name.starts_with("--");
    line += (long_name ? " -l " : " -s ") + name.substr(long_name ? 2 : 1);
  }
  if (!option.value.empty()) line += option.takes_file() ? " -r -F" : " -x";
  if (const auto words = option.words(); !words.empty()) line += " -a '" + join(words, " ") + "'";
  return line + " -d " + quoted(option.meaning, "\\'") + "\n";
}

std::string for_fish(const ToolDescription& tool) {
  std::string script = "# Completion of genten for fish.\n";
  for (const auto& command : tool.commands) {
    script += "complete -c genten -n __fish_use_subcommand -f -a " + command.name + " -d " +
              quoted(command.meaning, "\\'") + "\n";
  }
  for (const auto& option : tool.itself.options) {
    script += fish_option("__fish_use_subcommand", option);
  }
  for (const auto& command : tool.commands) {
    const std::string seen = "'__fish_seen_subcommand_from " + command.name + "'";
    for (const auto& option : command.options) script += fish_option(seen, option);
    for (const auto& positional : command.positionals) {
      if (const auto words = positional.words(); !words.empty()) {
        script += "complete -c genten -n " + seen + " -f -a '" + join(words, " ") + "'\n";
      }
    }
  }
  return script;
}

}  // namespace

std::string completions(Shell shell, const ToolDescription& tool) {
  switch (shell) {
    case Shell::bash:
      return for_bash(tool);
    case Shell::zsh:
      return for_zsh(tool);
    case Shell::fish:
      break;
  }
  return for_fish(tool);
}

}  // namespace genten::cli
