// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// padded_stride: how far rows of a matrix are apart.

#include <bit>
#include <cstddef>

namespace genten {

/// Rows of at most so many whole cache lines may end in a part of one.
inline constexpr std::size_t most_lines_before_part = 3;

/// Row stride, in elements, that Genten allocates for rows of `columns` elements of
/// `element_size` bytes. Short rows take a power of two of bytes and longer ones whole 64-byte
/// cache lines, those of less than four lines whole lines and perhaps a quarter or a half: so a row
/// never straddles more lines than it must, and vector code may run over its padding.
[[nodiscard]] constexpr std::size_t padded_stride(std::size_t columns, std::size_t element_size) {
  constexpr std::size_t line = 64;
  const std::size_t bytes = columns * element_size;
  if (bytes <= line) return std::bit_ceil(bytes) / element_size;
  const std::size_t whole = bytes / line * line, rest = bytes - whole;
  const bool may_end_in_part = rest <= line / 2 && whole <= most_lines_before_part * line;
  const std::size_t unit = !may_end_in_part ? line : rest <= line / 4 ? line / 4 : line / 2;
  return (bytes + unit - 1) / unit * unit / element_size;
}

}  // namespace genten
