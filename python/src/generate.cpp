// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"
#include "parts.hpp"
#include "tensor.hpp"

#include <genten/core/generate.hpp>
#include <genten/core/recipe_rules.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/set.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <set>
#include <tuple>

namespace genten::python {
namespace {

/// What is asked for beside the recipe.
struct Planted {
  std::optional<std::size_t> rank, support;
  double noise = 0.0;
  FactorKind factors = FactorKind::uniform;
};

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
nb::tuple generated(const TensorRecipe& recipe, const Planted& asked, std::uint64_t seed) {
  const HostExec host;
  const auto owned = [](AnyTensor tensor) { return std::make_unique<Tensor>(std::move(tensor)); };
  if (!asked.rank) {
    return nb::make_tuple(
        owned(in_turn([&] { return generate_sparse<Scalar, Ordinal>(host, recipe, seed); })),
        nb::none());
  }
  auto made = in_turn([&] {
    return asked.support ? generate_planted<Scalar, Ordinal>(host, recipe.dimensions, *asked.rank,
                                                             *asked.support, asked.noise, seed)
                         : generate_low_rank<Scalar, Ordinal>(host, recipe, *asked.rank,
                                                              asked.noise, seed, asked.factors);
  });
  return nb::make_tuple(owned(std::move(made.tensor)), show(std::move(made.model)));
}

nb::tuple generate(const std::string& shape, const nb::dict& given, double scale,
                   std::optional<std::size_t> rank, std::optional<std::size_t> support,
                   double noise, const std::string& factors, std::uint64_t seed, bool single) {
  TensorRecipe recipe;
  recipe.values = ValueKind::uniform;
  set_options(recipe, given);
  recipe = scaled(shape.empty() ? recipe : named_recipe(shape), scale);
  const Planted asked{rank, support, noise, from_word<FactorKind>(factors).value()};
  const auto longest = *std::max_element(recipe.dimensions.begin(), recipe.dimensions.end());
  const bool narrow = longest <= std::numeric_limits<std::uint32_t>::max();
  const auto of = [&]<class Scalar>(Scalar) {
    return narrow ? generated<Scalar, std::uint32_t>(recipe, asked, seed)
                  : generated<Scalar, std::uint64_t>(recipe, asked, seed);
  };
  return single ? of(float{}) : of(double{});
}

/// The rule that options of these names break: its option, the one that it excludes or "", those of
/// which it needs one, and the reason.
using BrokenRule = std::tuple<std::string, std::string, std::vector<std::string>, std::string>;
std::optional<BrokenRule> broken_rule(const std::set<std::string>& given) {
  const auto [rule, other] = broken_recipe_rule(
      [&](std::string_view name) { return given.count(std::string(name)) != 0; });
  if (rule == nullptr) return std::nullopt;
  std::vector<std::string> others;
  rule->for_each_other([&](std::string_view name) { others.emplace_back(name); });
  return BrokenRule(rule->option, other, others, rule->why);
}

}  // namespace

void bind_generate(nb::module_& module) {
  module.def("recipe_options", &option_table<TensorRecipe>, "The parts of a recipe, a line each.");
  module.def("broken_recipe_rule", &broken_rule, nb::arg("given"),
             "The rule that options of these names break, if any.");
  module.def(
      "named_shapes",
      [] {
        std::vector<std::string> names;
        for (const TensorRecipe& recipe : named_recipes()) names.push_back(recipe.name);
        return names;
      },
      "The shapes that have names.");
  module.def(
      "generate", &generate, nb::arg("shape"), nb::arg("recipe"), nb::arg("scale"),
      nb::arg("rank").none(), nb::arg("support").none(), nb::arg("noise"), nb::arg("factors"),
      nb::arg("seed"), nb::arg("single"),
      "A random tensor, of a shape by name or a recipe, and the arrays of its model or None.");
}

}  // namespace genten::python
