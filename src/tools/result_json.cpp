// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "result_json.hpp"

#include "text.hpp"

#include <genten/base/memory.hpp>

#include <cmath>

namespace genten::tools {

nlohmann::ordered_json to_json(const IterationRecord& record) {
  nlohmann::ordered_json json = {
      {"iteration", record.iteration},   {"fit", record.fit},
      {"fit_change", record.fit_change}, {"residual_norm", record.residual_norm},
      {"objective", record.objective},   {"kkt_violation", record.kkt_violation},
      {"seconds", record.seconds}};
  if (!std::isnan(record.holdout_rmse)) {
    json["holdout_rmse"] = record.holdout_rmse;
    json["holdout_mae"] = record.holdout_mae;
  }
  return json;
}

nlohmann::ordered_json count_json(double count) {
  if (count < 0x1p63) return static_cast<std::int64_t>(count);
  return count;
}

nlohmann::ordered_json to_json(const StartRecord& record) {
  nlohmann::ordered_json json = {{"seed", record.seed},
                                 {"fit", record.fit},
                                 {"objective", record.objective},
                                 {"iterations", record.iterations},
                                 {"stop_reason", to_string(record.stop_reason)}};
  if (!std::isnan(record.holdout_rmse)) json["holdout_rmse"] = record.holdout_rmse;
  return json;
}

nlohmann::ordered_json to_json(const KernelChoice& choice) {
  auto refused = nlohmann::ordered_json::array();
  for (const KernelCandidate& one : choice.refused()) {
    refused.push_back({{"name", one.name},
                       {"why", to_string(one.refusal)},
                       {"predicted_bytes", one.cost},
                       {"memory_bytes", one.memory}});
  }
  const KernelCandidate* const chosen = choice.find(choice.name);
  return {{"name", choice.name},
          {"automatic", choice.automatic},
          {"predicted_bytes", chosen == nullptr ? 0.0 : chosen->cost},
          {"memory_bytes", chosen == nullptr ? 0.0 : chosen->memory},
          {"allowed_bytes", choice.allowed},
          {"refused", refused}};
}

std::string refusal_sentence(const nlohmann::ordered_json& choice) {
  if (choice["refused"].empty()) return "";
  std::vector<std::string> reasons;
  for (const auto& one : choice["refused"]) {
    const std::string name = one["name"];
    reasons.push_back(one["why"] == "memory"
                          ? name + " needs " + format_bytes(one["memory_bytes"].get<double>())
                          : name + " does not take this tensor");
  }
  return "kernel " + choice["name"].get<std::string>() +
         " where others would be faster: " + join(reasons, ", ") + "; allowed are " +
         format_bytes(choice["allowed_bytes"].get<double>());
}

}  // namespace genten::tools
