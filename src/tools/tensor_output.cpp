// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_output.hpp"

#include "command_line.hpp"
#include "files.hpp"

#include <iostream>

namespace genten::tools {

void add_tensor_output(CLI::App& app, TensorOutput& output) {
  add_text(app, "OUTPUT", "FILE", output.file,
           "file to write: .tns, .txt (sptensor) or .gtn (binary); text may end in .gz or .zst");
  OptionNames names;
  names.prefix = "output-";
  names.renamed["format"] = "to";
  names.defaults = {{"format", "as the name says"}, {"compression", "as the name says"}};
  const auto added = add_fields(app, output.write, names);
  output.format = added.at("format");
  output.compression = added.at("compression");
}

bool has_format(const TensorOutput& output) {
  return output.format->count() != 0;
}

namespace {

FileFormat format_by_name(const std::string& file, const std::string& uncompressed) {
  if (has_extension(uncompressed, ".tns")) return FileFormat::frostt;
  if (has_extension(uncompressed, ".txt") || has_extension(uncompressed, ".sptensor")) {
    return FileFormat::sptensor;
  }
  if (has_extension(uncompressed, ".gtn") || has_extension(uncompressed, ".bin")) {
    return FileFormat::binary;
  }
  throw CLI::ValidationError(
      "OUTPUT",
      "the name " + file + " does not say the form (.tns, .txt, .sptensor, .gtn, .bin); use --to");
}

}  // namespace

WriteOptions write_options(const TensorOutput& output) {
  WriteOptions options = output.write;
  std::string uncompressed = output.file;
  Compression by_name = Compression::none;
  if (has_extension(uncompressed, ".gz")) by_name = Compression::gzip;
  if (has_extension(uncompressed, ".zst")) by_name = Compression::zstd;
  if (by_name != Compression::none) uncompressed.erase(uncompressed.rfind('.'));
  if (output.compression->count() == 0) options.compression = by_name;
  if (!has_format(output)) options.format = format_by_name(output.file, uncompressed);
  if (options.format == FileFormat::binary && options.compression != Compression::none) {
    throw CLI::ValidationError("OUTPUT", "the binary form is not compressed, but compression " +
                                             std::string(to_string(options.compression)) +
                                             " is asked for " + output.file);
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

}  // namespace genten::tools
