// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "mode_names.hpp"

#include "base/names_in_option.hpp"
#include "command_line.hpp"
#include "hints/edit_distance.hpp"

#include <algorithm>

namespace genten::tools {
namespace {

/// The names on the command line; -1 stands for the first.
std::vector<std::string>& given_names() {
  static std::vector<std::string> names;
  return names;
}

/// `mode_of`; `others` are what else is expected.
int found_mode(std::string_view name, const std::string& text,
               const std::vector<std::string>& names, const std::string& others,
               const std::string& lacking = "") {
  for (std::size_t n = 0; n < names.size(); ++n) {
    const bool is_name = !text.empty() && names[n] == text;
    if (is_name || text == std::to_string(n + 1)) return static_cast<int>(n);
  }
  std::vector<std::string> known;
  std::copy_if(names.begin(), names.end(), std::back_inserter(known),
               [](const std::string& each) { return !each.empty(); });
  const std::string numbers = others + "modes from 1 to " + std::to_string(names.size());
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  if (known.empty()) {
    const std::string why = is_number ? "" : ", since modes have no names here";
    usage_error("--" + std::string(name),
                "expected " + numbers + why + ", got '" + text + "'" + (is_number ? "" : lacking));
  }
  const std::string nearest = is_number ? "" : closest(text, known);
  usage_error("--" + std::string(name),
              "expected " + numbers + " or their names, " + join(known, ", ") + ", got '" + text +
                  "'" +
                  (nearest.empty() ? "" : "; did you mean " + names_in_option({nearest}) + "?"));
}

void number_all(std::string_view name, std::vector<int>& modes,
                const std::vector<std::string>& names, const std::string& others) {
  for (int& mode : modes) {
    if (mode < 0) mode = found_mode(name, mode_text(mode), names, others);
  }
}

}  // namespace

int place_of_mode_name(std::string_view name) {
  auto& names = given_names();
  const auto found = std::find(names.begin(), names.end(), name);
  const auto at = found - names.begin();
  if (found == names.end()) names.emplace_back(name);
  return -1 - static_cast<int>(at);
}

std::string mode_text(int mode) {
  return mode < 0 ? given_names()[static_cast<std::size_t>(-1 - mode)] : std::to_string(mode + 1);
}

bool modes_are_named() {
  return !given_names().empty();
}

int mode_of(std::string_view name, const std::string& text, const std::vector<std::string>& names,
            const std::string& lacking) {
  return found_mode(name, text, names, "", lacking);
}

void number_modes(std::string_view name, std::vector<int>& modes,
                  const std::vector<std::string>& names) {
  number_all(name, modes, names, "");
}

void number_modes(std::string_view name, ModeSelection& selection,
                  const std::vector<std::string>& names) {
  number_all(name, selection.modes, names, "all, or ");
}

}  // namespace genten::tools
