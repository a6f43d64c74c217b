// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// --loss and --loss-parameter of subcommands that read a model.

#include "command.hpp"

#include <genten/cp/losses/any_loss.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace genten::cli {

/// The losses by name and meaning, with the parameters that they have.
[[nodiscard]] std::string explain_losses();

/// The loss that a model was made for, as the command line says it; none where it says nothing.
struct LossChoice {
  std::string name;
  std::optional<double> parameter;

  /// Throws a usage error for a loss that there is not, and for a parameter that it does not take.
  [[nodiscard]] std::optional<AnyLoss> loss() const;
};

/// Adds both options and returns `--loss`, which `meaning` describes.
DeclaredOption add_loss(CLI::App& app, LossChoice& choice, const std::string& meaning);

/// What JSON says of a loss: `loss` and, where it has one, `loss_parameter`.
[[nodiscard]] nlohmann::ordered_json loss_json(const LossFacts& loss);

}  // namespace genten::cli
