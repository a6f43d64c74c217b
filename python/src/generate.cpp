// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"
#include "parts.hpp"
#include "tensor.hpp"

#include <genten/core/generate.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>

#include <memory>

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

}  // namespace

void bind_generate(nb::module_& module) {
  module.def("recipe_options", &option_table<TensorRecipe>, "The parts of a recipe, a line each.");
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
