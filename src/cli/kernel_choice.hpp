// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tool says of the choice of an MTTKRP kernel.

#include <genten/mttkrp/kernel_choice.hpp>

#include <nlohmann/json_fwd.hpp>

namespace genten::cli {

/// Name, bytes needed and allowed, and what was refused although its predicted cost is lower.
nlohmann::ordered_json to_json(const KernelChoice& choice);

/// One sentence on what the JSON form says was refused; nothing if nothing was.
std::string refusal_sentence(const nlohmann::ordered_json& choice);

}  // namespace genten::cli
