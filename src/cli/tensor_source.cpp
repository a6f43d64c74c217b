// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_source.hpp"

#include "options_cli.hpp"

#include <nlohmann/json.hpp>

namespace genten::cli {

void add_tensor_source(CLI::App& app, TensorSource& source) {
  add_text(app, "FILE", "FILE", source.file,
           "sparse tensor: text (.tns, sptensor) or binary, told by content; may be gzip or zstd "
           "compressed");
  add_choice(app, "index-base", source.read.index_base,
             {{"auto", IndexBase::automatic}, {"0", IndexBase::zero}, {"1", IndexBase::one}},
             "what subscripts in a text file count from; auto: 1");
  add_choice(app, "duplicates", source.read.duplicates,
             {{"sum", Duplicates::sum}, {"refuse", Duplicates::refuse}},
             "what to do with entries at the same subscripts");
  add_choice(app, "header", source.read.header,
             {{"auto", Header::automatic}, {"none", Header::none}},
             "whether a text file may begin with a header");
  add_text(
      app, "--dimensions", "N,...",
      [&source](const std::string& text) {
        source.read.dimensions = parse_counts("dimensions", text, 1);
      },
      "lengths of the modes, in place of those that the file gives");
}

void add_precision(CLI::App& app, Precision& precision) {
  add_choice(app, "precision", precision,
             {{"double", Precision::float64}, {"float", Precision::float32}},
             "of the values and all computation");
}

std::string describe(const TensorFacts& facts) {
  std::string text = facts.file + ": " + format_dimensions(facts.dimensions) + ", " +
                     count_of(facts.nnz, "nonzero") + format(", density %.4g", facts.density);
  if (facts.report.duplicates != 0) {
    text += format(", %s of the file summed into others",
                   count_of(facts.report.duplicates, "duplicate").c_str());
  }
  return text;
}

nlohmann::ordered_json to_json(const TensorFacts& facts) {
  const auto& report = facts.report;
  return {{"file", facts.file},
          {"format", to_string(report.format)},
          {"compression", to_string(report.compression)},
          {"index_base", report.index_base == IndexBase::zero ? 0 : 1},
          {"order", facts.dimensions.size()},
          {"dimensions", facts.dimensions},
          {"nnz", facts.nnz},
          {"density", facts.density},
          {"entries", report.entries},
          {"duplicates", report.duplicates},
          {"file_bytes", report.file_bytes},
          {"ordinal_bits", facts.ordinal_bits},
          {"scalar_bits", facts.scalar_bits},
          {"read_seconds", facts.read_seconds}};
}

}  // namespace genten::cli
