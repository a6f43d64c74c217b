// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "loss_option.hpp"

#include "tools/text.hpp"

#include <genten/base/option_field.hpp>
#include <genten/run/request.hpp>

#include <limits>

namespace genten::cli {

std::string explain_losses() {
  std::vector<std::string> parts;
  LossList::for_each([&]<class L>() {
    std::string part = std::string(L::name) + ": " + std::string(L::meaning);
    if constexpr (loss_requirements::HasParameter<L>) {
      part += " (" + std::string(L::parameter.name) + " " + std::string(L::parameter.expected) +
              ", default " + number_text(L::parameter.otherwise) + ")";
    }
    parts.push_back(part);
  });
  return join(parts, "; ");
}

std::optional<AnyLoss> LossChoice::loss() const {
  if (name.empty()) return std::nullopt;
  CpRequest request;
  request.loss = name;
  request.loss_parameter = parameter;
  request.given = {"loss"};
  try {
    request.check(true);
  } catch (const Error& error) {
    usage_error("--" + error.fields().option, complaint(error));
  }
  return request.any_loss();
}

DeclaredOption add_loss(CLI::App& app, LossChoice& choice, const std::string& meaning) {
  const double none = std::numeric_limits<double>::max();
  const auto loss = add_option(
      app, {"loss", meaning + "; " + explain_losses(), -none, none, loss_names}, choice.name);
  add_option(app, {"loss-parameter", "the number of a loss that has one"}, choice.parameter)
      .needs(loss);
  return loss;
}

nlohmann::ordered_json loss_json(const LossFacts& loss) {
  nlohmann::ordered_json json = {{"loss", loss.name}};
  if (!loss.parameter_name.empty()) json["loss_parameter"] = loss.parameter;
  return json;
}

}  // namespace genten::cli
