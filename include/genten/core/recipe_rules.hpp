// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Which options of a random tensor go together, for programs that take them by their names.

#include <array>
#include <string_view>

namespace genten {

/// What holds where an option is given: one of others is given as well, or none is.
struct RecipeRule {
  enum class Kind { needs_one, excludes };

  std::string_view option;
  Kind kind;
  std::array<std::string_view, 7> others;  ///< the first ones that are not empty
  std::string_view why;                    ///< ends a message

  [[nodiscard]] constexpr bool has_one_other() const { return others[1].empty(); }

  template <class Use>
  constexpr void for_each_other(const Use& use) const {
    for (const std::string_view other : others) {
      if (!other.empty()) use(other);
    }
  }
};

/// `shape` is a shape by name, `dimensions` are lengths of modes. `rank`, `support`, `noise` and
/// `factors` are of the model that values are taken from, `scale` makes more nonzeros or fewer, and
/// the rest are the fields of `TensorRecipe`.
inline constexpr std::array recipe_rules = {
    RecipeRule{"support", RecipeRule::Kind::needs_one, {"rank"}, "it is of a model"},
    RecipeRule{
        "noise", RecipeRule::Kind::needs_one, {"rank"}, "it is added to the values of a model"},
    RecipeRule{"factors", RecipeRule::Kind::needs_one, {"rank"}, "they are those of a model"},
    RecipeRule{"rank", RecipeRule::Kind::excludes, {"values"}, "the model has the values"},
    RecipeRule{"support",
               RecipeRule::Kind::excludes,
               {"shape", "nnz", "powers", "clusters", "runs", "factors", "scale"},
               "the model alone says where nonzeros are"},
    RecipeRule{"shape",
               RecipeRule::Kind::excludes,
               {"dimensions", "nnz", "powers", "clusters", "runs", "values"},
               "the shape by name says it, and a scale makes more nonzeros or fewer"},
    RecipeRule{"dimensions",
               RecipeRule::Kind::needs_one,
               {"nnz", "support"},
               "lengths of modes alone do not say how many nonzeros there are"}};

/// A rule that options break; null where they go together.
struct BrokenRecipeRule {
  const RecipeRule* rule = nullptr;
  std::string_view other = {};  ///< the other option of it that is given
};
/// The first rule that options break of which `is_given(name)`.
template <class IsGiven>
[[nodiscard]] BrokenRecipeRule broken_recipe_rule(const IsGiven& is_given) {
  for (const RecipeRule& rule : recipe_rules) {
    if (!is_given(rule.option)) continue;
    std::string_view found;
    rule.for_each_other([&](std::string_view other) {
      if (found.empty() && is_given(other)) found = other;
    });
    const bool needs = rule.kind == RecipeRule::Kind::needs_one;
    if (found.empty() == needs) return {&rule, found};
  }
  return {};
}

}  // namespace genten
