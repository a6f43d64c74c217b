// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where and with what a result was made.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace genten::cli {

/// Versions, compiler and flags, machine, backend and its threads. Kokkos must be initialized.
nlohmann::ordered_json describe_environment();

/// "OpenMP, 2 threads"
std::string describe_backend();

}  // namespace genten::cli
