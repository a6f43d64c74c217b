// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Tensors in which some sets of modes have few tuples, and which of them were fused.

#include <genten/mttkrp/kernels/sorted/choice.hpp>

#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace genten_test {

using Sets = std::vector<std::vector<int>>;

/// What a tensor looks like in which the subscripts of some sets of modes are one of few tuples.
struct PairRecipe {
  std::vector<std::size_t> dimensions;
  Sets sets;
  std::size_t tuples = 400;  ///< of each set
  std::size_t nonzeros = 40'000;
  double distinct_values = 2000.0;
  std::vector<int> updates = {};
};

inline PlainTensor make_tensor(const PairRecipe& recipe) {
  PlainTensor tensor{recipe.dimensions, {}, {}};
  std::mt19937_64 random(7);
  // Low subscripts are busier.
  const auto draw = [&](std::size_t mode) {
    const std::size_t length = recipe.dimensions[mode];
    return std::min(random() % length, random() % length);
  };
  std::vector<std::vector<std::vector<std::size_t>>> tuples(recipe.sets.size());
  for (std::size_t s = 0; s < recipe.sets.size(); ++s) {
    for (std::size_t t = 0; t < recipe.tuples; ++t) {
      auto& tuple = tuples[s].emplace_back();
      for (const int mode : recipe.sets[s]) tuple.push_back(draw(static_cast<std::size_t>(mode)));
    }
  }
  for (std::size_t p = 0; p < recipe.nonzeros; ++p) {
    auto& subscripts = tensor.subscripts.emplace_back();
    for (std::size_t n = 0; n < recipe.dimensions.size(); ++n) subscripts.push_back(draw(n));
    for (std::size_t s = 0; s < recipe.sets.size(); ++s) {
      const auto& tuple = tuples[s][random() % recipe.tuples];
      for (std::size_t k = 0; k < tuple.size(); ++k) {
        subscripts[static_cast<std::size_t>(recipe.sets[s][k])] = tuple[k];
      }
    }
    const double value = static_cast<double>(random() >> 11) * 0x1p-53;
    tensor.values.push_back(std::ceil(value * recipe.distinct_values) / recipe.distinct_values);
  }
  return tensor;
}

/// The sets of modes that are fused by sorting, in order.
inline Sets fused_sets(const genten::kernels::SortedChoice& choice) {
  Sets sets;
  for (const auto& group : choice.groups) {
    if (!group.sorted) continue;
    sets.push_back(group.modes);
    std::sort(sets.back().begin(), sets.back().end());
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

inline const std::vector<PairRecipe>& pair_recipes() {
  static const std::vector<PairRecipe> recipes = {
      {.dimensions = {900, 500, 1200, 400}, .sets = {{0, 1}, {2, 3}}},
      // The last mode and the first.
      {.dimensions = {900, 500, 1200, 400}, .sets = {{0, 3}, {1, 2}}},
      {.dimensions = {900, 1500, 1200, 1400}, .sets = {{1, 2}}, .tuples = 200},
      {.dimensions = {900, 500, 1200, 400}, .sets = {{0, 2}, {1, 3}}, .updates = {0, 2, 3, 1}},
      {.dimensions = {900, 500, 1200, 400, 700}, .sets = {{0, 1}, {2, 3, 4}}},
      {.dimensions = {900, 500, 1200, 400, 700}, .sets = {{1, 2}, {3, 4}}},
      {.dimensions = {900, 500, 1200, 400, 700, 800}, .sets = {{0, 1}, {2, 3}, {4, 5}}},
      // Two words for subscripts until they are numbered, and values without codes.
      {.dimensions = {1 << 19, 1 << 18, 1 << 19, 1 << 18}, .sets = {{0, 1}, {2, 3}}},
      {.dimensions = {900, 500, 1200, 400}, .sets = {{0, 1}, {2, 3}}, .distinct_values = 0x1p53}};
  return recipes;
}

}  // namespace genten_test
