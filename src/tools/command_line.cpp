// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

#include "files.hpp"
#include "hints/edit_distance.hpp"
#include "mode_names.hpp"
#include "option_groups.hpp"

#include <genten/base/types.hpp>

#include <CLI/CLI.hpp>

#include <cctype>

namespace genten::tools {

void usage_error(const std::string& name, const std::string& message) {
  throw CLI::ValidationError(name, message);
}

bool is_usage_error(const std::exception& error) {
  return dynamic_cast<const CLI::Error*>(&error) != nullptr;
}

void reject(std::string_view name, const std::string& expected, std::string_view got) {
  usage_error("--" + std::string(name),
              "expected " + expected + ", got '" + std::string(got) + "'");
}

namespace {

/// Columns whose names begin so make no header.
bool may_be_mode_name(const std::string& text) {
  return !text.empty() && text.find_first_of("0123456789+-.") != 0;
}

}  // namespace

void reject_word(std::string_view name, const std::vector<std::string>& words,
                 const std::string& got) {
  const std::string nearest = closest(got, words);
  constexpr std::pair<const char*, const char*> endings[] = {
      {"tns", "frostt"}, {"txt", "sptensor"}, {"mtx", "matrix-market"},
      {"gtn", "binary"}, {"gkt", "binary"},   {"csv", ""},
      {"tsv", ""},       {"ktensor", ""},     {"npz", ""}};
  const auto ending = std::find_if(std::begin(endings), std::end(endings), [&](const auto& each) {
    return name == "to" && got == each.first;
  });
  std::string way = nearest.empty() ? "" : "; did you mean " + nearest + "?";
  if (ending != std::end(endings)) {
    const std::string form = ending->second;
    way = form.empty() ? "; without --to a name that ends in ." + got + " says that form" +
                             (got.ends_with("sv") ? ", of genten convert and genten predict" : "")
                       : "; did you mean " + form + ", the form of ." + got + "?";
  }
  std::vector<std::string> choices = words;
  for (std::string& choice : choices) {
    const bool is_sign = std::ispunct(static_cast<unsigned char>(choice.front())) != 0;
    if (is_sign) choice = "'" + choice + "'";
  }
  usage_error("--" + std::string(name),
              "expected " + join(choices, "|") + ", got '" + got + "'" + way);
}

namespace {

std::vector<int> modes_in(std::string_view name, std::string_view text, bool takes_all) {
  std::vector<int> modes;
  for (const std::string& piece : split_list(text)) {
    if (may_be_mode_name(piece)) {
      modes.push_back(place_of_mode_name(piece));
      continue;
    }
    int mode = 0;
    const char* const end = piece.data() + piece.size();
    const auto [stop, error] = std::from_chars(piece.data(), end, mode);
    // How many modes there are is not known yet.
    if (error != std::errc() || stop != end || mode < 1 || mode > max_order) {
      reject(name,
             (takes_all ? "all, or " : "") + std::string("modes from 1 to the order of the tensor"),
             piece);
    }
    modes.push_back(mode - 1);
  }
  return modes;
}

}  // namespace

std::vector<int> parse_modes(std::string_view name, std::string_view text) {
  return modes_in(name, text, false);
}

void require_modes(std::string_view name, const std::vector<int>& modes, std::size_t order) {
  std::set<int> seen;
  for (const int mode : modes) {
    if (mode < 0 || static_cast<std::size_t>(mode) >= order) {
      reject(name, "modes from 1 to " + std::to_string(order), mode_text(mode));
    }
    if (!seen.insert(mode).second) reject(name, "each mode once", value_text(modes));
  }
}

void require_every_mode(std::string_view name, const std::vector<int>& modes, std::size_t order) {
  require_modes(name, modes, order);
  if (modes.empty() || modes.size() == order) return;
  reject(name, "all modes from 1 to " + std::to_string(order), value_text(modes));
}

void parse_option(const OptionLine& line, const std::string& text, std::vector<int>& modes) {
  modes = parse_modes(line.name, text);
}

void parse_option(const OptionLine& line, const std::string& text, ModeSelection& selection) {
  selection = {};
  if (text == "all") {
    selection.all = true;
  } else {
    selection.modes = modes_in(line.name, text, true);
  }
}

DeclaredOption DeclaredOption::needs(DeclaredOption other) const {
  m_option->needs(other.m_option);
  return *this;
}
DeclaredOption DeclaredOption::excludes(DeclaredOption other) const {
  m_option->excludes(other.m_option);
  return *this;
}
DeclaredOption DeclaredOption::described_alone() const {
  m_option->option_text(" ");
  return *this;
}
bool DeclaredOption::is_given() const {
  return m_option != nullptr && m_option->count() != 0;
}

DeclaredOption option_of(CLI::App& app, const std::string& name) {
  return app.get_option(name);
}

void set_footer(CLI::App& app, const std::string& text) {
  app.footer(text);
}

void begin_group(CLI::App& app, const std::string& title) {
  app.option_defaults()->group(title);
}

CLI::App& add_subcommand(CLI::App& tool, const std::string& name, const std::string& description) {
  return *tool.add_subcommand(name, description);
}
void set_callback(CLI::App& app, std::function<void()> callback) {
  app.callback(std::move(callback));
}

DeclaredOption add_flag(CLI::App& app, const std::string& names, bool& value,
                        const std::string& description) {
  return app.add_flag(names, value, description);
}

DeclaredOption add_text(CLI::App& app, const std::string& name, const std::string& type,
                        std::function<void(const std::string&)> take,
                        const std::string& description) {
  const bool of_files = type.find("FILE") != std::string::npos;
  const auto take_some = [name, of_files, take = std::move(take)](const std::string& text) {
    // Nobody asks for nothing on purpose: an empty value is a variable that was not set.
    if (text.empty()) usage_error(name, "expected a value, got ''");
    // The parser takes what comes next for the value of an option that was given none.
    if (of_files && text.size() > 1 && text[0] == '-' &&
        (text[1] == '-' || std::isalpha(static_cast<unsigned char>(text[1])) != 0)) {
      usage_error(name,
                  "expected a file, got '" + text + "'; a file of that name is './" + text + "'");
    }
    take(text);
  };
  CLI::Option* option = app.add_option_function<std::string>(name, take_some, description);
  option->type_name(type);  // for complaints
  // All that the help says of the value.
  option->option_text(name.starts_with("-") ? short_values(type) : " ");
  if (!name.starts_with("-")) option->required();
  return option;
}

DeclaredOption add_text(CLI::App& app, const std::string& name, const std::string& type,
                        std::string& value, const std::string& description) {
  return add_text(
      app, name, type, [&value](const std::string& text) { value = text; }, description);
}

void add_texts(CLI::App& app, const std::string& name, const std::string& type,
               std::vector<std::string>& values, const std::string& description) {
  app.add_option(name, values, description)->required()->type_name(type);
}

DeclaredOption add_output(CLI::App& app, const std::string& name, std::string& value,
                          const std::string& description) {
  return add_text(
      app, name, "FILE", [&value](const std::string& text) { value = output_path(text); },
      description);
}

namespace {

/// Help with examples before the options.
class ExamplesFirst : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    const std::string& footer = app->get_footer();
    const std::size_t begin = examples_of(footer);
    return Formatter::make_usage(app, std::move(name)) +
           (begin < footer.size() ? "\n" + footer.substr(begin) + "\n" : "");
  }
  std::string make_footer(const CLI::App* app) const override {
    std::string text = app->get_footer();
    text.resize(examples_of(text));
    while (text.ends_with('\n')) text.pop_back();
    return text.empty() ? text : text + "\n";
  }

 private:
  static std::size_t examples_of(const std::string& footer) {
    if (footer.starts_with("Example")) return 0;
    const std::size_t line = footer.find("\nExample");
    return line == std::string::npos ? footer.size() : line + 1;
  }
};

}  // namespace

void style_help(CLI::App& program) {
  constexpr std::size_t names = 30;  // columns, of 80, for the options' names and values
  program.set_help_flag("-h,--help", "this text");
  program.formatter(std::make_shared<ExamplesFirst>());
  program.get_formatter()->column_width(names);
  for (CLI::Option* option : program.get_options([](CLI::Option*) { return true; })) {
    option->disable_flag_override();  // a flag takes no value
    option->description(wrap(option->get_description(), 80 - names));
  }
  for (CLI::App* command : program.get_subcommands({})) style_help(*command);
}

}  // namespace genten::tools
