// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors in whose swamps plain ALS takes hundreds of sweeps.

#include "../cp_als_support.hpp"

namespace genten_test::cp {

using genten::Acceleration;

/// A model in which columns of a factor have cosines of about `cosine` with each other, and noise
/// of that part of its norm in all entries.
inline PlainTensor collinear_tensor(const std::vector<std::size_t>& dimensions, std::size_t rank,
                                    double cosine, double noise, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  PlainModel model = random_model(dimensions, rank, seed);
  for (double& weight : model.weights) weight = 1.0;
  const double common = std::sqrt(cosine / (1.0 - cosine));
  for (auto& factor : model.factors) {
    for (std::size_t i = 0; i < factor.rows; ++i) {
      const double shared = common * normal(random);
      for (std::size_t r = 0; r < rank; ++r) factor(i, r) = shared + normal(random);
    }
  }
  PlainTensor tensor = entries_of(model);
  double square = 0.0;
  for (const double value : tensor.values) square += value * value;
  const double size = noise * std::sqrt(square / static_cast<double>(tensor.values.size()));
  for (double& value : tensor.values) value += size * normal(random);
  return tensor;
}

/// The number of the first iteration with such a fit; one more than there are if there is none.
template <class Result>
std::size_t iterations_to(const Result& result, double fit) {
  std::size_t k = 0;
  while (k < result.history.size() && result.history[k].fit < fit) ++k;
  return k + 1;
}

}  // namespace genten_test::cp
