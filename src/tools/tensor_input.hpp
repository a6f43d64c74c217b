// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// The tensor file that a program reads: its options, and reading it.

#include "files.hpp"
#include "program.hpp"
#include "terminal/work_watch.hpp"

#include <genten/base/enum_words.hpp>
#include <genten/core/compact.hpp>
#include <genten/io/any.hpp>

#include <nlohmann/json.hpp>

#include <limits>
#include <memory>
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
  bool index_base_of_run = false;  ///< likewise from what a text counts
  /// The numbers of rows are names, and rows are those that occur.
  bool compact = false;
  bool takes_compact = false;  ///< the command has that option
};

/// A tensor as it was before rows without entries were dropped.
struct BeforeCompact {
  std::vector<std::size_t> dimensions;
  std::vector<std::vector<std::uint64_t>> rows;  ///< by mode, those that are kept, ascending
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
  bool takes_compact = false;              ///< of its command
  bool modes_given = false;                ///< --modes has said which column of a table is which
  /// Where rows without entries were dropped; null elsewhere.
  std::shared_ptr<const BeforeCompact> before = {};
};

/// Adds the positional argument FILE and the options on how to read it; `default_values` is where
/// the column of values comes from, if not from its option.
void add_tensor_input(CLI::App& app, TensorInput& input, const std::string& default_values = "");
/// Adds --compact.
void add_compact(CLI::App& app, TensorInput& input);
/// Adds --precision.
void add_precision(CLI::App& app, Precision& precision);

/// Throws a usage error for options that mean nothing for the file that was read: how text is
/// taken, where it is binary.
void require_meaning(const TensorInput& input, const ReadReport& report);

/// What of it changes the tensor: its precision, and what the reader makes of the file.
[[nodiscard]] nlohmann::ordered_json options_json(const TensorInput& input);

/// The form of the file: a word of `FileFormat`, or "table".
[[nodiscard]] std::string format_of(const ReadReport& report);

/// What is odd about where the subscripts of a file begin; "" of others.
[[nodiscard]] std::string base_note(const TensorFacts& facts);

/// ", 2 duplicates of the file summed into others"; "" where it had none.
[[nodiscard]] std::string duplicates_text(const TensorFacts& facts);

/// "aminoacid.txt: 5 x 201 x 61, 61305 nonzeros, density 1", with what is odd about its subscripts,
/// if no note tells of it.
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

/// Throws Error of kind memory where so many subscripts of 32 bits do not fit.
void require_memory_to_compact(const std::string& file, std::size_t subscripts);

/// `use(tensor, facts)`, with what is known of the tensor and of how it was read.
template <class Tensor, class Use>
int with_facts(const TensorInput& input, const ReadReport& report, double seconds, Tensor& tensor,
               std::shared_ptr<const BeforeCompact> before, const Use& use) {
  TensorFacts facts{input.file,
                    tensor.dimensions(),
                    static_cast<std::size_t>(tensor.nnz()),
                    tensor.density(),
                    8 * sizeof(typename Tensor::ordinal_type),
                    8 * sizeof(typename Tensor::scalar_type),
                    report,
                    seconds};
  facts.merged_by = input.read.duplicates;
  facts.modes_given = !input.read.modes.empty();
  facts.takes_compact = input.takes_compact;
  facts.before = std::move(before);
  try {
    return use(tensor, std::as_const(facts));
  } catch (const Error& error) {  // who ran out of memory has not known the tensor's file
    if (error.kind() != Error::Kind::memory || error.is_named()) throw;
    throw_about(error, input_name(input.file));
  }
}

/// `with_facts` of the tensor without the rows that have no entries, in the memory of `Exec`.
template <ExecutionSpace Exec, class Tensor, class Use>
int with_compact(const TensorInput& input, const ReadReport& report, double seconds, Tensor tensor,
                 const Use& use) {
  using Scalar = typename Tensor::scalar_type;
  const auto count = static_cast<std::size_t>(tensor.nnz());
  const auto go_on = [&](auto compact) {
    auto before = std::make_shared<BeforeCompact>();
    before->dimensions = tensor.dimensions();
    for (const auto& rows : compact.rows) before->rows.emplace_back(rows.begin(), rows.end());
    auto there = copy_to<Exec>(compact.tensor);
    compact = {};
    tensor = {};
    return with_facts(input, report, seconds, there, std::move(before), use);
  };
  // No mode keeps more rows than there are nonzeros.
  if (count <= std::numeric_limits<std::uint32_t>::max()) {
    require_memory_to_compact(input.file, count * static_cast<std::size_t>(tensor.order()));
    return go_on(drop_empty_slices<std::uint32_t, Scalar>(HostExec(), tensor));
  }
  return go_on(drop_empty_slices<std::uint64_t, Scalar>(HostExec(), tensor));
}

/// `with_tensor` in one precision.
template <RealScalar Scalar, ExecutionSpace Exec, class Use>
int with_tensor_of(const TensorInput& input, bool quiet, const Use& use) {
  const Kokkos::Timer timer;
  const auto read_into = [&](auto space) {
    auto read = read_watched(input, quiet, [&](const ReadOptions& options) {
      return read_tensor<Scalar, decltype(space)>(input.file, options);
    });
    require_meaning(input, read.report);
    return read;
  };
  // Tensors are moved out, so that nothing keeps one alive that `use` lets go.
  if (input.compact) {
    auto read = read_into(HostExec());
    return std::visit(
        [&](auto tensor) {
          return with_compact<Exec>(input, read.report, timer.seconds(), std::move(tensor), use);
        },
        std::move(read.tensor));
  }
  auto read = read_into(Exec());
  const double seconds = timer.seconds();
  return std::visit(
      [&](auto tensor) { return with_facts(input, read.report, seconds, tensor, nullptr, use); },
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
