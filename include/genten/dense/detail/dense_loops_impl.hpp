// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What hosts do to blocks of a factor's rows, for the instruction set that a source is compiled
/// for.

#include <genten/base/detail/backend.hpp>
#include <genten/dense/detail/dense_loops.hpp>
#include <genten/dense/detail/row_block.hpp>

#include <cmath>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// Copies rows of `columns` elements, which are so many elements apart in either matrix.
template <class Scalar>
void copy_rows(const Scalar* from, std::size_t from_distance, std::size_t rows, std::size_t columns,
               Scalar* to, std::size_t to_distance) {
  if (from_distance == columns && to_distance == columns) {
    std::memcpy(to, from, rows * columns * sizeof(Scalar));
    return;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    std::memcpy(to + i * to_distance, from + i * from_distance, columns * sizeof(Scalar));
  }
}

template <class Scalar>
void update_block(const BlockUpdate<Scalar>& update, Scalar* rows, std::size_t count) {
  const std::size_t stride = update.stride, block = rows_per_block * stride;
  const bool apart = update.distance != stride;
  const Scalar* old_rows = rows;
  if (apart) {
    Scalar* const gathered = update.workspace + (update.blocks() - 1) * block;
    copy_rows(rows, update.distance, count, stride, gathered, stride);
    old_rows = gathered;
  }
  const Scalar* new_rows = old_rows;
  if (update.first != nullptr) {
    apply_columns(old_rows, count, stride, update.rank, update.first, update.workspace);
    new_rows = update.workspace;
  }
  if (update.second != nullptr) {
    apply_columns(new_rows, count, stride, update.rank, update.second, update.workspace + block);
    new_rows = update.workspace + block;
  }
  add_gram(new_rows, count, stride, update.gram);
  add_column_statistics(new_rows, update.first != nullptr ? old_rows : nullptr, count, stride,
                        update.column_max, update.dots);
  if (update.first != nullptr) copy_rows(new_rows, stride, count, stride, rows, update.distance);
}

/// A few rows side by side as the host descends them: four vectors of each column.
template <class Scalar>
struct RowsSideBySide {
  typedef Scalar Vector __attribute__((vector_size(vector_bytes)));
  using Element = std::conditional_t<shared_code_takes_vectors, Vector, Scalar>;
  static constexpr std::size_t rows = 4 * sizeof(Vector) / sizeof(Scalar);
  static constexpr int groups = static_cast<int>(rows * sizeof(Scalar) / sizeof(Element));
  static_assert(rows_per_block % rows == 0);

  Scalar *x, *work, *right;  ///< by columns

  /// Those in `right`, by column and group. No lambda, which device code would not call.
  struct RightHandSides {
    const Scalar* first;
    KOKKOS_FORCEINLINE_FUNCTION Element operator()(std::size_t r, int c) const {
      return load_lanes<Element>(first + r * rows +
                                 static_cast<std::size_t>(c) * (sizeof(Element) / sizeof(Scalar)));
    }
  };

  RowsSideBySide(Scalar* workspace, std::size_t rank)
      : x(workspace), work(x + rows * rank), right(work + rows * rank) {}
};

/// `count` rows and their right-hand sides. Returns the largest violation.
template <class Scalar>
double descend_rows(const BlockDescent<Scalar>& descent, Scalar* rows, const Scalar* products,
                    std::size_t count) {
  using Block = RowsSideBySide<Scalar>;
  using Element = typename Block::Element;
  constexpr std::size_t pitch = Block::rows;
  const std::size_t rank = descent.system.rank, stride = descent.system.stride;
  const Block block(descent.workspace, rank);
  for (std::size_t r = 0; r < rank; ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      block.x[r * pitch + i] = rows[i * stride + r] * descent.start[r];
      block.right[r * pitch + i] = products[i * stride + r] * descent.scale[r];
    }
    for (std::size_t i = count; i < pitch; ++i) {
      block.x[r * pitch + i] = block.right[r * pitch + i] = Scalar(0);
    }
  }
  constexpr std::size_t lanes = sizeof(Element) / sizeof(Scalar);
  Element violation[Block::groups];
  Descent<Element, Block::groups, Scalar>(descent.system, block.x, block.work, pitch)
      .run(typename Block::RightHandSides{block.right}, violation);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t r = 0; r < rank; ++r) rows[i * stride + r] = block.x[r * pitch + i];
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = larger(largest, static_cast<double>(lane(violation[i / lanes], i % lanes)));
  }
  return largest;
}

template <class Scalar>
void descend_block(const BlockDescent<Scalar>& descent, Scalar* rows, const Scalar* products,
                   std::size_t count) {
  const std::size_t stride = descent.system.stride;
  constexpr std::size_t together = RowsSideBySide<Scalar>::rows;
  for (std::size_t k = 0; k < count; k += together) {
    const double violation = descend_rows(descent, rows + k * stride, products + k * stride,
                                          together < count - k ? together : count - k);
    *descent.violation = larger(*descent.violation, violation);
  }
  add_gram(rows, count, stride, descent.gram);
  add_column_statistics(rows, products, count, stride, descent.column_max, descent.dots);
  if (descent.system.l1 > Scalar(0)) {
    for (std::size_t k = 0; k < count; ++k) {
      for (std::size_t r = 0; r < stride; ++r) {  // padding is zero
        descent.absolute_sums[r] += std::abs(static_cast<double>(rows[k * stride + r]));
      }
    }
  }
}

template <class Scalar>
const DenseLoops<Scalar>& compiled_dense_loops() {
  static constexpr DenseLoops<Scalar> loops{update_block<Scalar>, descend_block<Scalar>};
  return loops;
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
