// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where and with what a result was made.

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace genten::tools {

/// Versions, compiler and flags, machine and its load, backend, the device that is used (null for
/// none), the host's threads and the settings of OpenMP, date. A KokkosSession must live.
nlohmann::ordered_json describe_environment();

/// "OpenMP, 2 threads", "Cuda on NVIDIA H200 (139.8 GiB, driver for CUDA 13.0), 16 host threads". A
/// KokkosSession must live.
std::string describe_backend();

/// Largest resident memory of this process so far, in bytes.
double peak_memory();

}  // namespace genten::tools
