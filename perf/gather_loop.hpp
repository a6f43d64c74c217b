// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The loop that gathers rows as fast as a host can, by the instruction set in use.

#include <cstddef>
#include <cstdint>

namespace genten::perf {

/// The sum of all elements of rows index[begin] to index[end - 1] of a table, perhaps asking for
/// rows `look_ahead` places before.
using GatherLoop = double (*)(const double* table, const std::uint32_t* index,
                              std::size_t look_ahead, std::size_t begin, std::size_t end);

/// That for rows of `columns` doubles: 4, 8, 16, 32, 64 or 128.
[[nodiscard]] GatherLoop gather_loop(int columns, bool prefetch);

}  // namespace genten::perf
