// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// JSON forms of options and results.

#include <genten/base/option_field.hpp>
#include <genten/core/mode_selection.hpp>
#include <genten/mttkrp/kernel_choice.hpp>
#include <genten/run/report.hpp>
#include <genten/run/tucker_notes.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace genten::tools {

/// A value of an option: modes count from 1 as on the command line, enumerations are their words.
template <class T>
nlohmann::ordered_json option_json(const T& value) {
  if constexpr (WordedEnum<T>) {
    return to_string(value);
  } else if constexpr (std::is_same_v<T, ModeSelection>) {
    if (value.all) return "all";
    return option_json(value.modes);
  } else if constexpr (std::is_same_v<T, std::vector<int>>) {
    auto modes = nlohmann::ordered_json::array();
    for (const int mode : value) modes.push_back(mode + 1);
    return modes;
  } else {
    return value;
  }
}

/// The fields of an options aggregate by their names, dashes written as underscores.
template <class Options>
nlohmann::ordered_json options_json(const Options& options) {
  auto json = nlohmann::ordered_json::object();
  for_each_field(options, [&](const auto& field, const auto& value) {
    std::string key(field.name);
    std::replace(key.begin(), key.end(), '-', '_');
    json[key] = option_json(value);
  });
  return json;
}

/// Name of the kernel, bytes needed and allowed, and what was refused although its predicted cost
/// is lower.
nlohmann::ordered_json to_json(const KernelChoice& choice);

/// A count that double holds exactly or that is too large for an integer: an integer where it fits.
nlohmann::ordered_json count_json(double count);

/// All of a report. Starts count from 1, as in text; `warnings` has a sentence for each of
/// `before`, notes that were known before the run, and for each note of the report.
nlohmann::ordered_json report_json(const RunReport& report,
                                   const std::vector<std::string>& before = {});

/// The same of a Tucker decomposition.
nlohmann::ordered_json tucker_json(const TuckerFigures& figures, const std::vector<Note>& notes,
                                   const std::vector<std::string>& before = {});

/// Adds `notes`, and `warnings` with a sentence for each of `before` and of these.
void add_notes(nlohmann::ordered_json& json, const std::vector<Note>& notes,
               const std::vector<std::string>& before);
/// Adds how often components are found, and the error bars of weights.
void add_trust(nlohmann::ordered_json& json, const RunTrust& trust);
/// Adds the error bars of the elements of the factors, by mode rows of R numbers, beside those of
/// the weights.
void add_factor_bars(nlohmann::ordered_json& json, const RunTrust& trust, std::size_t rank);

}  // namespace genten::tools
