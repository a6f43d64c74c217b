// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten convert: tensors and models from one form of file to another.

#include "command.hpp"
#include "model_file.hpp"
#include "tools/tensor_input.hpp"
#include "tools/tensor_output.hpp"

#include <genten/core/sptensor_ops.hpp>

#include <iostream>

namespace genten::cli {
namespace {

struct ConvertOptions {
  TensorInput input;
  TensorOutput output;
  std::vector<int> permute;
  bool model = false;
};

template <RealScalar Scalar>
int convert_model(const ConvertOptions& options) {
  const auto model = read_ktensor<Scalar, HostExec>(options.input.file);
  const bool binary = has_format(options.output) ? options.output.write.format == FileFormat::binary
                                                 : is_binary_model(options.output.file);
  write_ktensor(options.output.file, model, binary ? KtensorFormat::binary : KtensorFormat::text);
  std::cout << options.input.file << ": model, " << format_dimensions(model.dimensions())
            << ", rank " << model.rank() << "\nwritten to " << options.output.file << '\n';
  return success;
}

int convert_tensor(const ConvertOptions& options) {
  return with_tensor<HostExec>(options.input, [&](auto& tensor, const TensorFacts& facts) {
    require_modes("permute", options.permute, facts.dimensions.size());
    if (!options.permute.empty()) tensor = permute_modes(HostExec(), tensor, options.permute);
    write_tensor(options.output, tensor);
    std::cout << describe(facts) << "\nwritten to " << options.output.file << '\n';
    return static_cast<int>(success);
  });
}

int convert(const ConvertOptions& options) {
  require_different(options.input.file, options.output.file);
  require_writable(options.output.file);
  if (options.model) {
    return options.input.precision == Precision::float32 ? convert_model<float>(options)
                                                         : convert_model<double>(options);
  }
  static_cast<void>(write_options(options.output));  // complain before reading
  return convert_tensor(options);
}

void declare(CLI::App& app, ConvertOptions& options) {
  add_tensor_input(app, options.input);
  add_tensor_output(app, options.output);
  add_precision(app, options.input.precision);
  add_option(app, {"permute", "modes of the input in the order that the output is to have"},
             options.permute);
  CLI::Option* const model =
      app.add_flag("--model", options.model,
                   "the files are models: text, or binary where the name ends in .gkt or .bin");
  model->option_text(" ");  // the help need not say what it excludes
  for (const char* of_tensors : {"--permute", "--output-compression", "--output-index-base"}) {
    model->excludes(app.get_option(of_tensors));
  }
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
