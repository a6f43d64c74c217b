// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where and with what a result was made.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace genten::tools {

/// Versions, compiler and flags, machine and its load, backend, the host's threads and the settings
/// of OpenMP, date. Kokkos must be initialized.
nlohmann::ordered_json describe_environment();

/// "OpenMP, 2 threads", "Cuda, 16 host threads". Kokkos must be initialized.
std::string describe_backend();

/// Largest resident memory of this process so far, in bytes.
double peak_memory();

}  // namespace genten::tools
