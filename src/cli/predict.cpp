// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten predict: the values of a model at the entries of a file.

#include "command.hpp"
#include "convert/table_output.hpp"
#include "model/csv_entries.hpp"
#include "model/loss_option.hpp"
#include "model/read_model.hpp"
#include "model_entries.hpp"
#include "option_rules.hpp"
#include "outputs.hpp"
#include "project/run_options.hpp"
#include "report_lines.hpp"
#include "sidecar/lacking_names.hpp"
#include "sidecar/lacking_rows.hpp"
#include "sidecar/listed_entries.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/sidecar_output.hpp"
#include "sidecar/table_numbers.hpp"
#include "sidecar/unknown_rows.hpp"
#include "signals.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/tensor_input.hpp"
#include "tools/tensor_output.hpp"

#include <genten/core/model_values.hpp>
#include <genten/io/entries.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace genten::cli {
namespace {

struct PredictOptions {
  std::string model;
  TensorInput input;
  TensorOutput output{"-", {}, "-o,--output", FileFormat::frostt};
  LossChoice loss;
  ReportOptions report;
  UnknownEntries unknown = UnknownEntries::refuse;
  bool to_table = false;  ///< the output is a table, too
  bool by_name = false;   ///< there may be names of the rows of both
  bool by_place = false;  ///< the command line says which column of a table is which mode
};

using Model = Ktensor<double, HostExec>;

/// A model of finite numbers may have values that are not.
template <class Values>
void require_finite(const Values& values, const std::string& pair) {
  const double* const begin = values.data();
  const double* const end = begin + values.extent(0);
  const double* const wrong =
      std::find_if(begin, end, [](double value) { return !std::isfinite(value); });
  if (wrong == end) return;
  throw Error(Error::Kind::runtime, pair + ": the model's value at entry " +
                                        std::to_string(wrong - begin + 1) +
                                        " is beyond the range of numbers");
}

/// The output counts from what the input counts from, unless the options or its form say otherwise.
void take_index_base(TensorOutput& output, const ReadReport& report) {
  const bool text = report.format != FileFormat::binary;
  const bool fixed = write_options(output).format == FileFormat::matrix_market;
  if (text && !fixed && !output.index_base.is_given()) output.write.index_base = report.index_base;
}

/// The names that belong beside the output; a table has them in itself.
OutputNames names_of_output(const PredictOptions& options, const Labels& labels,
                            const std::vector<std::size_t>& dimensions) {
  if (options.to_table) return {Labels(dimensions.size()), dimensions};
  const WriteOptions how = write_options(options.output);
  OutputNames names{labels, dimensions};
  names.knows_entries_alone = how.format == FileFormat::frostt;
  if (how.format != FileFormat::binary) names.index_base = first_subscript(how.index_base);
  return names;
}

template <class Tensor>
void write_predictions(const PredictOptions& options, const Tensor& predicted,
                       const Labels& labels) {
  const TensorOutput& output = options.output;
  if (options.to_table) {
    const char delimiter = table_delimiter(output.file);
    write_csv_entries(TableText(output.file, table_compression(output)), predicted, labels,
                      labels.first_number(), delimiter == '\0' ? ',' : delimiter);
  } else if (write_options(output).format == FileFormat::frostt) {
    write_entries(HostExec(), output.file, predicted, write_options(output));
  } else {
    write_tensor(output, predicted);
  }
}

template <SubscriptOrdinal Ordinal>
ReadSptensor<double, Ordinal, HostExec> read_listed(const PredictOptions& options,
                                                    const NamedRows& of_model,
                                                    const WayOut& way_out) {
  return reading_entries_of(options.model, [&] {
    return refusing_numbers(of_model, options.input.file, options.input.read, way_out, [&] {
      return read_watched(options.input, options.report.quiet, [&](const ReadOptions& read) {
        return read_entries<double, Ordinal>(HostExec(), options.input.file, read);
      });
    });
  });
}

template <SubscriptOrdinal Ordinal>
int predict_entries(PredictOptions& options, const ValueModel& read, const NamedRows& of_model) {
  const Model& model = read.model;
  const bool skips = options.unknown == UnknownEntries::skip;
  const WayToNewRows way_out{options.model, read.facts.contains("rank"), !skips};
  auto [entries, report] = read_listed<Ordinal>(options, of_model, way_out);
  require_meaning(options.input, report);
  tell_of_text_numbers(of_model, options.input, report);
  auto at = entries;  // as the model numbers its rows
  auto shape = entries.dimensions();
  const auto numbers_from = [order = model.dimensions().size()](std::size_t first) {
    return Labels(std::vector<std::vector<std::string>>(order), std::vector<std::string>(order),
                  first);
  };
  LackingEntries left_out;
  Labels labels = numbers_from(first_subscript(report.index_base));
  if (options.by_name || report.table) {
    const auto lengths = entries.dimensions();
    Labels own = labels_of("", options.input.file, lengths, report);
    if (own.any()) {
      labels = own;
    } else {
      labels = numbers_from(first_number_in(report, own));  // as they are looked up
    }
    const bool by_number = !own.any();
    if (own.any() || of_model.labels.any_numbers() || skips) {
      at = with_numbers_as_names(of_model, options.input.file, report, entries, own);
      const NamedRows of_entries{options.input.file, own, at.dimensions()};
      require_no_ids_beside_rows(of_model, of_entries);
      require_names(of_model, of_entries, report, options.by_place);
      const RowMatch match = match_rows(of_model, of_entries);
      if (skips) {
        std::vector<offset_t> known;
        left_out = lacking_entries(at, match, of_model, &known);
        report_left_out(match, of_model, of_entries, left_out, way_out);
        at = some_entries(at, known);
        entries = some_entries(entries, known);
      }
      at = in_rows_of(at, match, of_model, of_entries, {way_out, &options.input.read});
      if (by_number) {
        shape = of_model.labels.any_numbers() ? tools::used_dimensions(entries) : at.dimensions();
      }
    } else {
      options.input.read.dimensions = model.dimensions();
      entries = at = read_listed<Ordinal>(options, of_model, way_out).tensor;
      shape = entries.dimensions();
    }
  }
  tell_of_rows_by_number(of_model, options.input.file, report, tools::used_dimensions(at));
  tell_of_zero_rows(of_model, model, options.input.file, at);
  const auto run = run_of_model(options.model, "", model.dimensions().size());
  tell_of_unknown_loss(read, options.model, run, "", options.loss,
                       "its values are told as they are");
  const auto values = model_values(HostExec(), model, at.subscripts());
  const auto loss = loss_of(options.loss, options.model).loss();
  for (std::size_t p = 0; loss && p < values.extent(0); ++p) values(p) = loss->mean(values(p));
  require_finite(values, input_name(options.model) + " at " + input_name(options.input.file));
  if (options.output.file == "-" && !has_format(options.output) && report.table) {
    options.to_table = true;
  }
  if (report.table && !options.to_table) {  // its rows have no numbers but the model's
    entries = at;
    labels = of_model.labels;
    shape = model.dimensions();
  } else if (!options.to_table) {
    take_index_base(options.output, report);
  }
  const auto predicted = Sptensor<double, Ordinal, HostExec>::trusted(
      HostExec(), shape, entries.subscripts(), values, SptensorFacts());
  Attempts attempt;
  const OutputNames names = names_of_output(options, labels, shape);
  const bool written = attempt([&] {
    require_place_of_labels(options.output.file, names);
    write_predictions(options, predicted, labels);
  });
  std::string names_file;
  if (written) attempt([&] { names_file = write_labels_beside(options.output.file, names); });
  using Json = nlohmann::ordered_json;
  Json json = {{"model", options.model}};
  json.update(read.facts);
  json.update(Json{{"dimensions", model.dimensions()},
                   {"file", options.input.file},
                   {"format", format_of(report)},
                   {"compression", to_string(report.compression)},
                   {"index_base", first_subscript(report.index_base)},
                   {"entries", entries.nnz()},
                   {"unknown_entries", left_out.entries},
                   {"output", written ? options.output.file : ""},
                   {"labels_file", names_file}});
  if (loss) json.update(loss_json(loss->facts()));
  json.update(describe_environment());
  attempt([&] { write_json(options.report.json, json); });
  // Where the predictions themselves are on the terminal, nothing else need be.
  const bool on_output = options.output.file == "-", quiet = options.report.quiet || on_output;
  std::ostream& out = report_stream(quiet, {options.report.json});
  out << "model      " << input_name(options.model) << ": " << format_dimensions(model.dimensions())
      << ", " << read.size << (loss ? ", loss " + loss->facts().text() : "") << "\nentries    "
      << input_name(options.input.file) << ": "
      << count_of(static_cast<std::size_t>(entries.nnz()), "entry")
      << subscripts_from(of_model.labels, options.input.file, report) << '\n';
  if (written) {
    out << "written to " << output_name(options.output.file)
        << (names_file.empty() ? "" : ", names to " + output_name(names_file)) << '\n';
  }
  return attempt.exit_code();
}

int predict(PredictOptions options) {
  options.to_table = is_table_output(options.output);
  if (!options.to_table) static_cast<void>(write_options(options.output));  // complain early
  static_cast<void>(options.loss.loss());
  require_places({options.model, options.input.file},
                 {{options.output.file, options.to_table ? OutputKind::table : OutputKind::tensor},
                  {options.to_table ? "" : labels_file_of(options.output.file)},
                  {options.report.json, OutputKind::json}});
  if (options.output.file == "-" && !options.report.json.empty()) outlive_closed_pipes();
  const ValueModel read =
      read_value_model(options.model, "genten predict takes MODEL SUBSCRIPTS, the model first");
  const Model& model = read.model;
  options.input.read.dimensions = model.dimensions();
  auto lengths = model.dimensions();
  options.by_place = !options.input.read.modes.empty();
  const Labels known = labels_of("", options.model, model.dimensions());
  const NamedRows rows{options.model, known, model.dimensions()};
  take_text_base(options.model, {}, options.input);
  const bool is_table = is_table_file(options.input.file, options.input.read);
  options.input.read = by_names_of(rows, options.input.file, options.input.read, false);
  if (is_table) require_columns_for_modes(rows, options.input.file, options.input.read);
  options.by_name = known.any_numbers() || has_number_names_beside(options.input.file) ||
                    (known.any() && shape_beside(options.input.file).size() == lengths.size());
  const bool skips = options.unknown == UnknownEntries::skip;
  options.by_name = options.by_name || skips;
  if (options.by_name) {
    options.input.read.dimensions = lengths_of_list(rows, options.input.file, skips);
    const auto& there = options.input.read.dimensions;
    lengths.insert(lengths.end(), there.begin(), there.end());
  }
  const bool short_modes = *std::max_element(lengths.begin(), lengths.end()) <=
                           std::numeric_limits<std::uint32_t>::max();
  return short_modes ? predict_entries<std::uint32_t>(options, read, rows)
                     : predict_entries<std::uint64_t>(options, read, rows);
}

void declare(CLI::App& app, PredictOptions& options) {
  add_text(app, "MODEL", "FILE", options.model,
           "CP or Tucker model: text or binary, told by content");
  add_text(
      app, "SUBSCRIPTS", "FILE", options.input.file,
      "entries: a subscript for each mode of the model on a line, or any tensor, or a table (CSV, "
      "TSV) with a header line; values are not looked at; may be gzip or zstd compressed; - is the "
      "standard input");
  OptionNames names;
  names.renamed["memory-limit"] = "read-memory-limit";
  names.left_out = {"threads", "block-bytes", "duplicates", "dimensions"};
  add_fields(app, options.input.read, names);
  add_loss(app, options.loss,
           "what the model minimizes: then its values become expected values, probabilities of "
           "losses of 0 and 1 (default: what stands beside MODEL)");
  add_option(app, {"unknown", unknown_meaning}, options.unknown);
  options.output.more_names = ", .csv, .tsv";
  add_tensor_output(app, options.output, ", .csv or .tsv (table)");
  add_report(app, options.report);
  set_footer(app,
             "Lines come in the order of SUBSCRIPTS, an entry that is listed twice twice:\n"
             "the subscripts, counting from what they count from there, and the model's value.\n"
             "Where names stand beside both files (FILE.labels.json), rows go by these; beside\n"
             "a model that was made with --compact numbers are names.\n"
             "The value is the one to be expected under the loss of --loss, or the one that\n"
             "stands beside MODEL: of bernoulli-logit the probability of 1, not its\n"
             "logarithmic odds.\n"
             "Those of a table go by its names, and the output is a table, as it is where its\n"
             "name ends in .csv or .tsv; in other forms its rows have the numbers of the\n"
             "model's. Names are written beside the output, where it has none in itself.\n"
             "\n"
             "Examples:\n"
             "  genten predict model.ktensor entries.txt\n"
             "  genten predict model.gkt held-out.tns.gz -o predicted.tns\n"
             "  genten predict model.gkt entries.csv -o predicted.csv --unknown skip\n"
             "  genten predict links.gkt entries.txt --loss bernoulli-logit\n"
             "  echo 1 2 2 1 | genten predict model.ktensor -");
}

}  // namespace

void add_predict(CLI::App& tool, Action& action) {
  add_command<PredictOptions>(tool, action, "predict", "values of a model at the entries of a file",
                              declare, predict);
}

}  // namespace genten::cli
