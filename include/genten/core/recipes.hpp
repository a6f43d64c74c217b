// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Recipes for random sparse tensors, and the named shapes that Genten is measured on.

#include <genten/base/enum_words.hpp>
#include <genten/base/error.hpp>
#include <genten/base/option_field.hpp>
#include <genten/base/types.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace genten {

/// Values of a random sparse tensor.
enum class ValueKind {
  ones,     ///< 1
  counts,   ///< how often the subscripts were drawn, as in a table of counted events
  uniform,  ///< uniform in (0, 1]
  normal    ///< standard normal
};

constexpr auto enum_words(ValueKind) {
  return std::array{EnumWord("uniform", ValueKind::uniform, "in (0, 1]"),
                    EnumWord("normal", ValueKind::normal, "standard normal"),
                    EnumWord("ones", ValueKind::ones, "1"),
                    EnumWord("counts", ValueKind::counts, "how often the subscripts were drawn")};
}

/// What a random sparse tensor looks like: see `generate_sparse`.
struct TensorRecipe {
  std::string name;
  std::vector<std::size_t> dimensions;
  /// How many distinct nonzeros are asked for.
  offset_t nonzeros = 0;
  /// One a mode, or none for all 0: the item of rank k (from 0) of a mode is drawn with probability
  /// proportional to (k + 1)^-exponent. 0 is uniform.
  std::vector<double> exponents = {};
  /// The draws come from this many clusters, equally likely. Within cluster c the order of
  /// popularity of each mode is shifted around by c / clusters of its length, so every cluster has
  /// favourites of its own in all modes at once. 1: all draws share one order.
  int clusters = 1;
  ValueKind values = ValueKind::ones;
  /// One a mode, or none for all 1: so many draws in a row share the item of a mode, as the words
  /// of a mail share its sender and its day. One mode at least has runs of 1. A run of the longest
  /// is of one cluster.
  std::vector<std::size_t> runs = {};

  static constexpr auto fields() {
    return member_table(
        option_field("dimensions", &TensorRecipe::dimensions, "lengths of the modes", 1),
        option_field("nnz", &TensorRecipe::nonzeros, "distinct nonzeros", 0),
        option_field("powers", &TensorRecipe::exponents,
                     "popularity of the kth item of each mode is k^-power; 0, as if not given: "
                     "uniform",
                     0),
        option_field("clusters", &TensorRecipe::clusters,
                     "groups that each have favourites of their own", 1, 1e6),
        option_field("runs", &TensorRecipe::runs,
                     "so many draws in a row share the item of each mode, as the words of a mail "
                     "share its sender; 1: no sharing",
                     1),
        option_field("values", &TensorRecipe::values,
                     "values of the nonzeros, where they come from no model"));
  }
};

namespace detail {

inline const std::vector<TensorRecipe>& recipe_table() {
  using enum ValueKind;
  static const std::vector<TensorRecipe> table = {
      {"uber", {183, 24, 1140, 1717}, 3'300'000, {.2, .4, .9, .9}, 4, counts},
      {"nell2", {12092, 9184, 28818}, 8'000'000, {.85, .95, .9}, 4, counts},
      {"enron", {6066, 5699, 244268, 1176}, 5'000'000, {1.1, 1.1, .95, .5}, 4, counts},
      {"vast", {165427, 11374, 2, 100, 89}, 5'000'000, {.3, .6, .5, .7, .7}, 4, ones},
      {"lbnl", {1605, 4198, 1631, 4209, 868131}, 1'700'000, {1.1, 1, 1.1, 1, .4}, 4, counts},
      {"uniform", {30000, 40000, 50000}, 10'000'000, {0, 0, 0}, 1, ones},
      {"delicious", {532924, 17262471, 2480308, 1443}, 8'000'000, {.9, .75, .95, .3}, 4, ones},
      {"uber-gpu", {183, 24, 1140, 1717}, 3'300'000, {.1, .3, .8, .8}, 1, counts},
      {"nell2-gpu", {12092, 9184, 28818}, 20'000'000, {.8, .8, .8}, 1, counts},
      {"enron-gpu", {6066, 5699, 244268, 1176}, 20'000'000, {.8, .8, .9, .3}, 1, counts},
      {"vast-gpu", {165427, 11374, 2, 100, 89}, 10'000'000, {.3, .5, 0, .2, .2}, 1, ones},
      {"delicious-gpu", {532924, 17262471, 2480308, 1443}, 30'000'000, {.8, .8, .9, .3}, 1, ones},
      // Sender, receiver, word, day; user, item, day; subject, relation, object.
      {.name = "mails",
       .dimensions = {6066, 5699, 244268, 1176},
       .nonzeros = 5'000'000,
       .exponents = {1.1, 1.1, .95, .5},
       .values = counts,
       .runs = {44, 44, 1, 44}},
      {.name = "baskets",
       .dimensions = {200000, 50000, 700},
       .nonzeros = 6'000'000,
       .exponents = {.5, .9, .2},
       .values = counts,
       .runs = {10, 1, 10}},
      {.name = "triples",
       .dimensions = {120000, 500, 300000},
       .nonzeros = 4'000'000,
       .exponents = {.7, .8, .8},
       .runs = {150, 150, 1}},
  };
  return table;
}

}  // namespace detail

/// The shapes of well-known public tensors (dimensions, numbers of nonzeros, about their power
/// laws), one uniform tensor, and three whose subscripts depend on each other: the words of mails,
/// the items of baskets, the objects that a subject has by one relation. Names that end in -gpu
/// have the larger numbers of nonzeros that accelerators are measured with.
[[nodiscard]] inline std::span<const TensorRecipe> named_recipes() {
  return detail::recipe_table();
}

/// The recipe of that name. Throws Error listing the names when there is none.
[[nodiscard]] inline const TensorRecipe& named_recipe(std::string_view name) {
  const auto all = named_recipes();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [name](const auto& recipe) { return recipe.name == name; });
  if (found != all.end()) return *found;
  std::string names;
  for (const auto& recipe : all) names += (names.empty() ? "" : ", ") + recipe.name;
  throw Error::in("named_recipe", "expected one of " + names + "; got '" + std::string(name) + "'");
}

/// The recipe made smaller (or larger): `factor` times the nonzeros, and dimensions shrunk by
/// factor^(1/N) each, so that the density stays. No mode shrinks below 2 (nor grows from 1).
/// Throws Error unless 0 < factor and the result can be met.
[[nodiscard]] inline TensorRecipe scaled(const TensorRecipe& recipe, double factor) {
  if (!(factor > 0.0) || !std::isfinite(factor)) {
    throw Error::in("scaled", "expected a positive factor, got " + std::to_string(factor));
  }
  if (factor == 1.0) return recipe;
  TensorRecipe result = recipe;
  const double shrink = std::pow(factor, 1.0 / static_cast<double>(recipe.dimensions.size()));
  double elements = 1.0;
  for (auto& dimension : result.dimensions) {
    const double length = std::round(static_cast<double>(dimension) * shrink);
    dimension = std::max(std::min<std::size_t>(dimension, 2), static_cast<std::size_t>(length));
    elements *= static_cast<double>(dimension);
  }
  const double nonzeros = std::round(static_cast<double>(recipe.nonzeros) * factor);
  result.nonzeros = static_cast<offset_t>(std::clamp(nonzeros, 1.0, elements));
  return result;
}

}  // namespace genten
