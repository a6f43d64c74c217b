// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What hosts do to blocks of a factor's rows, as those see it who call it: functions that are
/// compiled for each instruction set (base/detail/simd_set.hpp), and the table of them.

#include <genten/base/detail/simd_set.hpp>
#include <genten/dense/detail/coordinate_descent.hpp>

#include <cstddef>

namespace genten::detail {

/// Rows that are transformed and summed while they are in the first cache; also the most that are
/// summed in the matrix's own scalar.
inline constexpr std::size_t rows_per_block = 64;

/// What is done to the rows of a block, and where what is found of them goes.
template <class Scalar>
struct BlockUpdate {
  std::size_t distance;  ///< elements from one row to the next
  std::size_t stride;    ///< elements of a row that are taken
  std::size_t rank;      ///< rows of the transforms
  const Scalar* first;   ///< rows become rows * first * second; null: neither
  const Scalar* second;  ///< null: not this one
  Scalar* workspace;     ///< for `blocks()` blocks
  double* gram;          ///< stride x stride, from the diagonal on: added to
  double* column_max;    ///< stride: see add_column_statistics
  double* dots;          ///< stride

  [[nodiscard]] std::size_t blocks() const {
    return (first != nullptr ? 1U : 0U) + (second != nullptr ? 1U : 0U) +
           (distance != stride ? 1U : 0U);
  }
};

/// The same for coordinate descent.
template <class Scalar>
struct BlockDescent {
  DescentSystem<Scalar> system;
  const Scalar *start, *scale;  ///< by column: what rows and right-hand sides are multiplied by
  Scalar* workspace;            ///< workspace_size(rank) elements, at the beginning of a cache line
  double *gram, *column_max, *dots;
  double* violation;      ///< one number, made larger
  double* absolute_sums;  ///< stride: added to where the system has an l1

  [[nodiscard]] static constexpr std::size_t workspace_size(std::size_t rank) {
    return 3 * 4 * line_width<Scalar> * rank;
  }
};

/// The functions that an instruction set has.
template <class Scalar>
struct DenseLoops {
  /// Updates `count` rows, at most rows_per_block.
  void (*update)(const BlockUpdate<Scalar>&, Scalar* rows, std::size_t count);
  /// Descends such rows for the right-hand sides `products`.
  void (*descend)(const BlockDescent<Scalar>&, Scalar* rows, const Scalar* products,
                  std::size_t count);
};

/// Those of the instruction set in use: see genten::instruction_set.
template <class Scalar>
[[nodiscard]] const DenseLoops<Scalar>& dense_loops();

}  // namespace genten::detail

#ifdef GENTEN_ETI
namespace genten::detail {
template <>
const DenseLoops<float>& dense_loops<float>();
template <>
const DenseLoops<double>& dense_loops<double>();
}  // namespace genten::detail
#else
#include <genten/dense/detail/dense_loops_impl.hpp>

template <class Scalar>
const genten::detail::DenseLoops<Scalar>& genten::detail::dense_loops() {
  return compiled_dense_loops<Scalar>();
}
#endif
