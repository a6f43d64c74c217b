// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options_of_run.hpp"

#include "base/names_in_option.hpp"
#include "readable_again.hpp"
#include "sidecar.hpp"
#include "tools/files.hpp"
#include "tools/printable.hpp"
#include "tools/program.hpp"
#include "tools/text.hpp"

#include <genten/base/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace genten::cli {
namespace {

using Json = nlohmann::json;

std::string typed(const std::string& option, const std::string& value) {
  return tools::printable(tools::in_words(error_text::option(option, value)));
}

/// A value of an option. JSON has no infinities, which are no bounds: they are null there.
std::string word_of(const std::string& member, const Json& value) {
  if (value.is_null()) return member == "lower" ? "-inf" : "inf";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

std::string file_in_command(const std::string& file, const char* otherwise) {
  return can_be_read_again(file) ? tools::printable(tools::in_command(file)) : otherwise;
}

std::vector<OptionOfRun> options_of_run(const Json& run) {
  std::vector<OptionOfRun> found;
  for (const std::string member : {"loss", "loss_parameter", "nonnegative", "ridge", "l1", "lower",
                                   "upper", "missing", "duplicates"}) {
    const Json value = run.is_object() ? run.value(member, Json()) : Json();
    if (value.is_null() || (member == "loss" && value == "gaussian")) continue;
    if (member == "duplicates" && value == "sum") continue;
    if (member == "ridge" && run.value("ridge_by_default", false)) continue;
    std::vector<std::string> words;
    for (const Json& each : value.is_array() ? value : Json::array({value})) {
      words.push_back(word_of(member, each));
    }
    std::string option = member;
    std::replace(option.begin(), option.end(), '_', '-');
    found.push_back({member, "--" + option, typed(option, tools::join(words, ","))});
  }
  return found;
}

std::string options_of_values(const Json& run) {
  std::string text;
  const Json values = run.is_object() ? run.value("values", Json()) : Json();
  if (values.is_string() && values != "") {
    text += " " + typed("values", names_in_option({values.get<std::string>()}));
  }
  if (run.is_object() && run.value("decimal", Json()) == ",") text += " " + typed("decimal", ",");
  for (const OptionOfRun& each : options_of_run(run)) {
    if (each.member == "duplicates") text += " " + each.text;
  }
  return text;
}

std::string init_option(const std::string& model) {
  const bool are_numbers = can_be_read_again(model) && has_number_names_beside(model);
  return (are_numbers ? "--compact --init " : "--init ") + file_in_command(model, "MODEL");
}

std::string fit_options(const std::string& model) {
  const Json run = run_beside(model);
  std::string text = init_option(model);
  if (run.contains("values")) {  // of a table: null says that its rows were counted
    const std::vector<std::string> modes = mode_names_beside(model);
    if (!modes.empty() && std::find(modes.begin(), modes.end(), "") == modes.end()) {
      text += " " + typed("modes", names_in_option(modes));
    }
    // Numbers of a table count from 0 where nothing says otherwise.
    const bool are_ids = has_number_names_beside(model);
    if (!are_ids && base_beside(model) == 1U) text += " " + typed("index-base", "1");
  }
  text += options_of_values(run);
  for (const OptionOfRun& each : options_of_run(run)) {
    if (each.member == "duplicates") continue;
    const bool is_list = each.member == "missing" && run["missing"] != "unlisted";
    text += " " + (is_list ? "--missing FILE" : each.text);
  }
  return text + " -o NEW";
}

}  // namespace genten::cli
