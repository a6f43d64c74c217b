// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "recipe_options.hpp"

#include "command_line.hpp"

#include <algorithm>

namespace genten::tools {

TensorRecipe RecipeOptions::chosen() const {
  return scaled(shape.empty() ? recipe : named_recipe(shape), scale);
}

void add_recipe(CLI::App& app, RecipeOptions& options) {
  std::vector<std::string> names;
  for (const auto& recipe : named_recipes()) names.push_back(recipe.name);
  const auto take = [names, &options](const std::string& text) {
    if (std::find(names.begin(), names.end(), text) == names.end()) {
      const bool sizes = text.find_first_not_of("0123456789,xX ") == std::string::npos;
      reject("shape", join(names, "|") + (sizes ? ", or --dimensions with numbers" : ""), text);
    }
    options.shape = text;
  };
  const auto shape =
      add_text(app, "--shape", "NAME", take, "a shape by name: " + join(names, ", "));
  add_option(app, {"scale", "this many times the nonzeros, at the same density", 1e-9, 1e9},
             options.scale);
  for (const auto& [name, option] : add_fields(app, options.recipe)) option.excludes(shape);
}

}  // namespace genten::tools
