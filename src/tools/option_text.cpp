// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "option_text.hpp"

#include "mode_names.hpp"

namespace genten::tools {

std::string value_text(bool value) {
  return value ? "on" : "off";
}

std::string value_text(double value) {
  return number_text(value);
}

std::string value_text(const std::string& value) {
  return value;
}

std::string value_text(const std::vector<int>& modes) {
  std::vector<std::string> parts;
  for (const int mode : modes) parts.push_back(mode_text(mode));
  return join(parts, ",");
}

std::string value_text(const ModeSelection& selection) {
  return selection.all ? "all" : value_text(selection.modes);
}

std::string short_values(const std::string& values) {
  constexpr std::size_t most = 60;
  return values.size() > most ? "NAME" : values;
}

std::string OptionText::description() const {
  std::string notes = range;
  if (!default_value.empty()) notes += (notes.empty() ? "default " : "; default ") + default_value;
  return notes.empty() ? meaning : meaning + " (" + notes + ")";
}

}  // namespace genten::tools
