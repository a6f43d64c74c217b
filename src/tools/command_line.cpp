// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include <genten/base/types.hpp>

namespace genten::tools {

void reject(std::string_view name, const std::string& expected, std::string_view got) {
  throw CLI::ValidationError("--" + std::string(name),
                             "expected " + expected + ", got '" + std::string(got) + "'");
}

std::vector<int> parse_modes(std::string_view name, std::string_view text) {
  std::vector<int> modes;
  for (const std::string& piece : split_list(text)) {
    modes.push_back(parse_number<int>(name, piece, 1, max_order) - 1);
  }
  return modes;
}

void require_modes(std::string_view name, const std::vector<int>& modes, std::size_t order) {
  for (const int mode : modes) {
    if (static_cast<std::size_t>(mode) >= order) {
      reject(name, "modes from 1 to " + std::to_string(order), std::to_string(mode + 1));
    }
  }
}

void parse_option(const OptionLine& line, const std::string& text, std::vector<int>& modes) {
  modes = parse_modes(line.name, text);
}

CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& type,
                      std::function<void(const std::string&)> take,
                      const std::string& description) {
  const auto take_some = [name, take = std::move(take)](const std::string& text) {
    // Nobody asks for nothing on purpose: an empty value is a variable that was not set.
    if (text.empty()) throw CLI::ValidationError(name, "expected a value, got ''");
    take(text);
  };
  CLI::Option* option = app.add_option_function<std::string>(name, take_some, description);
  option->type_name(type);                                  // for complaints
  option->option_text(name.starts_with("-") ? type : " ");  // all that the help says of the value
  if (!name.starts_with("-")) option->required();
  return option;
}

CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& type,
                      std::string& value, const std::string& description) {
  return add_text(
      app, name, type, [&value](const std::string& text) { value = text; }, description);
}

void style_help(CLI::App& program) {
  constexpr std::size_t names = 30;  // columns, of 80, for the options' names and values
  program.set_help_flag("-h,--help", "this text");
  program.get_formatter()->column_width(names);
  for (CLI::Option* option : program.get_options([](CLI::Option*) { return true; })) {
    option->description(wrap(option->get_description(), 80 - names));
  }
  for (CLI::App* command : program.get_subcommands({})) style_help(*command);
}

}  // namespace genten::tools
