// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "recipe_options.hpp"

#include "command_line.hpp"

#include <genten/core/recipe_rules.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>

namespace genten::tools {
namespace {

/// Without `of_model` a rank and such are not those of a model that the tensor is made from.
void relate_options(CLI::App& app, bool of_model) {
  const auto declared = [&app](std::string_view name) {
    return app.get_option_no_throw("--" + std::string(name));
  };
  for (const RecipeRule& rule : recipe_rules) {
    if (!of_model && rule.option != "shape") continue;
    std::vector<CLI::Option*> others;
    rule.for_each_other([&](std::string_view name) {
      if (CLI::Option* const other = declared(name)) others.push_back(other);
    });
    CLI::Option* const option = declared(rule.option);
    if (option == nullptr) continue;
    if (rule.kind == RecipeRule::Kind::excludes) {
      for (CLI::Option* const other : others) option->excludes(other);
    } else if (others.size() == 1 && rule.has_one_other()) {
      option->needs(others.front());
    }
  }
}

}  // namespace

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
  add_text(app, "--shape", "NAME", take, "a shape by name: " + join(names, ", "));
  add_option(app, {"scale", "this many times the nonzeros, at the same density", 1e-9, 1e9},
             options.scale);
  add_fields(app, options.recipe);
  relate_options(app, false);
}

void relate_recipe_options(CLI::App& app) {
  relate_options(app, true);
}

void require_recipe(const std::function<bool(const std::string&)>& given) {
  const auto [rule, other] =
      broken_recipe_rule([&](std::string_view name) { return given("--" + std::string(name)); });
  if (rule == nullptr) return;
  std::vector<std::string> expected;
  rule->for_each_other(
      [&](std::string_view name) { expected.push_back("--" + std::string(name)); });
  usage_error("--" + std::string(rule->option),
              "expected " + join(expected, " or ") + " beside it, since " + std::string(rule->why));
}

}  // namespace genten::tools
