// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Models of either kind, for subcommands that ask for values alone.

#include <genten/core/ktensor.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace genten::cli {

/// A model that was read from a file, a Tucker model as the CP model of the same values.
struct ValueModel {
  Ktensor<double, HostExec> model;
  std::string size;              ///< "rank 3", "ranks 4 x 4 x 3"
  nlohmann::ordered_json facts;  ///< `rank`, or `core_dimensions`
};

/// Errors name the file; a tensor in its place gets `hint` with it.
[[nodiscard]] ValueModel read_value_model(const std::string& file, const std::string& hint);

/// The same of a CP model; Errors say of a Tucker model what takes its place.
[[nodiscard]] ValueModel read_cp_model(const std::string& file, const std::string& hint);

}  // namespace genten::cli
