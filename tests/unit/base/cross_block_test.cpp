// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

// Products of a few rows of two matrices, beside those of single elements.
#include <genten/base/detail/cross_block.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

/// Whole numbers, whose products and sums are exact.
template <class Scalar>
std::vector<Scalar> whole_numbers(std::size_t count, int step) {
  std::vector<Scalar> numbers(count);
  for (std::size_t k = 0; k < count; ++k) {
    numbers[k] = static_cast<Scalar>(static_cast<int>(k) * step % 41 - 20);
  }
  return numbers;
}

template <class Scalar>
void expect_products(std::size_t rows, std::size_t left_columns, std::size_t right_columns) {
  const std::size_t left_distance = left_columns + 3, right_distance = right_columns + 1;
  const auto left = whole_numbers<Scalar>(rows * left_distance, 7);
  const auto right = whole_numbers<Scalar>(rows * right_distance, 11);
  std::vector<double> sums = whole_numbers<double>(left_columns * right_columns + 1, 3);
  std::vector<double> expected = sums;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t r = 0; r < left_columns; ++r) {
      for (std::size_t s = 0; s < right_columns; ++s) {
        expected[r * right_columns + s] += static_cast<double>(left[i * left_distance + r]) *
                                           static_cast<double>(right[i * right_distance + s]);
      }
    }
  }
  genten::detail::add_cross_block(
      genten::detail::CrossBlock<Scalar>{left.data(), left_columns, left_distance, right.data(),
                                         right_columns, right_distance, rows, sums.data()});
  EXPECT_EQ(sums, expected) << rows << " rows of " << left_columns << " and " << right_columns;
}

TEST(CrossBlock, AddsTheProductsOfAnyShape) {
  for (const std::size_t rows : {0U, 1U, 5U, 64U}) {
    for (std::size_t columns = 1; columns <= 19; ++columns) {
      expect_products<double>(rows, columns, columns);
      expect_products<double>(rows, 9, columns);
      expect_products<float>(rows, columns, columns);
      expect_products<float>(rows, 9, columns);
    }
  }
}

// Products of floats are summed in double.
TEST(CrossBlock, LosesNoDigitsOfFloats) {
  const std::vector<float> left{16777216.0F, 1.0F, -16777216.0F}, right{1.0F, 1.0F, 1.0F};
  double sum = 0.25;
  genten::detail::add_cross_block(
      genten::detail::CrossBlock<float>{left.data(), 1, 1, right.data(), 1, 1, 3, &sum});
  EXPECT_EQ(sum, 1.25);
}

}  // namespace
