// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor that a subcommand reads: its options, and reading it.

#include <genten/io/any.hpp>

#include <nlohmann/json_fwd.hpp>

namespace CLI {
class App;
}

namespace genten::cli {

enum class Precision { float32, float64 };

/// What the command line says about a tensor file.
struct TensorSource {
  std::string file;
  ReadOptions read;
  Precision precision = Precision::float64;
};

/// What is known of a tensor that was read, whatever its types.
struct TensorFacts {
  std::string file;
  std::vector<std::size_t> dimensions;
  std::size_t nnz = 0;
  double density = 0.0;
  std::size_t ordinal_bits = 0;
  std::size_t scalar_bits = 0;
  ReadReport report;
  double read_seconds = 0.0;
};

/// Adds the positional argument FILE and the options on how to read it.
void add_tensor_source(CLI::App& app, TensorSource& source);
/// Adds --precision.
void add_precision(CLI::App& app, Precision& precision);

/// "aminoacid.txt: 5 x 201 x 61, 61305 nonzeros, density 1", and a line on duplicates if any.
std::string describe(const TensorFacts& facts);
nlohmann::ordered_json to_json(const TensorFacts& facts);

/// `with_tensor` in one precision.
template <RealScalar Scalar, ExecutionSpace Exec, class Use>
int with_tensor_of(const TensorSource& source, const Use& use) {
  const Kokkos::Timer timer;
  auto [any, report] = read_tensor<Scalar, Exec>(source.file, source.read);
  const double seconds = timer.seconds();
  // Moved out, so that nothing keeps the tensor alive that `use` lets go.
  return std::visit(
      [&, &report = report](auto tensor) {
        using Tensor = decltype(tensor);
        const TensorFacts facts{source.file,
                                tensor.dimensions(),
                                static_cast<std::size_t>(tensor.nnz()),
                                tensor.density(),
                                8 * sizeof(typename Tensor::ordinal_type),
                                8 * sizeof(Scalar),
                                report,
                                seconds};
        return use(tensor, facts);
      },
      std::move(any));
}

/// Reads the tensor into the memory of `Exec`, in the precision that is asked for and with the
/// narrowest ordinals, and returns `use(tensor, facts)`.
template <ExecutionSpace Exec, class Use>
int with_tensor(const TensorSource& source, const Use& use) {
  return source.precision == Precision::float32 ? with_tensor_of<float, Exec>(source, use)
                                                : with_tensor_of<double, Exec>(source, use);
}

}  // namespace genten::cli
