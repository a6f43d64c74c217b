// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten generate: random sparse tensors, of known rank if wanted.

#include "command.hpp"
#include "model_file.hpp"
#include "options_cli.hpp"
#include "tensor_sink.hpp"
#include "tensor_source.hpp"

#include <genten/core/generate.hpp>

#include <iostream>

namespace genten::cli {
namespace {

struct GenerateOptions {
  TensorSink sink;
  std::string shape;
  double scale = 1.0;
  TensorRecipe recipe{"", {}, 0, {}, 1, ValueKind::uniform};
  std::optional<std::size_t> rank;
  std::optional<std::size_t> support;
  FactorKind factors = FactorKind::uniform;
  double noise = 0.0;
  std::uint64_t seed = 1;
  std::string model;
  Precision precision = Precision::float64;
};

TensorRecipe recipe_of(const GenerateOptions& options) {
  if (!options.shape.empty()) return scaled(named_recipe(options.shape), options.scale);
  if (options.recipe.dimensions.empty()) {
    throw CLI::ValidationError("generate", "expected --shape, or --dimensions and --nnz");
  }
  if (options.recipe.nonzeros == 0 && !options.support) {
    throw CLI::ValidationError("--nnz", "expected a number of nonzeros beside --dimensions");
  }
  return scaled(options.recipe, options.scale);
}

template <class Tensor>
int write_result(const GenerateOptions& options, const Tensor& tensor) {
  write_tensor(options.sink, tensor);
  std::cout << options.sink.file << ": " << format_dimensions(tensor.dimensions()) << ", "
            << count_of(static_cast<std::size_t>(tensor.nnz()), "nonzero")
            << format(", density %.4g\n", tensor.density());
  return success;
}

template <class Modelled>
int write_results(const GenerateOptions& options, const Modelled& made) {
  write_model(options.model, made.model);
  return write_result(options, made.tensor);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
int generate_as(const GenerateOptions& options, const TensorRecipe& recipe) {
  const HostExec host;
  if (options.support) {
    return write_results(
        options, generate_planted<Scalar, Ordinal>(host, recipe.dimensions, *options.rank,
                                                   *options.support, options.noise, options.seed));
  }
  if (options.rank) {
    return write_results(
        options, generate_low_rank<Scalar, Ordinal>(host, recipe, *options.rank, options.noise,
                                                    options.seed, options.factors));
  }
  return write_result(options, generate_sparse<Scalar, Ordinal>(host, recipe, options.seed));
}

template <RealScalar Scalar>
int generate_of(const GenerateOptions& options, const TensorRecipe& recipe) {
  const std::size_t longest = *std::max_element(recipe.dimensions.begin(), recipe.dimensions.end());
  return longest <= std::numeric_limits<std::uint32_t>::max()
             ? generate_as<Scalar, std::uint32_t>(options, recipe)
             : generate_as<Scalar, std::uint64_t>(options, recipe);
}

int generate(const GenerateOptions& options) {
  const TensorRecipe recipe = recipe_of(options);
  static_cast<void>(write_options(options.sink));  // complain before the work
  require_writable(options.sink.file);
  require_writable(options.model);
  return options.precision == Precision::float32 ? generate_of<float>(options, recipe)
                                                 : generate_of<double>(options, recipe);
}

void declare_subscripts(CLI::App& app, GenerateOptions& options) {
  std::vector<std::string> names;
  for (const auto& recipe : named_recipes()) names.push_back(recipe.name);
  const auto shape =
      add_text(app, "--shape", "NAME", options.shape, "a shape by name: " + join(names, ", "));
  add_number(app, "scale", options.scale, "this many times the nonzeros, at the same density", 1e-9,
             1e9);
  TensorRecipe& recipe = options.recipe;
  const auto list = [&app, shape](const char* name, auto set, const char* meaning) {
    return add_text(app, name, "N,...", set, meaning)->excludes(shape);
  };
  list(
      "--dimensions",
      [&](const std::string& text) { recipe.dimensions = parse_counts("dimensions", text, 1); },
      "lengths of the modes");
  add_number(app, "nnz", recipe.nonzeros, "distinct nonzeros", 0)->excludes(shape);
  list(
      "--powers",
      [&](const std::string& text) { recipe.exponents = parse_numbers("powers", text, 0); },
      "popularity of the kth item of each mode is k^-power; 0, as if not given: uniform");
  add_number(app, "clusters", recipe.clusters, "groups that each have favourites of their own", 1,
             1e6)
      ->excludes(shape);
  add_choice(app, "values", recipe.values,
             {{"uniform", ValueKind::uniform},
              {"normal", ValueKind::normal},
              {"ones", ValueKind::ones},
              {"counts", ValueKind::counts}},
             "values of a tensor without --rank; counts: how often the subscripts were drawn")
      ->excludes(shape);
}

template <class T>
CLI::Option* add_count(CLI::App& app, const std::string& name, std::optional<T>& value,
                       const char* meaning) {
  return add_text(
      app, "--" + name, "N",
      [name, &value](const std::string& text) { value = parse_number<T>(name, text, 1, 1e6); },
      meaning);
}

void declare_model(CLI::App& app, GenerateOptions& options) {
  const auto rank = add_count(app, "rank", options.rank,
                              "take the values from a random model of this rank, at the nonzeros");
  add_count(app, "support", options.support,
            "let each column of that model have N nonzero rows and store every nonzero of it, so "
            "that the tensor has that rank; --nnz is not used")
      ->needs(rank);
  add_choice(app, "factors", options.factors,
             {{"uniform", FactorKind::uniform}, {"normal", FactorKind::normal}},
             "entries of the model's factors")
      ->needs(rank);
  add_number(app, "noise", options.noise, "norm of normal noise, relative to that of the tensor", 0)
      ->needs(rank);
  add_text(app, "--model", "FILE", options.model, "write the model")->needs(rank);
}

void declare(CLI::App& app, GenerateOptions& options) {
  add_tensor_sink(app, options.sink);
  declare_subscripts(app, options);
  declare_model(app, options);
  add_number(app, "seed", options.seed, "of all random numbers", 0);
  add_precision(app, options.precision);
  app.footer(
      "Examples:\n"
      "  genten generate uber.gtn --shape uber --scale 0.1\n"
      "  genten generate random.tns --dimensions 300,400,500 --nnz 100000 --powers 0.8,0.8,0\n"
      "  genten generate planted.tns --dimensions 90,80,70 --rank 4 --support 12 --noise 0.01 \\\n"
      "    --model truth.ktensor");
}

}  // namespace

void add_generate(CLI::App& tool, Action& action) {
  add_command<GenerateOptions>(tool, action, "generate", "write a random sparse tensor", declare,
                               generate);
}

}  // namespace genten::cli
