// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of small dense matrices share.

#include <genten/dense/spd_inverse.hpp>

#include <cstddef>
#include <random>
#include <vector>

namespace genten_test {

/// B^T B of a random m x n matrix B, of rank min(m, n).
inline genten::SmallMatrix random_gram(std::size_t m, std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<double> b(m * n);
  for (double& x : b) x = normal(random);
  genten::SmallMatrix gram(n);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) gram(i, j) += b[k * n + i] * b[k * n + j];
    }
  }
  return gram;
}

}  // namespace genten_test
