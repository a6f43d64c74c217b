// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where a benchmark's tensor comes from: a file, a named shape, or dimensions on the command line.

#include "common.hpp"
#include "tools/command_line.hpp"
#include "tools/recipe_options.hpp"

#include <genten/core/generate.hpp>
#include <genten/io/any.hpp>

#include <CLI/CLI.hpp>

namespace genten::perf {

/// Reads the command line. An exit code where the program is done: help was asked for, or there was
/// a wrong option, of which it has then spoken.
[[nodiscard]] inline std::optional<int> parse_arguments(CLI::App& app, int argc, char** argv) {
  style_help(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? success : wrong_usage;
  }
  return std::nullopt;
}

/// Command-line options that say which tensor.
struct TensorSource {
  std::string file;
  RecipeOptions recipe{"", 1.0, {"random", {3000, 4000, 5000}, 1'000'000, {}, 1, ValueKind::ones}};
  std::uint64_t seed = 1;

  void add_to(CLI::App& app) {
    const auto file_option = add_text(app, "--file", "FILE", file, "tensor file, text or binary");
    add_recipe(app, recipe);
    for (const char* name : {"--shape", "--dimensions"}) {
      option_of(app, name).excludes(file_option);
    }
    add_option(app, {"seed", "seed of the tensor and of the initial guess", 0}, seed);
  }

  [[nodiscard]] std::string name() const {
    return !file.empty() ? file : !recipe.shape.empty() ? recipe.shape : "random";
  }
};

/// A tensor and how long it took to get.
template <RealScalar Scalar>
struct LoadedTensor {
  Sptensor<Scalar, std::uint32_t, HostExec> tensor;
  double seconds = 0.0;
  double file_bytes = 0.0;  ///< 0 when it was generated
};

/// Reads or generates the tensor on the host. With `rank`, the values of a generated tensor are
/// those of a random model of that rank; else they are as the recipe says.
template <RealScalar Scalar>
[[nodiscard]] LoadedTensor<Scalar> load_tensor(const TensorSource& source, std::size_t rank = 0) {
  const HostExec host;
  LoadedTensor<Scalar> loaded;
  loaded.seconds = seconds_of(host, [&] {
    if (!source.file.empty()) {
      auto read = read_tensor_as<Scalar, std::uint32_t, HostExec>(host, source.file);
      loaded.tensor = read.tensor;
      loaded.file_bytes = static_cast<double>(read.report.file_bytes);
    } else if (rank != 0) {
      loaded.tensor =
          generate_low_rank<Scalar>(host, source.recipe.chosen(), rank, 0.0, source.seed).tensor;
    } else {
      loaded.tensor = generate_sparse<Scalar>(host, source.recipe.chosen(), source.seed);
    }
  });
  return loaded;
}

/// A generated tensor for the JSON report.
[[nodiscard]] inline Json describe(const TensorSource& source,
                                   const std::vector<std::size_t>& dimensions,
                                   std::uint64_t nonzeros, double seconds) {
  return {{"name", source.name()},
          {"dimensions", dimensions},
          {"nonzeros", nonzeros},
          {"seconds_to_load", seconds},
          {"seed", source.seed},
          {"exponents", source.recipe.chosen().exponents},
          {"clusters", source.recipe.chosen().clusters},
          {"runs", source.recipe.chosen().runs}};
}

/// The tensor for the JSON report.
template <RealScalar Scalar>
[[nodiscard]] Json describe(const TensorSource& source, const LoadedTensor<Scalar>& loaded) {
  if (source.file.empty()) {
    return describe(source, loaded.tensor.dimensions(),
                    static_cast<std::uint64_t>(loaded.tensor.nnz()), loaded.seconds);
  }
  Json json{{"name", source.name()},
            {"dimensions", loaded.tensor.dimensions()},
            {"nonzeros", loaded.tensor.nnz()},
            {"seconds_to_load", loaded.seconds}};
  if (loaded.file_bytes > 0.0) json["file_bytes"] = loaded.file_bytes;
  return json;
}

}  // namespace genten::perf
