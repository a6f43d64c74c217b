// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Work that is too small for several threads. How many there are is said when Kokkos starts,
/// before anything is read.

#include <cstddef>
#include <string>
#include <vector>

namespace genten::tools {

/// Whether one thread is the fastest for the nonzeros of a file times `columns` numbers each, as
/// often as a run passes over them. False for what is no file of a known length.
[[nodiscard]] bool is_small_work(const std::string& file, std::size_t columns);

/// Arguments for Kokkos that ask for one thread, unless these or the environment say how many.
[[nodiscard]] std::vector<std::string> on_one_thread(std::vector<std::string> arguments);

}  // namespace genten::tools
