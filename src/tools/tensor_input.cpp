// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_input.hpp"

#include "command_line.hpp"
#include "files.hpp"

#include <nlohmann/json.hpp>

namespace genten::tools {

void add_tensor_input(CLI::App& app, TensorInput& input) {
  add_text(app, "FILE", "FILE", input.file,
           "sparse tensor: text (.tns, sptensor) or binary, told by content; may be gzip or zstd "
           "compressed; - is the standard input");
  OptionNames names;
  names.renamed["memory-limit"] = "read-memory-limit";
  names.left_out = {"threads", "block-bytes"};  // they change nothing but the speed
  add_fields(app, input.read, names);
}

void add_precision(CLI::App& app, Precision& precision) {
  add_option(app, {"precision", "of the values and the model"}, precision);
}

void require_meaning(const TensorInput& input, const ReadReport& report) {
  if (report.format != FileFormat::binary) return;
  const auto refuse = [&](const char* option) {
    usage_error(option,
                "means nothing for " + input.file + ", which is in the binary form, not text");
  };
  if (input.read.index_base != IndexBase::automatic) refuse("--index-base");
  if (input.read.header != Header::automatic) refuse("--header");
  if (input.read.duplicates != Duplicates::sum) refuse("--duplicates");
}

Error naming(const TensorInput& input, const Error& error) {
  return {error.kind(), input_name(input.file) + ": " + without_function(error.what())};
}

std::string describe(const TensorFacts& facts) {
  std::string text = input_name(facts.file) + ": " + format_dimensions(facts.dimensions) + ", " +
                     count_of(facts.nnz, "nonzero") + format(", density %.4g", facts.density);
  if (facts.report.duplicates != 0) {
    text += format(", %s of the file summed into others",
                   count_of(facts.report.duplicates, "duplicate").c_str());
  }
  const std::string mixed = describe_mixed_bases(facts.report.first_subscripts);
  if (!mixed.empty()) text += ", but " + mixed;
  return text;
}

nlohmann::ordered_json to_json(const TensorFacts& facts) {
  const auto& report = facts.report;
  nlohmann::ordered_json json = {{"file", facts.file},
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
  if (!report.first_subscripts.empty()) json["first_subscripts"] = report.first_subscripts;
  return json;
}

}  // namespace genten::tools
