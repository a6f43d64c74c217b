// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Random tensors on a command line: a shape by name, or a recipe by its parts.

#include <genten/core/recipes.hpp>

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace genten::tools {

/// What the command line says about a random tensor.
struct RecipeOptions {
  std::string shape;  ///< the name of a recipe; empty: `recipe` itself
  double scale = 1.0;
  TensorRecipe recipe;

  /// The recipe that is meant. Throws Error for an unknown shape.
  [[nodiscard]] TensorRecipe chosen() const;
};

/// Adds --shape, --scale and an option for each field of a recipe, which exclude --shape.
void add_recipe(CLI::App& app, RecipeOptions& options);

/// Has options of a recipe and of a model that the tensor is made from, those that are declared,
/// exclude and need each other as `recipe_rules` say.
void relate_recipe_options(CLI::App& app);

/// Throws a usage error where an option is `given` ("--dimensions") without any of several that it
/// needs, which the parser does not know of.
void require_recipe(const std::function<bool(const std::string&)>& given);

}  // namespace genten::tools
