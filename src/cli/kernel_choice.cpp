// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_choice.hpp"

#include "text.hpp"

#include <nlohmann/json.hpp>

namespace genten::cli {

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

}  // namespace genten::cli
