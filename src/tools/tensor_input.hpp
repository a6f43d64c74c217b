// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor file that a program reads: its options, and reading it.

#include "files.hpp"
#include "program.hpp"
#include "terminal/work_watch.hpp"

#include <genten/base/enum_words.hpp>
#include <genten/io/any.hpp>

#include <nlohmann/json.hpp>

#include <utility>

namespace CLI {
class App;
}

namespace genten::tools {

enum class Precision { float32, float64 };

constexpr auto enum_words(Precision) {
  return std::array{EnumWord("double", Precision::float64), EnumWord("float", Precision::float32)};
}

/// What the command line says about a tensor file to read.
struct TensorInput {
  std::string file;
  ReadOptions read;
  Precision precision = Precision::float64;
  bool duplicates_of_run = false;  ///< the rule is not the command line's
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
  std::vector<std::string> notes = {};     ///< on what is odd about it, of who looked at it
  nlohmann::ordered_json processes = {};   ///< how it lies on several processes; null: there is one
  Duplicates merged_by = Duplicates::sum;  ///< how duplicates of the file became one value
  bool modes_given = false;                ///< --modes has said which column of a table is which
};

/// Adds the positional argument FILE and the options on how to read it.
void add_tensor_input(CLI::App& app, TensorInput& input);
/// Adds --precision.
void add_precision(CLI::App& app, Precision& precision);

/// Throws a usage error for options that mean nothing for the file that was read: how text is
/// taken, where it is binary.
void require_meaning(const TensorInput& input, const ReadReport& report);

/// The form of the file: a word of `FileFormat`, or "table".
[[nodiscard]] std::string format_of(const ReadReport& report);

/// "aminoacid.txt: 5 x 201 x 61, 61305 nonzeros, density 1", and a line on duplicates if any.
std::string describe(const TensorFacts& facts);
nlohmann::ordered_json to_json(const TensorFacts& facts);

/// What `read(options)` reads, while people see how far it has come, unless it is to be quiet.
template <class Read>
auto read_watched(const TensorInput& input, bool quiet, const Read& read) {
  WorkWatch watch(!quiet, input_name(input.file));
  ReadOptions options = input.read;
  options.meter = &watch.meter();
  return read(options);
}

/// `with_tensor` in one precision.
template <RealScalar Scalar, ExecutionSpace Exec, class Use>
int with_tensor_of(const TensorInput& input, bool quiet, const Use& use) {
  const Kokkos::Timer timer;
  auto read = read_watched(input, quiet, [&](const ReadOptions& options) {
    return read_tensor<Scalar, Exec>(input.file, options);
  });
  const double seconds = timer.seconds();
  require_meaning(input, read.report);
  // Moved out, so that nothing keeps the tensor alive that `use` lets go.
  return std::visit(
      [&](auto tensor) {
        using Tensor = decltype(tensor);
        TensorFacts facts{input.file,
                          tensor.dimensions(),
                          static_cast<std::size_t>(tensor.nnz()),
                          tensor.density(),
                          8 * sizeof(typename Tensor::ordinal_type),
                          8 * sizeof(Scalar),
                          read.report,
                          seconds};
        facts.merged_by = input.read.duplicates;
        facts.modes_given = !input.read.modes.empty();
        try {
          return use(tensor, std::as_const(facts));
        } catch (const Error& error) {  // who ran out of memory has not known the tensor's file
          if (error.kind() != Error::Kind::memory || error.is_named()) throw;
          throw_about(error, input_name(input.file));
        }
      },
      std::move(read.tensor));
}

/// Reads the tensor into the memory of `Exec`, in the precision that is asked for and with the
/// narrowest ordinals, and returns `use(tensor, facts)`. Unless `quiet`, a terminal shows how far
/// long reading has come.
template <ExecutionSpace Exec, class Use>
int with_tensor(const TensorInput& input, bool quiet, const Use& use) {
  return input.precision == Precision::float32 ? with_tensor_of<float, Exec>(input, quiet, use)
                                               : with_tensor_of<double, Exec>(input, quiet, use);
}

}  // namespace genten::tools
