// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What a traversal over the systems of rows is given: pointers, as kernels see them.

#include <genten/mttkrp/detail/row_equations/descend_row.hpp>
#include <genten/mttkrp/detail/row_equations/mode_entries.hpp>

namespace genten::detail {

/// Row i solves (base + sign * sum of k k^T + ridge I) x = right, k being the product of the other
/// modes' factor rows at an entry of the row.
template <RealScalar Scalar>
struct RowTerms {
  double ridge = 0.0;
  double sign = 1.0;
  const double* base = nullptr;  ///< rank x rank; null: zero
  const Scalar* right =
      nullptr;  ///< by row, of the output's stride; null: the sum of value times k
  /// What is left of the base is known to this part of its diagonal.
  double base_error = 0.0;
  /// Rows descend by coordinates, from those of `start`, which has the output's stride.
  bool descends = false;
  ElementRule rule = {};
  const Scalar* start = nullptr;

  /// What element k of the base's diagonal leaves unknown when sums are taken away from it: pivots
  /// no larger, and eigenvalues, are nothing but rounding.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION double unknown(std::size_t k, std::size_t rank) const {
    return base == nullptr ? 0.0 : base_error * base[k * (rank + 1)];
  }
};

/// The systems of the rows of one mode, and where what comes of them goes.
template <RealScalar Scalar>
struct RowWork {
  const RowNumber* rows;
  const offset_t* begins;
  const RowTask* tasks;
  const CutRow* cut_rows;
  RowTerms<Scalar> terms;
  Scalar* output;
  std::size_t stride;  ///< of all matrices
  std::size_t rank;
  double* pieces;  ///< sums of pieces: each a matrix and a right-hand side
  /// By place of a row: 1 where its system is not safely positive definite, and the output not
  /// written.
  int* unsafe;
  /// By row, where rows descend: how far each was from where it should be; below 0: not yet known.
  double* violations = nullptr;
};

}  // namespace genten::detail
