// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The loops of the sorted kernel for the instruction set that a source is compiled for.

#include <genten/mttkrp/kernels/sorted/traversal_loop_impl.hpp>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// `Width` columns at a time, the rest by halves.
template <int Width, class Scalar>
void multiply_rows(const Scalar* const* rows, int count, std::size_t columns, std::size_t first,
                   Scalar* to) {
  for (; first + Width <= columns; first += Width) {
    auto product = SimdVector<Scalar, Width>::load(rows[0] + first);
    for (int k = 1; k < count; ++k) product *= SimdVector<Scalar, Width>::load(rows[k] + first);
    product.store(to + first);
  }
  if constexpr (Width > 1) {
    if (first < columns) multiply_rows<Width / 2>(rows, count, columns, first, to);
  }
}

template <class Scalar>
const SortedLoops<Scalar>& compiled_sorted_loops() {
  static constexpr SortedLoops<Scalar> loops{
      lines_at_once, lines_of_runs, choose_chunk_loop<Scalar>,
      [](std::size_t stride, int factors, const RecordLayout& layout, bool runs) {
        return TraversalChoice<Scalar>(stride, factors, layout, runs).loop();
      },
      [](const Scalar* const* rows, int count, std::size_t columns, Scalar* to) {
        multiply_rows<line_width<Scalar>>(rows, count, columns, 0, to);
      }};
  return loops;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
