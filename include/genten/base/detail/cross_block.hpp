// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// A^T B of a few rows of two matrices, compiled for each instruction set. Host code only.

#include <cstddef>

namespace genten::detail {

/// The same rows of both; a matrix's rows are `distance` elements apart.
template <class Scalar>
struct CrossBlock {
  const Scalar* left;
  std::size_t left_columns, left_distance;
  const Scalar* right;
  std::size_t right_columns, right_distance;
  std::size_t rows;
  double* sums;  ///< left_columns x right_columns

  /// Rows that stay in the first cache while columns pass over each other.
  static constexpr std::size_t usual_rows = 64;
};

/// sums += left^T right, in double.
void add_cross_block(const CrossBlock<float>& block);
void add_cross_block(const CrossBlock<double>& block);

}  // namespace genten::detail
