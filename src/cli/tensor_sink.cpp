// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_sink.hpp"

#include "files.hpp"
#include "options_cli.hpp"

#include <iostream>

namespace genten::cli {

void add_tensor_sink(CLI::App& app, TensorSink& sink) {
  add_text(app, "OUTPUT", "FILE", sink.file,
           "file to write: .tns, .txt (sptensor) or .gtn (binary); text may end in .gz or .zst");
  add_choice<std::optional<FileFormat>>(app, "to", sink.format,
                                        {{"auto", std::nullopt},
                                         {"frostt", FileFormat::frostt},
                                         {"header", FileFormat::header},
                                         {"sptensor", FileFormat::sptensor},
                                         {"binary", FileFormat::binary}},
                                        "form of the output; auto: by its name");
  add_choice(app, "output-index-base", sink.index_base,
             {{"1", IndexBase::one}, {"0", IndexBase::zero}},
             "what subscripts in a text output count from");
}

WriteOptions write_options(const TensorSink& sink) {
  WriteOptions options;
  options.index_base = sink.index_base;
  std::string name = sink.file;
  if (has_extension(name, ".gz")) options.compression = Compression::gzip;
  if (has_extension(name, ".zst")) options.compression = Compression::zstd;
  if (options.compression != Compression::none) name.erase(name.rfind('.'));

  if (sink.format) {
    options.format = *sink.format;
  } else if (has_extension(name, ".tns")) {
    options.format = FileFormat::frostt;
  } else if (has_extension(name, ".txt") || has_extension(name, ".sptensor")) {
    options.format = FileFormat::sptensor;
  } else if (has_extension(name, ".gtn") || has_extension(name, ".bin")) {
    options.format = FileFormat::binary;
  } else {
    throw CLI::ValidationError(
        "OUTPUT", "the name " + sink.file +
                      " does not say the form (.tns, .txt, .sptensor, .gtn, .bin); use --to");
  }
  if (options.format == FileFormat::binary && options.compression != Compression::none) {
    throw CLI::ValidationError("OUTPUT",
                               "the binary form is not compressed, but the name is " + sink.file);
  }
  return options;
}

void warn_of_lost_dimensions(const std::string& file, FileFormat format,
                             const std::vector<std::size_t>& dimensions,
                             const std::vector<std::size_t>& largest_subscripts) {
  if (dimensions == largest_subscripts) return;
  std::cerr << "genten: warning: " << file << ": the form " << to_string(format)
            << " cannot say the dimensions " << format_dimensions(dimensions)
            << ", and the last slices are empty: it will be read as "
            << format_dimensions(largest_subscripts)
            << "; --to header or --to sptensor keeps them\n";
}

}  // namespace genten::cli
