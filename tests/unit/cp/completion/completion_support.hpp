// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// What the tests of tensor completion share.

#include <genten/cp/cp_completion.hpp>

#include "plain.hpp"
#include "reference.hpp"
#include "test_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace genten_test::completion {

/// Small tensors from a model, with some of their entries.
struct PartOfModel {
  std::vector<std::size_t> dimensions{7, 8, 9};
  std::size_t rank = 2;
  double part = 0.5;
  double noise = 0.0;
  unsigned seed = 1;
};

/// Entries of which a hash keeps some, with the values of a random model and noise.
inline PlainTensor part_of_model(const PartOfModel& recipe) {
  const PlainModel model = random_model(recipe.dimensions, recipe.rank, recipe.seed);
  PlainTensor tensor{recipe.dimensions, {}, {}};
  std::mt19937_64 random(recipe.seed);
  for_each_element(tensor.dimensions, [&](const std::vector<std::size_t>& at) {
    const double draw = static_cast<double>(random() % 1024) / 1024.0;
    const double noise = static_cast<double>(random() % 1024) / 512.0 - 1.0;
    if (draw >= recipe.part) return;
    tensor.subscripts.push_back(at);
    tensor.values.push_back(entry_reference(model, at) + recipe.noise * noise);
  });
  return tensor;
}

/// The same entries in another order.
inline PlainTensor shuffled(const PlainTensor& tensor, unsigned seed) {
  std::vector<std::size_t> order(tensor.nnz());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(seed));
  PlainTensor result{tensor.dimensions, {}, {}};
  for (const std::size_t p : order) {
    result.subscripts.push_back(tensor.subscripts[p]);
    result.values.push_back(tensor.values[p]);
  }
  return result;
}

/// The sum of (x - m)^2 over the entries of a tensor.
inline double squared_error(const PlainTensor& tensor, const PlainModel& model) {
  double sum = 0.0;
  for (std::size_t p = 0; p < tensor.nnz(); ++p) {
    const double error = tensor.values[p] - entry_reference(model, tensor.subscripts[p]);
    sum += error * error;
  }
  return sum;
}

inline void expect_relative(double found, double expected, double tolerance) {
  EXPECT_NEAR(found, expected, tolerance * std::abs(expected));
}

template <class Combination>
class CompletionTest : public testing::Test {
 protected:
  using Exec = typename Combination::Exec;
  using Scalar = typename Combination::Scalar;
  using Tensor = genten::Sptensor<Scalar, std::uint32_t, Exec>;
  static constexpr bool is_double = sizeof(Scalar) == 8;

  Exec exec;

  static Tensor make(const PlainTensor& tensor) {
    return genten_test::to_sptensor<Scalar, std::uint32_t, Exec>(tensor);
  }
};

}  // namespace genten_test::completion
