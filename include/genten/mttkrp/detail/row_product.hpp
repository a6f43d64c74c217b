// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the kernels that read plain coordinates share: the product of factor rows of one nonzero,
/// in compile-time blocks of columns, and the bytes that they move.

#include <genten/base/detail/column_blocks.hpp>
#include <genten/mttkrp/problem.hpp>

namespace genten::detail {

/// Bytes of a sweep that reads the nonzeros once a mode: their coordinates and values, a gathered
/// row of each other mode, and the addition to a row, which costs as much as moving `rows_per_sum`
/// rows.
[[nodiscard]] inline double coordinate_sweep_bytes(const MttkrpProblem& problem,
                                                   double rows_per_sum) {
  const double order = problem.order();
  const double coordinates = order * static_cast<double>(problem.ordinal_bytes) +
                             static_cast<double>(problem.scalar_bytes);
  return static_cast<double>(problem.nnz) * order *
         (coordinates + problem.row_bytes() * (order - 1.0 + rows_per_sum));
}

/// product[j] = value * elementwise product over the modes but `mode` of row subscripts(p, m),
/// columns [first, first + Block).
template <int Block, class Scalar, class Subscripts>
KOKKOS_FORCEINLINE_FUNCTION void row_product(const FactorSet<Scalar>& factors,
                                             const Subscripts& subscripts, offset_t p, int mode,
                                             std::size_t first, Scalar value,
                                             Scalar (&product)[Block]) {
  for (int j = 0; j < Block; ++j) product[j] = value;
  for (int m = 0; m < factors.order; ++m) {
    if (m == mode) continue;
    const Scalar* const row =
        factors.data[m] + static_cast<std::size_t>(subscripts(p, m)) * factors.stride[m] + first;
    for (int j = 0; j < Block; ++j) product[j] *= row[j];
  }
}

}  // namespace genten::detail
