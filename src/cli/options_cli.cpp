// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options_cli.hpp"

#include <genten/base/types.hpp>

namespace genten::cli {

std::string describe_range(double lowest, double highest) {
  const bool below = lowest > std::numeric_limits<double>::lowest();
  const bool above = highest < 1e15;  // what is beyond is the type's limit, of no interest
  const auto bound = [](double value) { return format("%.15g", value); };
  if (below && above) return bound(lowest) + " to " + bound(highest);
  if (below) return "at least " + bound(lowest);
  if (above) return "at most " + bound(highest);
  return "";
}

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

namespace {
template <class T>
std::vector<T> parse_list(std::string_view name, std::string_view text, double lowest) {
  std::vector<T> values;
  for (const std::string& piece : split_list(text)) {
    values.push_back(parse_number<T>(name, piece, lowest, std::numeric_limits<double>::max()));
  }
  return values;
}
}  // namespace

std::vector<std::size_t> parse_counts(std::string_view name, std::string_view text, double lowest) {
  return parse_list<std::size_t>(name, text, lowest);
}

std::vector<double> parse_numbers(std::string_view name, std::string_view text, double lowest) {
  return parse_list<double>(name, text, lowest);
}

std::string write_value(bool value) {
  return value ? "on" : "off";
}

std::string write_value(double value) {
  return format("%.15g", value);
}

std::string write_value(const std::string& value) {
  return value;
}

std::string write_value(const std::vector<int>& modes) {
  std::vector<std::string> parts;
  for (const int mode : modes) parts.push_back(std::to_string(mode + 1));
  return join(parts, ",");
}

CLI::Option* add_text(CLI::App& app, const std::string& name, const std::string& type,
                      std::function<void(const std::string&)> take,
                      const std::string& description) {
  CLI::Option* option = app.add_option_function<std::string>(name, std::move(take), description);
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

std::string describe_option(std::string_view meaning, const std::string& range,
                            const std::string& default_value) {
  std::string text(meaning);
  // The tables describe the API, whose modes count from 0.
  if (const auto at = text.find("0-based"); at != std::string::npos) {
    text.replace(at, 7, "from 1");
  }
  std::string notes = range;
  if (!default_value.empty()) notes += (notes.empty() ? "default " : "; default ") + default_value;
  return notes.empty() ? text : text + " (" + notes + ")";
}

}  // namespace genten::cli
