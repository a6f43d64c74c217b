// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Small tensors and CP models by formula, for which answers are known.

#include "plain.hpp"

namespace genten_test {

/// The nonzeros among the values of a function of the subscripts.
template <class Value>
[[nodiscard]] PlainTensor tensor_of(const std::vector<std::size_t>& dimensions,
                                    const Value& value) {
  PlainTensor tensor{dimensions, {}, {}};
  for (int i = 0; i < static_cast<int>(dimensions[0]); ++i) {
    for (int j = 0; j < static_cast<int>(dimensions[1]); ++j) {
      for (int k = 0; k < static_cast<int>(dimensions[2]); ++k) {
        const double x = value(i, j, k);
        if (x == 0.0) continue;
        tensor.subscripts.push_back({static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                                     static_cast<std::size_t>(k)});
        tensor.values.push_back(x);
      }
    }
  }
  return tensor;
}

/// 75 counts in 8 x 7 x 6, sum 366, squares 2266.
[[nodiscard]] inline PlainTensor cnt_tensor() {
  return tensor_of({8, 7, 6}, [](int i, int j, int k) {
    const int h = (17 * i + 29 * j + 43 * k + i * j * k) % 23;
    return h < 6 && (i % 3 == k % 3 || j % 2 == 0) ? 1.0 + (h * h + i + 2 * k) % 9 : 0.0;
  });
}

/// 115 ones in 9 x 8 x 7.
[[nodiscard]] inline PlainTensor bin2_tensor() {
  return tensor_of({9, 8, 7}, [](int i, int j, int k) {
    const bool pattern = i / 3 == j % 3 && (i + 2 * j + 3 * k + i * k) % 5 < 3;
    return pattern || (7 * i + 5 * j + 3 * k) % 29 == 0 ? 1.0 : 0.0;
  });
}

/// Positive numbers everywhere in 6 x 5 x 4, sum 558.75.
[[nodiscard]] inline PlainTensor pos_tensor() {
  return tensor_of({6, 5, 4}, [](int i, int j, int k) {
    return (1.0 + i) * (1.0 + j % 3) / (1.0 + k) + (5 * i + 7 * j + 11 * k + i * j * k) % 10 / 4.0 +
           0.25;
  });
}

/// Weights one; elements .1 to 1.1, or (`both_signs`) -5/8 to 5/8.
[[nodiscard]] inline PlainModel formula_model(const std::vector<std::size_t>& dimensions,
                                              std::size_t rank, bool both_signs) {
  PlainModel model{std::vector<double>(rank, 1.0), {}};
  for (std::size_t n = 0; n < dimensions.size(); ++n) {
    PlainMatrix factor(dimensions[n], rank);
    for (std::size_t i = 0; i < dimensions[n]; ++i) {
      for (std::size_t r = 0; r < rank; ++r) {
        const auto h = static_cast<double>((3 * i + 5 * r + 7 * n + i * r) % 11);
        factor(i, r) = both_signs ? (h - 5.0) / 8.0 : 0.1 + h / 10.0;
      }
    }
    model.factors.push_back(factor);
  }
  return model;
}

}  // namespace genten_test
