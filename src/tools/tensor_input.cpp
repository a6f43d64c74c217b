// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "tensor_input.hpp"

#include "command_line.hpp"
#include "files.hpp"
#include "option_groups.hpp"
#include "printable.hpp"
#include "result_json.hpp"
#include "text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace genten::tools {

void add_tensor_input(CLI::App& app, TensorInput& input, const std::string& default_values) {
  add_text(
      app, "FILE", "FILE", input.file,
      "sparse tensor: text (.tns, sptensor), binary, or a table with a header line (CSV, TSV), "
      "told by content; may be gzip or zstd compressed; - is the standard input");
  begin_group(app, "Tensor");
  OptionNames names;
  names.renamed["memory-limit"] = "read-memory-limit";
  names.left_out = {"threads", "block-bytes"};  // they change nothing but the speed
  names.defaults = {{"values", default_values}};
  add_fields(app, input.read, names);
  begin_group(app, "Options");
}

void add_compact(CLI::App& app, TensorInput& input) {
  begin_group(app, "Tensor");
  input.takes_compact = true;
  add_flag(
      app, "--compact", input.compact,
      "subscripts are ids: rows are those that have entries, and their numbers are their names");
  begin_group(app, "Options");
}

void require_memory_to_compact(const std::string& file, std::size_t subscripts) {
  require_memory({.path = input_name(file),
                  .what = "dropping rows without entries",
                  .parts = {{"new subscripts", 4.0 * static_cast<double>(subscripts)}},
                  .available = available_memory<HostExec>()});
}

void add_precision(CLI::App& app, Precision& precision) {
  add_option(app, {"precision", "of the values and the model"}, precision);
}

void require_meaning(const TensorInput& input, const ReadReport& report) {
  if (report.format != FileFormat::binary) return;
  const auto refuse = [&](const char* option) {
    usage_error(option, "has no effect on " + input.file +
                            ", which is in the binary form, not text: leave it out");
  };
  if (input.read.index_base != IndexBase::automatic && !input.index_base_of_run) {
    refuse("--index-base");
  }
  if (input.read.header != Header::automatic) refuse("--header");
  if (input.read.duplicates != Duplicates::sum && !input.duplicates_of_run) {
    refuse("--duplicates");
  }
}

nlohmann::ordered_json options_json(const TensorInput& input) {
  nlohmann::ordered_json json;
  json["precision"] = option_json(input.precision);
  const auto read = options_json(input.read);
  for (const char* name : {"index_base", "duplicates", "header", "values", "modes", "decimal",
                           "encoding", "dimensions"}) {
    json[name] = read[name];
  }
  json["compact"] = input.compact;
  return json;
}

std::string format_of(const ReadReport& report) {
  return report.table ? "table" : std::string(to_string(report.format));
}

namespace {

/// On modes of numbers of a table that look as if they counted from 1; "" of none.
std::string table_base_note(const ReadReport& report, bool takes_compact) {
  const auto& first = report.first_subscripts;
  std::vector<std::string> from_1;
  std::size_t from_0 = 0;
  for (std::size_t n = 0; n < first.size(); ++n) {
    if (!report.table->rows[n].empty()) continue;
    from_0 += first[n] == 0 ? 1 : 0;
    if (first[n] == 1) {
      from_1.push_back(std::to_string(n + 1) + " (" + printable(report.table->modes[n]) + ')');
    }
  }
  if (from_1.empty()) return "";
  const bool is_all = from_1.size() == first.size();
  std::string note =
      "subscripts count from 0 in tables, and the least is 1 in " +
      (is_all ? "every mode" : (from_1.size() == 1 ? "mode " : "modes ") + join(from_1, ", ")) +
      ": row 0 has no entries there, but takes part in models and in errors of all "
      "entries";
  if (from_0 == 0) {
    note += ": is --index-base 1 meant";
    if (takes_compact) note += ", or --compact, if they are ids";
    return note + '?';
  }
  return takes_compact ? note + "; --compact leaves it out" : note;
}

const char* how_merged(Duplicates rule) {
  switch (rule) {
    case Duplicates::mean:
      return "merged into means";
    case Duplicates::last:
      return "merged, the last values kept";
    case Duplicates::max:
      return "merged, the largest values kept";
    default:
      return "summed into others";
  }
}

}  // namespace

std::string duplicates_text(const TensorFacts& facts) {
  if (facts.report.duplicates == 0) return "";
  return format(", %s of the file %s", count_of(facts.report.duplicates, "duplicate").c_str(),
                how_merged(facts.merged_by));
}

std::string describe(const TensorFacts& facts) {
  std::string text = input_name(facts.file) + ": " + format_dimensions(facts.dimensions) + ", " +
                     count_of(facts.nnz, "nonzero") + format(", density %.4g", facts.density);
  if (facts.before) {
    text += ", the rows of " + format_dimensions(facts.before->dimensions) + " that occur";
  }
  text += duplicates_text(facts);
  if (facts.report.table && facts.report.table->ones) {
    text += ", each row counts as 1 (--values names a column)";
  }
  const std::string note = base_note(facts);
  const auto& told = facts.notes;
  const bool is_new = !note.empty() && std::find(told.begin(), told.end(), note) == told.end();
  return is_new ? text + ", but " + note : text;
}

std::string base_note(const TensorFacts& facts) {
  if (facts.before) return "";  // it does not matter from where names count
  if (!facts.report.table) return describe_mixed_bases(facts.report.first_subscripts);
  return table_base_note(facts.report, facts.takes_compact);
}

nlohmann::ordered_json to_json(const TensorFacts& facts) {
  const auto& report = facts.report;
  nlohmann::ordered_json merged_by;
  if (report.duplicates != 0) merged_by = to_string(facts.merged_by);
  nlohmann::ordered_json json = {{"file", facts.file},
                                 {"format", format_of(report)},
                                 {"compression", to_string(report.compression)},
                                 {"index_base", first_subscript(report.index_base)},
                                 {"order", facts.dimensions.size()},
                                 {"dimensions", facts.dimensions},
                                 {"nnz", facts.nnz},
                                 {"density", facts.density},
                                 {"entries", report.entries},
                                 {"duplicates", report.duplicates},
                                 {"merged_by", merged_by},
                                 {"file_bytes", report.file_bytes},
                                 {"ordinal_bits", facts.ordinal_bits},
                                 {"scalar_bits", facts.scalar_bits},
                                 {"read_seconds", facts.read_seconds}};
  if (facts.before) json["dimensions_before"] = facts.before->dimensions;
  if (!report.first_subscripts.empty()) json["first_subscripts"] = report.first_subscripts;
  return json;
}

}  // namespace genten::tools
