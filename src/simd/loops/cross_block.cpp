// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <genten/base/detail/cross_block.hpp>
#include <genten/base/detail/simd.hpp>

namespace genten::detail {
inline namespace GENTEN_SIMD_SET {

/// `Rows` rows and `Width` columns of the sums, which stay in registers.
template <int Rows, int Width, class Scalar>
[[gnu::always_inline]] inline void add_cross_tile(const CrossBlock<Scalar>& block, std::size_t row,
                                                  std::size_t column) {
  using Columns = SimdVector<double, Width>;
  Columns sums[Rows];
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r) sums[r] = Columns::zero();
  const Scalar* left = block.left + row;
  const Scalar* right = block.right + column;
  for (std::size_t i = 0; i < block.rows; ++i) {
    const auto columns = SimdVector<Scalar, Width>::load(right).template convert<double>();
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r) sums[r] += static_cast<double>(left[r]) * columns;
    left += block.left_distance;
    right += block.right_distance;
  }
  double* to = block.sums + row * block.right_columns + column;
#pragma GCC unroll 8
  for (int r = 0; r < Rows; ++r, to += block.right_columns) (Columns::load(to) + sums[r]).store(to);
}

/// From a column on, the last ones by halves of `Width`.
template <int Rows, int Width, class Scalar>
void add_cross_rows(const CrossBlock<Scalar>& block, std::size_t row, std::size_t column) {
  for (; column + Width <= block.right_columns; column += Width) {
    add_cross_tile<Rows, Width>(block, row, column);
  }
  if constexpr (Width > 1) add_cross_rows<Rows, Width / 2>(block, row, column);
}

template <int Rows, class Scalar>
void add_cross_rows(const CrossBlock<Scalar>& block, std::size_t row) {
  constexpr int width = vector_bytes / static_cast<int>(sizeof(double));
  for (; row + Rows <= block.left_columns; row += Rows) {
    add_cross_rows<Rows, width>(block, row, 0);
  }
  if constexpr (Rows > 1) add_cross_rows<Rows / 2>(block, row);
}

void cross_block_loop(const CrossBlock<float>& block) {
  add_cross_rows<8>(block, 0);
}
void cross_block_loop(const CrossBlock<double>& block) {
  add_cross_rows<8>(block, 0);
}

}  // namespace GENTEN_SIMD_SET
}  // namespace genten::detail
