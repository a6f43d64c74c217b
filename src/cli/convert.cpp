// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten convert: tensors and models from one form of file to another.

#include "command.hpp"
#include "model_file.hpp"
#include "options_cli.hpp"
#include "tensor_sink.hpp"
#include "tensor_source.hpp"

#include <genten/core/sptensor_ops.hpp>

#include <iostream>

namespace genten::cli {
namespace {

struct ConvertOptions {
  TensorSource source;
  TensorSink sink;
  std::vector<int> permute;
  bool model = false;
};

template <RealScalar Scalar>
int convert_model(const ConvertOptions& options) {
  const auto model = read_ktensor<Scalar, HostExec>(options.source.file);
  const bool binary = options.sink.format ? *options.sink.format == FileFormat::binary
                                          : is_binary_model(options.sink.file);
  write_ktensor(options.sink.file, model, binary ? KtensorFormat::binary : KtensorFormat::text);
  std::cout << options.source.file << ": model, " << format_dimensions(model.dimensions())
            << ", rank " << model.rank() << "\nwritten to " << options.sink.file << '\n';
  return success;
}

int convert_tensor(const ConvertOptions& options) {
  return with_tensor<HostExec>(options.source, [&](auto& tensor, const TensorFacts& facts) {
    require_modes("permute", options.permute, facts.dimensions.size());
    if (!options.permute.empty()) tensor = permute_modes(HostExec(), tensor, options.permute);
    write_tensor(options.sink, tensor);
    std::cout << describe(facts) << "\nwritten to " << options.sink.file << '\n';
    return static_cast<int>(success);
  });
}

int convert(const ConvertOptions& options) {
  require_different(options.source.file, options.sink.file);
  require_writable(options.sink.file);
  if (options.model) {
    return options.source.precision == Precision::float32 ? convert_model<float>(options)
                                                          : convert_model<double>(options);
  }
  static_cast<void>(write_options(options.sink));  // complain before reading
  return convert_tensor(options);
}

void declare(CLI::App& app, ConvertOptions& options) {
  add_tensor_source(app, options.source);
  add_tensor_sink(app, options.sink);
  add_precision(app, options.source.precision);
  add_text(
      app, "--permute", "MODE,...",
      [&options](const std::string& text) { options.permute = parse_modes("permute", text); },
      "modes (from 1) of the input in the order that the output is to have");
  app.add_flag("--model", options.model,
               "the files are models: text, or binary where the name ends in .gkt or .bin");
  app.footer(
      "Examples:\n"
      "  genten convert tensor.tns.gz tensor.gtn\n"
      "  genten convert aminoacid.txt aminoacid.tns --index-base 0\n"
      "  genten convert tensor.tns turned.tns.zst --permute 3,1,2\n"
      "  genten convert --model model.gkt model.ktensor");
}

}  // namespace

void add_convert(CLI::App& tool, Action& action) {
  add_command<ConvertOptions>(tool, action, "convert", "write a tensor or a model in another form",
                              declare, convert);
}

}  // namespace genten::cli
