// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Compile-time blocks of columns for numbers of columns known at run time.

#include <genten/base/detail/backend.hpp>

#include <cstddef>

namespace genten::detail {

/// Columns that one thread of the coordinate kernels keeps in registers at once.
inline constexpr int widest_column_block = 16;

/// Calls body.template operator()<Block>(first_column) for blocks that cover [0, columns): as many
/// of `Block` columns as fit, then the rest in halves.
GENTEN_CALLS_ARGUMENT
template <int Block = widest_column_block, class Body>
KOKKOS_INLINE_FUNCTION void for_column_blocks(std::size_t columns, const Body& body,
                                              std::size_t first = 0) {
  for (; first + Block <= columns; first += Block) body.template operator()<Block>(first);
  if constexpr (Block > 1) {
    if (first < columns) for_column_blocks<Block / 2>(columns, body, first);
  }
}

}  // namespace genten::detail
