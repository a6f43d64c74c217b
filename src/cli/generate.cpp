// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten generate: random sparse tensors, of known rank if wanted.

#include "command.hpp"
#include "option_rules.hpp"
#include "outputs.hpp"
#include "signals.hpp"
#include "tools/environment.hpp"
#include "tools/recipe_options.hpp"
#include "tools/tensor_input.hpp"
#include "tools/tensor_output.hpp"

#include <genten/core/generate.hpp>

#include <nlohmann/json.hpp>

#include <ostream>

namespace genten::cli {
namespace {

struct GenerateOptions {
  TensorOutput output;
  RecipeOptions recipe{"", 1.0, {"", {}, 0, {}, 1, ValueKind::uniform}};
  std::optional<std::size_t> rank;
  std::optional<std::size_t> support;
  FactorKind factors = FactorKind::uniform;
  double noise = 0.0;
  std::uint64_t seed = 1;
  std::string model;
  Precision precision = Precision::float64;
  ReportOptions report;
  Given given;
};

/// Complains where neither a shape nor all that a recipe needs was given.
void require_all(const GenerateOptions& options) {
  require_recipe(options.given);
  if (!options.recipe.shape.empty()) return;
  if (options.recipe.recipe.dimensions.empty()) {
    usage_error("generate", "expected --shape, or --dimensions and --nnz");
  }
  if (options.recipe.recipe.nonzeros == 0 && !options.support) {
    usage_error("--nnz", "expected a number of at least 1, got 0");
  }
  const std::size_t order = options.recipe.recipe.dimensions.size();
  const auto require_each = [order](const char* name, std::size_t count) {
    if (count == 0 || count == order) return;
    usage_error(name, "expected " + count_of(order, "number") + ", one for each mode, got " +
                          std::to_string(count));
  };
  require_each("--powers", options.recipe.recipe.exponents.size());
  require_each("--runs", options.recipe.recipe.runs.size());
}

/// Writes what there is, each file whatever became of the others, and says what was done.
template <class Tensor>
int write_tensor_and(const std::function<void()>& write_its_model, const GenerateOptions& options,
                     const Tensor& tensor) {
  Attempts attempt;
  const bool has_model = attempt(write_its_model);
  const bool has_tensor = attempt([&] { write_tensor(options.output, tensor); });
  nlohmann::ordered_json json = {{"output", has_tensor ? options.output.file : ""},
                                 {"dimensions", tensor.dimensions()},
                                 {"nnz", tensor.nnz()},
                                 {"density", tensor.density()},
                                 {"seed", options.seed},
                                 {"model_file", has_model ? options.model : ""}};
  if (options.rank) json["rank"] = *options.rank;
  json.update(describe_environment());
  attempt([&] { write_json(options.report.json, json); });
  if (!has_tensor) return attempt.exit_code();
  std::ostream& out = report_stream(options.report.quiet,
                                    {options.output.file, options.model, options.report.json});
  out << output_name(options.output.file) << ": " << format_dimensions(tensor.dimensions()) << ", "
      << count_of(static_cast<std::size_t>(tensor.nnz()), "nonzero")
      << format(", density %.4g\n", tensor.density());
  return attempt.exit_code();
}

/// The model, beside which stands that its values are expected values.
template <class Modelled>
int write_results(const GenerateOptions& options, const Modelled& made) {
  const auto write = [&] {
    const auto dimensions = made.model.dimensions();
    OutputNames names{Labels(dimensions.size()), dimensions};
    names.run = {{"loss", "gaussian"}};
    write_model(options.model, made.model, names);
    if (options.model.empty() || holds_names(model_form(options.model))) return;
    static_cast<void>(write_labels_beside(options.model, names));
  };
  return write_tensor_and(write, options, made.tensor);
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
int generate_as(const GenerateOptions& options, const TensorRecipe& recipe) {
  const HostExec host;
  const auto made = [](const auto& make) { return concerning("generate", make); };
  if (options.support) {
    return write_results(options, made([&] {
                           return generate_planted<Scalar, Ordinal>(host, recipe.dimensions,
                                                                    *options.rank, *options.support,
                                                                    options.noise, options.seed);
                         }));
  }
  if (options.rank) {
    return write_results(options, made([&] {
                           return generate_low_rank<Scalar, Ordinal>(host, recipe, *options.rank,
                                                                     options.noise, options.seed,
                                                                     options.factors);
                         }));
  }
  return write_tensor_and([] {}, options, made([&] {
                            return generate_sparse<Scalar, Ordinal>(host, recipe, options.seed);
                          }));
}

template <RealScalar Scalar>
int generate_of(const GenerateOptions& options, const TensorRecipe& recipe) {
  const std::size_t longest = *std::max_element(recipe.dimensions.begin(), recipe.dimensions.end());
  return longest <= std::numeric_limits<std::uint32_t>::max()
             ? generate_as<Scalar, std::uint32_t>(options, recipe)
             : generate_as<Scalar, std::uint64_t>(options, recipe);
}

int generate(const GenerateOptions& options) {
  require_all(options);
  const TensorRecipe recipe = options.recipe.chosen();
  static_cast<void>(write_options(options.output));  // complain before the work
  require_places({}, {{options.output.file, OutputKind::tensor},
                      {options.model, OutputKind::model},
                      {labels_file_of(options.model)},
                      {options.report.json, OutputKind::json}});
  const bool more = !options.model.empty() || !options.report.json.empty();
  if (more && (options.output.file == "-" || options.model == "-")) outlive_closed_pipes();
  require_model_name(options.model);
  tell_of_export(options.model);
  return options.precision == Precision::float32 ? generate_of<float>(options, recipe)
                                                 : generate_of<double>(options, recipe);
}

void declare_model(CLI::App& app, GenerateOptions& options) {
  const auto rank = add_option(
      app, {"rank", "take the values from a random model of this rank, at the nonzeros", 1, 1e6},
      options.rank);
  const OptionLine support_line = {
      "support",
      "let each column of that model have N nonzero rows and store every nonzero of it, so that "
      "the tensor has that rank",
      1, 1e6};
  add_option(app, support_line, options.support);
  add_option(app, {"factors", "entries of the model's factors"}, options.factors);
  add_option(app, {"noise", "norm of normal noise, relative to that of the tensor", 0},
             options.noise);
  add_output(app, "--model", options.model, "write the model").needs(rank);
  relate_recipe_options(app);
}

void declare(CLI::App& app, GenerateOptions& options) {
  add_tensor_output(app, options.output);
  add_recipe(app, options.recipe);
  declare_model(app, options);
  add_option(app, {"seed", "of all random numbers", 0}, options.seed);
  add_precision(app, options.precision);
  add_report(app, options.report);
  options.given = given_in(app);
  set_footer(app,
             "Examples:\n"
             "  genten generate uber.gtn --shape uber --scale 0.1\n"
             "  genten generate random.tns --dimensions 300,400,500 --nnz 100000 \\\n"
             "    --powers 0.8,0.8,0\n"
             "  genten generate planted.txt --dimensions 90,80,70 --rank 4 --support 12 \\\n"
             "    --noise 0.01 --model truth.ktensor");
}

}  // namespace

void add_generate(CLI::App& tool, Action& action) {
  add_command<GenerateOptions>(tool, action, "generate", "write a random sparse tensor", declare,
                               generate);
}

}  // namespace genten::cli
