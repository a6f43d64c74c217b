// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten convert: tensors and models from one form of file to another.

#include "command.hpp"
#include "long_modes.hpp"
#include "option_rules.hpp"
#include "other_kind.hpp"
#include "outputs.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "signals.hpp"
#include "table_output.hpp"
#include "tools/environment.hpp"
#include "tools/mode_names.hpp"
#include "tools/printable.hpp"
#include "tools/tensor_input.hpp"
#include "tools/tensor_output.hpp"
#include "tools/text.hpp"

#include <genten/core/sptensor_ops.hpp>
#include <genten/io/any_model.hpp>
#include <genten/run/report.hpp>

#include <nlohmann/json.hpp>

#include <functional>
#include <ostream>

namespace genten::cli {
namespace {

struct ConvertOptions {
  TensorInput input;
  TensorOutput output;
  std::vector<int> permute;
  bool model = false;
  std::string labels;
  ReportOptions report;
  std::function<void()> require_model_options;
};

/// Whether the output is a tensor as a table.
bool is_table(const ConvertOptions& options) {
  return !options.model && is_table_output(options.output);
}

/// Whether the output has room for names of rows in itself.
bool holds_names(const ConvertOptions& options) {
  if (is_table(options)) return true;
  return options.model && !has_format(options.output) &&
         tools::holds_names(model_form(options.output.file));
}

/// Whether names of rows have a place in the output or beside it.
bool has_place_for_names(const ConvertOptions& options) {
  return holds_names(options) || !labels_file_of(options.output.file).empty();
}

/// Writes the output, with names beside it, and says what was done, each whatever became of the
/// rest; text for people comes last, since a pipe that nobody reads ends the program.
int finish(Attempts& attempt, const ConvertOptions& options, const std::string& input,
           nlohmann::ordered_json json, const std::function<void()>& write_output,
           const OutputNames& names, const std::string& how_to_read = "") {
  std::string labels_file;
  const bool written = attempt([&] {
    if (!holds_names(options)) require_place_of_labels(options.output.file, names);
    write_output();
  });
  if (written && !holds_names(options)) {
    attempt([&] { labels_file = write_labels_beside(options.output.file, names); });
  }
  json["output"] = written ? options.output.file : "";
  json["labels_file"] = labels_file;
  json.update(describe_environment());
  attempt([&] { write_json(options.report.json, json); });
  std::ostream& out =
      report_stream(options.report.quiet, {options.output.file, options.report.json});
  out << input << '\n';
  if (written) {
    out << "written to " << output_name(options.output.file)
        << (labels_file.empty()
                ? ""
                : std::string(", ") + names.content() + " to " + output_name(labels_file))
        << how_to_read << '\n';
  }
  return attempt.exit_code();
}

template <RealScalar Scalar>
int convert_model(const ConvertOptions& options) {
  const auto model =
      hinting_at(tensor_for_model, "without --model it is converted as a tensor", [&] {
        return hinting_at(tucker_for_cp, "genten tucker -o model.npz writes one for other programs",
                          [&] { return read_ktensor<Scalar, HostExec>(options.input.file); });
      });
  const Labels labels = has_place_for_names(options)
                            ? labels_of(options.labels, options.input.file, model.dimensions())
                            : Labels(model.dimensions().size());
  OutputNames names{labels, model.dimensions()};
  if (has_place_for_names(options)) names.run = run_beside(options.input.file);
  const auto write = [&] {
    if (has_format(options.output)) {
      write_ktensor(options.output.file, model, KtensorFormat::binary,
                    compression_of_name(options.output.file));
    } else {
      write_model(options.output.file, model, names);
    }
  };
  Attempts attempt;
  return finish(
      attempt, options,
      input_name(options.input.file) + ": model, " + format_dimensions(model.dimensions()) +
          ", rank " + std::to_string(model.rank()),
      {{"file", options.input.file}, {"dimensions", model.dimensions()}, {"rank", model.rank()}},
      write, names);
}

/// The names of the tensor that was read, its modes in the order of the output.
Labels labels_of_output(const ConvertOptions& options, const TensorFacts& facts) {
  const Labels labels = labels_of(options.labels, facts);
  return options.permute.empty() ? labels : labels.permuted(options.permute);
}

OutputNames names_of_output(const ConvertOptions& options, Labels labels,
                            const std::vector<std::size_t>& dimensions, const std::string& values) {
  OutputNames names{std::move(labels), dimensions};
  if (is_table(options)) return names;
  if (values != "value") names.values = values;
  const WriteOptions how = write_options(options.output);
  names.knows_entries_alone = how.format == FileFormat::frostt;
  if (how.format != FileFormat::binary) names.index_base = first_subscript(how.index_base);
  return names;
}

/// What a table calls the values: as the table that was read, or that of which the file was made.
std::string values_name(const ConvertOptions& options, const TensorFacts& facts) {
  const std::string name =
      facts.report.table ? options.input.read.values : values_beside(options.input.file);
  return name.empty() ? "value" : name;
}

/// The number of the first row where a table has numbers for names.
std::size_t first_number(const ConvertOptions& options, const Labels& labels) {
  if (options.output.index_base.is_given()) {
    return first_subscript(options.output.write.index_base);
  }
  return labels.table_base().value_or(0);
}

template <class Tensor>
void write_output(const ConvertOptions& options, const Tensor& tensor, const Labels& labels,
                  const std::string& values) {
  if (is_table(options)) {
    write_table(options.output, tensor, labels, first_number(options, labels), values);
  } else {
    write_tensor(options.output, tensor);
  }
}

/// The options that read a table again.
std::string how_to_read(const ConvertOptions& options, const Labels& labels,
                        const std::string& values) {
  if (!is_table(options)) return "";
  const std::string column = values_column(labels, values);
  return ", which is read by " + printable(in_words(error_text::option("values", column))) +
         (labels.any_numbers()                 ? " --compact"
          : first_number(options, labels) == 1 ? " --index-base 1"
                                               : "");
}

/// Throws Error of kind memory where what is made of the tensor does not fit beside it.
template <class Tensor>
void require_conversion(const ConvertOptions& options, const Tensor& tensor) {
  const auto nonzeros = static_cast<double>(tensor.nnz());
  const double subscripts = nonzeros * tensor.order() * sizeof(typename Tensor::ordinal_type);
  const double values = nonzeros * sizeof(typename Tensor::scalar_type);
  std::vector<MemoryPart> parts;
  if (!options.permute.empty()) parts.push_back({"permuted tensor", subscripts + values});
  require_memory({.what = "converting the tensor",
                  .parts = std::move(parts),
                  .available = available_memory<HostExec>()});
}

/// That measures, as ratings, were added up, as runs on the table would say: what is made of it
/// tells them nothing of that. "" where none were.
template <class Tensor>
std::string note_on_sums(const Tensor& tensor, const TensorFacts& facts) {
  RunSettings settings{.takes_missing = false, .entries = entry_facts(facts)};
  if (settings.entries.added_up == 0) return "";
  look_at_values(HostExec(), tensor, settings);
  for (const Note& note : data_notes(settings)) {
    if (tells_of_gaps({note}) || note.code == NoteCode::merged_entries) {
      return in_words(note.text);
    }
  }
  return "";
}

int convert_tensor(ConvertOptions options) {
  take_said_base(options.input);
  return with_tensor<HostExec>(
      options.input, options.report.quiet, [&](auto& tensor, const TensorFacts& facts) {
        std::vector<std::string> notes = notes_on_names(facts.report, false);
        if (auto note = note_on_sums(tensor, facts); !note.empty())
          notes.push_back(std::move(note));
        for (const std::string& note : notes) {
          std::cout.flush();
          std::cerr << "genten: note: " << input_name(facts.file) << ": " << note << '\n';
        }
        if (modes_are_named()) {
          number_modes("permute", options.permute, labels_of(options.labels, facts).mode_names());
        }
        require_every_mode("permute", options.permute, facts.dimensions.size());
        require_conversion(options, tensor);
        if (!options.permute.empty()) tensor = permute_modes(HostExec(), tensor, options.permute);
        const Labels labels = has_place_for_names(options) ? labels_of_output(options, facts)
                                                           : Labels(facts.dimensions.size());
        const std::string values = values_name(options, facts);
        Attempts attempt;
        return finish(
            attempt, options, describe(facts), to_json(facts),
            [&] { write_output(options, tensor, labels, values); },
            names_of_output(options, labels, tensor.dimensions(), values),
            how_to_read(options, labels, values));
      });
}

int convert(ConvertOptions options) {
  const bool to_tensor = is_tensor_name(options.output.file);
  options.model = options.model || (!to_tensor && is_model_file(options.input.file));
  std::vector<std::string> inputs = split_list(options.labels);
  inputs.push_back(options.input.file);
  const OutputKind kind = options.model       ? OutputKind::model
                          : is_table(options) ? OutputKind::compared_table
                                              : OutputKind::tensor;
  require_places(inputs, {{options.output.file, kind},
                          {labels_file_of(options.output.file)},
                          {options.report.json, OutputKind::json}});
  if (options.output.file == "-" && !options.report.json.empty()) outlive_closed_pipes();
  if (!options.labels.empty() && !has_place_for_names(options)) {
    usage_error("--labels", "expected an OUTPUT that names have a place beside, got " +
                                output_name(options.output.file));
  }
  if (options.model) {
    options.require_model_options();
    if (has_format(options.output)) {
      require_no_tensor_name(options.output.file);
    } else {
      require_model_name(options.output.file);
      tell_of_export(options.output.file);
    }
    return options.input.precision == Precision::float32 ? convert_model<float>(options)
                                                         : convert_model<double>(options);
  }
  if (!is_table(options)) {
    static_cast<void>(write_options(options.output));  // complain before reading
  }
  if (options.input.compact && !has_place_for_names(options)) {
    usage_error(
        "--compact",
        "the numbers of rows become their names: expected an OUTPUT that names have a place "
        "beside, got " +
            output_name(options.output.file));
  }
  return hinting_at(model_for_tensor, "models are converted to .ktensor, .gkt, .csv or .npz",
                    [&] { return convert_tensor(options); });
}

void declare(CLI::App& app, ConvertOptions& options) {
  options.output.of_model = "; is it a model? add --model; or a tensor? use --to";
  add_tensor_input(app, options.input);
  add_compact(app, options.input);
  options.output.more_names = ", .csv, .tsv";
  add_tensor_output(app, options.output, ", .csv or .tsv (table)");
  add_precision(app, options.input.precision);
  add_option(app, {"permute", "modes of the input in the order that the output is to have"},
             options.permute);
  add_flag(app, "--model", options.model,
           "the files are models: text or binary, told by content, and for other programs "
           ".csv or .npz as output; it need not be said of a file, which tells by how it begins");
  add_text(
      app, "--labels", "FILE,...", options.labels,
      "names of the rows of the input, one file a mode; OUTPUT.labels.json gets them, or OUTPUT "
      "itself where it is a table or a model in .csv or .npz; nothing between two commas: no names "
      "(default FILE.labels.json)");
  add_report(app, options.report);
  options.require_model_options = [&app, &options] {
    require_only(app, "--model", {"--to", "--precision", "--json", "--quiet", "--labels"});
    const FileFormat format = options.output.write.format;
    if (has_format(options.output) && format != FileFormat::binary) {
      reject("to", "binary for a model, or a name that says the form", to_string(format));
    }
  };
  set_footer(app,
             "FILE may be a CP model instead: then OUTPUT is called .ktensor (text), .gkt\n"
             "(binary), .csv or .npz.\n"
             "\n"
             "Examples:\n"
             "  genten convert tensor.tns.gz tensor.gtn\n"
             "  genten convert aminoacid.txt aminoacid.tns --index-base 0\n"
             "  genten convert tensor.tns turned.tns.zst --permute 3,1,2\n"
             "  genten convert hashed.tns small.gtn --compact\n"
             "  genten convert tensor.gtn tensor.csv\n"
             "  genten convert model.gkt model.ktensor\n"
             "  genten convert model.gkt model.npz");
}

}  // namespace

void add_convert(CLI::App& tool, Action& action) {
  add_command<ConvertOptions>(tool, action, "convert", "write a tensor or a model in another form",
                              declare, convert);
}

}  // namespace genten::cli
