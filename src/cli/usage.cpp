// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "usage.hpp"

#include "tools/hints/edit_distance.hpp"
#include "tools/text.hpp"

#include <algorithm>

namespace genten::cli {

using namespace tools;

namespace {

/// The candidate that `word` begins or nearly is; "" if none.
std::string closest(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const bool begins = word.size() > 3 && candidate.starts_with(word);
    const std::size_t distance = begins ? 1 : edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

const CLI::App& chosen_command(const CLI::App& tool) {
  const auto chosen = tool.get_subcommands();
  return chosen.empty() ? tool : *chosen.front();
}

std::string unexpected_argument(const CLI::App& tool) {
  const CLI::App& command = chosen_command(tool);
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const CLI::App* each : command.get_subcommands({})) known.push_back(each->get_name());
  for (std::string word : tool.remaining(true)) {
    word = word.substr(0, word.find('='));
    const bool option = word.starts_with("-") && word != "-";  // which is a file
    if (&command != &tool && !option) return "one argument too many: " + word;
    if (!option && (word == "report" || word == "plot")) {
      return "unknown command " + word +
             "; the Python package makes reports and pictures: python -m genten report";
    }
    const std::string what = option ? "unknown option " : "unknown command ";
    const std::string meant = closest(word, known);
    return what + word + (meant.empty() ? "" : "; did you mean " + meant + "?");
  }
  return "";
}

/// What the parser complains of, in the words of the other complaints: the option, what was
/// expected, what came.
std::string parser_complaint(const CLI::App& command, const CLI::ParseError& error) {
  const std::string text = error.what();
  const std::string name = text.substr(0, text.find_first_of(": "));
  const auto is = [&](const char* kind) { return error.get_name() == kind; };
  if (is("RequiredError")) {
    if (command.get_parent() != nullptr) return "expected " + name + ", got none";
    std::vector<std::string> commands;
    for (const CLI::App* each : command.get_subcommands({})) commands.push_back(each->get_name());
    return "expected a command: " + join(commands, ", ");
  }
  const std::string other = text.substr(text.rfind(' ') + 1);
  if (is("RequiresError")) return name + ": means nothing without " + other;
  if (is("ExcludesError")) return name + ": means nothing beside " + other;
  if (is("ArgumentMismatch")) {
    const CLI::Option* const option = command.get_option_no_throw(name);
    if (option == nullptr) return "--" + name + ": expected no value";  // of flags, without dashes
    if (option->count() <= 1) return name + ": expected " + option->get_type_name() + ", got none";
    return name + ": expected once, got " + std::to_string(option->count()) + " times";
  }
  return text;
}

}  // namespace

std::string usage_message(const CLI::App& tool, const CLI::ParseError& error) {
  const CLI::App& command = chosen_command(tool);
  std::string message = unexpected_argument(tool);
  if (message.empty()) message = parser_complaint(command, error);
  std::string help = "genten";
  if (&command != &tool) help += " " + command.get_name();
  return message + "\nTry: " + help + " --help";
}

}  // namespace genten::cli
