// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Where a benchmark's tensor comes from: a file, a named shape, or dimensions on the command line.

#include "common.hpp"

#include <genten/core/generate.hpp>
#include <genten/io/any.hpp>

#include <CLI/CLI.hpp>

namespace genten::perf {

/// Command-line options that say which tensor.
struct TensorSource {
  std::string file;
  std::string shape;
  double scale = 1.0;
  std::vector<std::size_t> dimensions{3000, 4000, 5000};
  offset_t nonzeros = 1'000'000;
  std::vector<double> exponents;
  int clusters = 1;
  std::uint64_t seed = 1;

  void add_to(CLI::App& app) {
    std::string names;
    for (const auto& recipe : named_recipes()) names += (names.empty() ? "" : ", ") + recipe.name;
    auto* file_option = app.add_option("--file", file, "tensor file, text or binary");
    auto* shape_option = app.add_option("--shape", shape, "named shape: " + names);
    shape_option->excludes(file_option);
    app.add_option("--scale", scale, "times the nonzeros of the shape, dimensions to match")
        ->capture_default_str();
    app.add_option("--dims", dimensions, "dimensions, comma-separated")
        ->delimiter(',')
        ->excludes(file_option)
        ->excludes(shape_option);
    app.add_option("--nnz", nonzeros, "distinct nonzeros")->capture_default_str();
    app.add_option("--exponents", exponents, "power laws of the subscripts, comma-separated")
        ->delimiter(',');
    app.add_option("--clusters", clusters, "clusters of the subscripts")->capture_default_str();
    app.add_option("--seed", seed, "seed of the tensor and of the initial guess")
        ->capture_default_str();
  }

  [[nodiscard]] TensorRecipe recipe() const {
    if (!shape.empty()) return scaled(named_recipe(shape), scale);
    return scaled({"random", dimensions, nonzeros, exponents, clusters}, scale);
  }
  [[nodiscard]] std::string name() const {
    return !file.empty() ? file : !shape.empty() ? shape : "random";
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
          generate_low_rank<Scalar>(host, source.recipe(), rank, 0.0, source.seed).tensor;
    } else {
      loaded.tensor = generate_sparse<Scalar>(host, source.recipe(), source.seed);
    }
  });
  return loaded;
}

/// The tensor for the JSON report.
template <RealScalar Scalar>
[[nodiscard]] Json describe(const TensorSource& source, const LoadedTensor<Scalar>& loaded) {
  Json json{{"name", source.name()},
            {"dimensions", loaded.tensor.dimensions()},
            {"nonzeros", loaded.tensor.nnz()},
            {"seconds_to_load", loaded.seconds}};
  if (loaded.file_bytes > 0.0) json["file_bytes"] = loaded.file_bytes;
  if (source.file.empty()) {
    json["seed"] = source.seed;
    json["exponents"] = source.recipe().exponents;
    json["clusters"] = source.recipe().clusters;
  }
  return json;
}

}  // namespace genten::perf
