// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_output.hpp"

#include "command_line.hpp"
#include "files.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>

namespace genten::tools {

void add_tensor_output(CLI::App& app, TensorOutput& output, const std::string& more_forms) {
  add_output(app, output.option, output.file,
             "file to write: .tns, .txt (sptensor), .mtx (MatrixMarket) or .gtn (binary)" +
                 more_forms + "; all but .gtn may end in .gz or .zst; - is the standard output (" +
                 std::string(to_string(output.of_stream)) +
                 (output.file.empty() ? ")" : "; default)"));
  OptionNames names;
  names.prefix = "output-";
  names.renamed["format"] = "to";
  names.defaults = {{"format", "as the name says"}, {"compression", "as the name says"}};
  const auto added = add_fields(app, output.write, names);
  output.format = added.at("format");
  output.compression = added.at("compression");
  output.index_base = added.at("index-base");
}

bool has_format(const TensorOutput& output) {
  return output.format.is_given();
}

namespace {

/// As messages name it: "OUTPUT", "--output".
std::string name_of(const TensorOutput& output) {
  return output.option.substr(output.option.find(',') + 1);
}

/// Endings of the forms of models alone.
constexpr const char* model_endings[] = {".ktensor", ".gkt", ".csv", ".npz"};

FileFormat format_by_name(const TensorOutput& output, const std::string& uncompressed) {
  if (has_extension(uncompressed, ".tns")) return FileFormat::frostt;
  if (has_extension(uncompressed, ".txt") || has_extension(uncompressed, ".sptensor")) {
    return FileFormat::sptensor;
  }
  if (has_extension(uncompressed, ".mtx")) return FileFormat::matrix_market;
  if (output.file == "-") return output.of_stream;
  if (has_extension(uncompressed, ".gtn") || has_extension(uncompressed, ".bin")) {
    return FileFormat::binary;
  }
  if (has_extension(output.file, ".parquet") || has_extension(output.file, ".xlsx")) {
    const bool parquet = has_extension(output.file, ".parquet");
    usage_error(name_of(output),
                std::string("genten writes no ") + (parquet ? "Parquet" : "workbooks of Excel") +
                    "; a table in .csv is for other programs, and in Python "
                    "genten.read(FILE).to_pandas()." +
                    (parquet ? "to_parquet" : "to_excel") + "(...) writes it, got " + output.file);
  }
  const bool model =
      std::any_of(std::begin(model_endings), std::end(model_endings),
                  [&](const char* each) { return has_extension(uncompressed, each); });
  const bool is_table = output.more_names.empty() && (has_extension(uncompressed, ".csv") ||
                                                      has_extension(uncompressed, ".tsv"));
  usage_error(name_of(output),
              "the name " + output.file +
                  " does not say the form (.tns, .txt, .sptensor, .mtx, .gtn, .bin" +
                  output.more_names + ")" +
                  (is_table ? "; genten convert makes a table of a tensor's file"
                   : model  ? output.of_model
                            : "; use --to"));
}

}  // namespace

WriteOptions write_options(const TensorOutput& output) {
  WriteOptions options = output.write;
  std::string uncompressed = output.file;
  const Compression by_name = compression_of_name(output.file);
  if (by_name != Compression::none) uncompressed.erase(uncompressed.rfind('.'));
  if (!output.compression.is_given()) options.compression = by_name;
  if (!has_format(output)) options.format = format_by_name(output, uncompressed);
  if (options.format == FileFormat::binary && options.compression != Compression::none) {
    usage_error(name_of(output), "the binary form is not compressed, but compression " +
                                     std::string(to_string(options.compression)) +
                                     " is asked for " + output.file);
  }
  if (options.format == FileFormat::binary && output.index_base.is_given()) {
    usage_error("--output-index-base",
                "has no effect on the binary form, which counts from 0: leave it out");
  }
  if (options.format == FileFormat::matrix_market && options.index_base == IndexBase::zero) {
    reject("output-index-base", "1 for a MatrixMarket file", "0");
  }
  return options;
}

void warn_of_lost_dimensions(const std::string& file, FileFormat format,
                             const std::vector<std::size_t>& dimensions,
                             const std::vector<std::size_t>& largest_subscripts) {
  if (dimensions == largest_subscripts) return;
  std::cerr << "genten: warning: " << output_name(file) << ": the form " << to_string(format)
            << " cannot say the dimensions " << format_dimensions(dimensions)
            << ", and the last slices are empty: it will be read as "
            << format_dimensions(largest_subscripts)
            << "; --to header or --to sptensor keeps them\n";
}

}  // namespace genten::tools
