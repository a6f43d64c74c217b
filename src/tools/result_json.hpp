// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// JSON forms of options and results.

#include <genten/base/option_field.hpp>
#include <genten/core/mode_selection.hpp>
#include <genten/cp/result.hpp>
#include <genten/mttkrp/kernel_choice.hpp>

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
/// One sentence on what the JSON form of a choice says was refused; nothing if nothing was.
std::string refusal_sentence(const nlohmann::ordered_json& choice);

/// A count that double holds exactly or that is too large for an integer: an integer where it fits.
nlohmann::ordered_json count_json(double count);

nlohmann::ordered_json to_json(const IterationRecord& record);
nlohmann::ordered_json to_json(const StartRecord& record);

/// All of a result, CpAlsResult or CpAprResult, but its factors. Starts count from 1, as in text.
template <class Result>
nlohmann::ordered_json result_json(const Result& result) {
  using Json = nlohmann::ordered_json;
  const auto weights =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result.model.weights());
  Json json = {{"fit", result.fit},
               {"residual_norm", result.residual_norm},
               {"iterations", result.iterations},
               {"stop_reason", to_string(result.stop_reason)},
               {"weights", std::vector<double>(weights.data(), weights.data() + weights.extent(0))},
               {"history", Json::array()},
               {"timings", Json::object()},
               {"objective", result.objective},
               {"penalty", result.penalty},
               {"kkt_violation", result.kkt_violation},
               {"zero_components", result.zero_components},
               {"residual_error", result.residual_error},
               {"tolerance_above_fit", result.tolerance_above_fit},
               {"tensor_norm", result.tensor_norm},
               {"kernel", result.kernel},
               {"starts", Json::array()},
               {"best_start", result.best_start + 1}};
  if constexpr (requires { result.deviance; }) {
    json["deviance"] = result.deviance;
    json["inner_iterations"] = result.inner_iterations;
  } else if constexpr (requires { result.holdout; }) {
    json["cells"] = count_json(result.cells);
    json["rmse"] = result.rmse;
    json["holdout"] = nullptr;
    if (result.holdout.cells != 0) {
      json["holdout"] = {{"rmse", result.holdout.rmse},
                         {"mae", result.holdout.mae},
                         {"cells", result.holdout.cells}};
    }
    json["returned_iteration"] = result.returned_iteration;
    json["ridge"] = result.ridge;
    json["empty_rows"] = result.empty_rows;
    json["rank_deficient_solves"] = result.rank_deficient_solves;
    json["weight_ratio"] = result.weight_ratio;
    json["degenerate_components"] = result.degenerate_components;
  } else {
    json["residual_route"] = to_string(result.residual_route);
    json["rank_deficient_solves"] = result.rank_deficient_solves;
    json["momentum_restarts"] = result.momentum_restarts;
    json["kernel_description"] = result.kernel_description;
    json["kernel_choice"] = to_json(result.kernel_choice);
    json["mttkrp_gflops"] = result.mttkrp_gflops;
    json["mttkrp_gbytes"] = result.mttkrp_gbytes;
  }
  for (const auto& record : result.history) json["history"].push_back(to_json(record));
  for (const auto& timing : result.timings) json["timings"][timing.name] = timing.seconds;
  for (const auto& start : result.starts) json["starts"].push_back(to_json(start));
  return json;
}

}  // namespace genten::tools
