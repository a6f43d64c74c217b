// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten update: a model that goes on with slices that arrive.

#include "base/names_in_option.hpp"
#include "command.hpp"
#include "data_fault.hpp"
#include "model/read_model.hpp"
#include "new_rows.hpp"
#include "option_rules.hpp"
#include "outputs.hpp"
#include "project/run_options.hpp"
#include "report_lines.hpp"
#include "sidecar/lacking_names.hpp"
#include "sidecar/options_of_run.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/hints/new_rows.hpp"
#include "tools/long_modes.hpp"
#include "tools/mode_names.hpp"
#include "tools/option_text.hpp"
#include "tools/printable.hpp"
#include "tools/result_json.hpp"
#include "tools/tensor_input.hpp"
#include "tools/text.hpp"

#include <genten/cp/stream.hpp>
#include <genten/io/checkpoint.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <ostream>
#include <set>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;
using Saved = Checkpoint<StreamingCp::Model>;

struct UpdateCommand {
  std::string model;
  TensorInput input;
  std::vector<std::string> files;
  std::string mode;
  std::string training;
  std::string output;
  std::string report_of_run;
  std::string taken;  ///< in words, which options are those of the run
  StreamOptions run;
  ReportOptions report;
  Given given;
};

std::string other_ways(const std::string& model) {
  return "genten project finds rows of new slices alone, genten decompose ALL " +
         fit_options(model) + " all rows from old and new data together";
}

/// The loss of that name, which `subject` tells; throws a usage error for one that streams lack.
StreamLoss stream_loss(const UpdateCommand& command, const std::string& subject,
                       const std::string& loss) {
  if (loss != "gaussian" && loss != "poisson") {
    usage_error(subject, "no statistics stand for earlier slices under its loss, " + loss +
                             ": expected gaussian or poisson, as by --loss; " +
                             other_ways(command.model));
  }
  return loss == "poisson" ? StreamLoss::poisson : StreamLoss::gaussian;
}

/// Takes the rule for duplicates from the run. Throws a usage error where entries were missing,
/// unless a stream goes on for which that was decided when it began.
void take_entries(UpdateCommand& command, const std::optional<KnownRun>& run, bool goes_on) {
  const EntriesOfRun entries = entries_of_run(run);
  if (!goes_on && entries.missing != "none") {
    usage_error((command.report_of_run.empty() ? "" : "--run: ") + input_name(entries.source),
                "its run had missing entries, which an update takes for zeros: " +
                    other_ways(command.model) + "; --run none" + options_of_values(run->options) +
                    " updates it as a model by least squares without penalties, whose values are "
                    "drawn towards zero by entries that are not listed");
  }
  std::vector<std::string> taken;
  take_duplicates(command.input, command.given, entries.duplicates, taken);
  if (taken.empty()) return;
  command.taken += (command.taken.empty() ? "" : "; ") + join(taken, ", ") + ", of " +
                   input_name(entries.source);
}

/// Takes loss and constraints that the command line does not give from the run that made the model.
void take_run(UpdateCommand& command, std::size_t order, const KnownRun& run) {
  const bool loss_given = command.given("--loss");
  const std::string subject =
      (command.report_of_run.empty() ? "" : "--run: ") + input_name(run.file);
  std::vector<std::string> taken;
  const std::string loss = loss_given ? value_text(command.run.loss) : run.loss();
  const StreamLoss kind = stream_loss(command, subject, loss);
  if (!loss_given) {
    command.run.loss = kind;
    taken.push_back("loss " + loss);
  }
  const double part = loss == "gaussian" && run.sums_whole_squares() ? 0.5 : 1.0;
  const auto take = [&](const char* name, std::vector<double>& to, double RowConstraint::*member,
                        double by) {
    const double none = RowConstraint().*member;
    std::vector<double> of_run;
    for (std::size_t n = 0; n < order; ++n) of_run.push_back(run.constraint(n).*member * by);
    const auto is_none = [&](double each) { return each == none; };
    if (command.given(std::string("--") + name)) return;
    if (std::all_of(of_run.begin(), of_run.end(), is_none)) return;
    to = of_run;
    taken.push_back(std::string(name) + " " + value_text(to));
  };
  take("ridge", command.run.ridge, &RowConstraint::ridge, part);
  take("l1", command.run.l1, &RowConstraint::l1, part);
  // Models of counts are nonnegative by themselves.
  if (loss == "gaussian") take("lower", command.run.lower, &RowConstraint::lower, 1.0);
  take("upper", command.run.upper, &RowConstraint::upper, 1.0);
  if (!taken.empty()) command.taken = join(taken, ", ") + ", of " + input_name(run.file);
}

/// The options that a stream goes on with: its own, but for those that the command line gives and
/// that may change. Others must mean what the stream has.
void go_on(StreamingCp& stream, const UpdateCommand& options, std::size_t order) {
  StreamOptions own = stream.options();
  for_each_field(options.run, [&](const auto& field, const auto& value) {
    const std::string name = "--" + std::string(field.name);
    if (!options.given(name)) return;
    if (field.name == "forget" || field.name == "history" || field.name == "sweeps") return;
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, ModeSelection>) {
      tools::require_modes(field.name, value.modes, order);
    }
    StreamOptions other = own;
    std::string kept;
    for_each_field(other, [&](const auto& its, auto& own_value) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(own_value)>,
                                   std::remove_cvref_t<decltype(value)>>) {
        if (its.name != field.name) return;
        kept = value_text(own_value);
        own_value = value;
      }
    });
    if (other.loss == own.loss && other.extra == own.extra &&
        row_constraints(other, order) == row_constraints(own, order)) {
      return;
    }
    usage_error(name, "expected " + (kept.empty() ? "none" : kept) + ", as the stream of " +
                          input_name(options.model) + " has it, got " + value_text(value));
  });
  if (options.given("--forget")) own.forget = options.run.forget;
  if (options.given("--history")) own.history = options.run.history;
  if (options.given("--sweeps")) own.sweeps = options.run.sweeps;
  stream.set_options(own.forget, own.history, own.sweeps);
}

StreamingCp open_stream(UpdateCommand& options, const Labels& labels,
                        const std::optional<Saved>& saved, const StreamingCp::Model& model,
                        const std::optional<KnownRun>& run) {
  const auto order = static_cast<std::size_t>(model.order());
  if (saved) {
    StreamingCp stream =
        tools::reading(options.model, [&] { return StreamingCp(HostExec(), *saved); });
    if (options.given("--mode") && mode_of("mode", options.mode, labels.mode_names(),
                                           lack_of_sidecar(options.model)) != stream.mode()) {
      const std::string& name = labels.mode_name(static_cast<std::size_t>(stream.mode()));
      usage_error("--mode", "expected " + std::to_string(stream.mode() + 1) +
                                (name.empty() ? "" : " (" + tools::printable(name) + ")") +
                                ", in which slices of " + input_name(options.model) +
                                " have arrived so far, got " + options.mode);
    }
    if (options.given("--training")) {
      usage_error("--training", input_name(options.model) +
                                    " has its statistics already: expected no training tensor");
    }
    if (options.given("--run")) {
      usage_error("--run", input_name(options.model) +
                               " has its loss and constraints already: expected no report");
    }
    go_on(stream, options, order);
    return stream;
  }
  if (!options.given("--mode")) {
    usage_error("--mode",
                "expected the mode in which slices arrive, as in --mode " + std::to_string(order));
  }
  const int mode =
      mode_of("mode", options.mode, labels.mode_names(), lack_of_sidecar(options.model));
  if (run) {
    take_run(options, order, *run);
  } else {
    tell_of_unknown_constraints(options.model, options.report_of_run, options.given);
  }
  return concerning(input_name(options.model),
                    [&] { return StreamingCp(HostExec(), model, mode, options.run); });
}

/// Reads a file and calls use(tensor, facts, its names, how it was read).
template <class Use>
void with_file(const UpdateCommand& options, const std::optional<KnownRun>& run,
               const NewRows& rows, const std::string& file, const Use& use) {
  TensorInput input = options.input;
  input.file = file;
  take_text_base(options.model, run ? run->options : nlohmann::json(), input);
  take_values(input.read, file, options.given, run, rows.labels().mode_names());
  input.read = by_names_of(rows.named(), file, input.read);
  with_tensor_of<double, HostExec>(
      input, options.report.quiet, [&](const auto& read, const TensorFacts& facts) {
        Labels names = labels_of("", facts);
        tell_of_text_numbers(rows.named(), input, facts.report);
        const auto tensor = with_numbers_as_names(rows.named(), file, facts.report, read, names);
        TensorFacts of_names = facts;
        of_names.dimensions = tensor.dimensions();
        use(tensor, of_names, names, input.read);
        return 0;
      });
}

/// Says where slices of a file are empty that follow the model's `have`, or more than these: they
/// may be numbers of the model's own, or ids. Text and tables count from `first`. Single empty ones
/// are no news.
void judge_empty_slices(const StreamBatch& batch, int mode, std::size_t have,
                        const std::string& file, std::size_t first, std::size_t next_row) {
  const std::size_t all = batch.slices;
  const bool are_ids = tools::slices_are_ids(batch.first, batch.empty, all);
  if (batch.empty == all || (!are_ids && all <= have)) return;
  std::cout.flush();
  std::cerr << "genten: note: " << input_name(file) << ": ";
  if (!are_ids) {
    std::cerr << count_of(all, "slice") << " of mode " << mode + 1 << ", where the model has "
              << have
              << ": if these are among them, leave them out, since in each file slices count from "
              << first << ", and slice " << first << " becomes row " << next_row
              << " of the model\n";
    return;
  }
  std::cerr << batch.empty << " of " << count_of(all, "slice") << " of mode " << mode + 1
            << " become rows without entries, slice " << batch.first + first << " row "
            << next_row + batch.first << " of the model: in each file slices count from " << first
            << "; if they are ids, make the model with --compact, by which these are names\n";
}

/// `notes` are all on the batch and its entries.
Json to_json(const std::string& file, const StreamBatch& batch,
             const std::vector<std::string>& notes) {
  return {
      {"file", file},
      {"slices", tools::count_json(batch.slices)},
      {"nonzeros", tools::count_json(batch.nonzeros)},
      {"new_rows", batch.new_rows},
      {"tensor_norm", batch.tensor_norm},
      {"residual_norm", batch.residual_norm},
      {"fit", batch.fit},
      {"fit_of_new_rows", std::isnan(batch.fit_of_new_rows) ? Json() : Json(batch.fit_of_new_rows)},
      {"fit_of_other_rows",
       std::isnan(batch.fit_of_other_rows) ? Json() : Json(batch.fit_of_other_rows)},
      {"notes", notes}};
}

/// With the rows that slices become which have no names: those that are given twice become two.
std::string line_of_batch(const std::string& file, const StreamBatch& batch, int mode,
                          std::optional<std::size_t> first_row) {
  std::string line = "slices     " + input_name(file) + ": " + count_of(batch.slices, "slice") +
                     ", " + count_of(batch.nonzeros, "nonzero") + ", fit " +
                     format("%.6g", batch.fit);
  if (first_row && batch.slices != 0) {
    line += batch.slices == 1 ? ", as row " : ", as rows ";
    line += std::to_string(*first_row);
    if (batch.slices > 1) line += " to " + std::to_string(*first_row + batch.slices - 1);
    line += " of mode " + std::to_string(mode + 1);
  }
  for (std::size_t n = 0; n < batch.new_rows.size(); ++n) {
    if (static_cast<int>(n) == mode || batch.new_rows[n] == 0) continue;
    line += ", " + count_of(batch.new_rows[n], "new row") + " in mode " + std::to_string(n + 1);
  }
  return line;
}

/// What the command line says of reading and of the run, as project takes it.
std::string options_given(const UpdateCommand& options, const Labels& labels) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!options.given("--" + name)) return;
    text += " " + tools::in_words(error_text::option(name, value));
  };
  const ReadOptions& read = options.input.read;
  add("modes", names_in_option(read.modes));
  add("values", names_in_option({read.values}));
  add("index-base", value_text(read.index_base));
  add("duplicates", value_text(read.duplicates));
  add("decimal", value_text(read.decimal));
  add("encoding", value_text(read.encoding));
  add("run", options.report_of_run);
  add("loss", value_text(options.run.loss));
  // A stream has its constraints already, and counts have none.
  if (!options.given("--mode") || options.run.loss == StreamLoss::poisson) return text;
  const auto mode = static_cast<std::size_t>(mode_of("mode", options.mode, labels.mode_names()));
  const RowConstraint own = concerning(input_name(options.model), [&] {
    return row_constraints(options.run, labels.mode_names().size())[mode];
  });
  const auto add_own = [&](const std::string& name, double value, double none) {
    if (value != none && (options.given("--" + name) || options.given("--nonnegative"))) {
      text += " " + tools::in_words(error_text::option(name, format("%.15g", value)));
    }
  };
  add_own("ridge", own.ridge, 0.0);
  add_own("l1", own.l1, 0.0);
  add_own("lower", own.lower, -RowConstraint::none);
  add_own("upper", own.upper, RowConstraint::none);
  return text;
}

int update(UpdateCommand options) {
  const std::string output = options.output.empty() ? options.model : options.output;
  if (options.model == "-") usage_error("MODEL", "expected a file, got the standard input");
  const auto saved = StreamingCp::saved_in(options.model);
  const auto model =
      saved ? saved->model
            : read_cp_model(options.model, "genten update takes MODEL FILE..., the model first")
                  .model;
  if (output == "-" || model_form(output) != ModelForm::binary) {
    usage_error("--output",
                "expected a name that ends in .gkt, as in -o stream.gkt, since the "
                "stream's statistics have room in Genten's binary form alone, got " +
                    (options.output.empty() ? "none beside " + options.model : output));
  }
  std::vector<std::string> inputs = options.files;
  if (!options.training.empty()) inputs.push_back(options.training);
  require_places(inputs, {{output, OutputKind::model}, {options.report.json, OutputKind::json}});
  const Labels known = labels_of("", options.model, model.dimensions());
  for_each_field(options.run, [&](const auto& field, auto& value) {
    tools::number_modes(field.name, value, known.mode_names());
  });
  NewRows rows(options.model, known, model.dimensions(), options_given(options, known));
  const auto run =
      saved ? run_of_stream(options.model, *saved)
            : run_of_model(options.model, options.report_of_run, model.dimensions().size());
  StreamingCp stream = open_stream(options, rows.labels(), saved, model, run);
  take_entries(options, run, saved.has_value());
  const auto values_of = [&](const TensorFacts& facts, const ReadOptions& read, const auto& body) {
    const LossData data = AnyLoss::named(value_text(stream.options().loss)).facts().data;
    return with_values_of(facts, read, data, input_name(facts.file), body);
  };
  if (!options.training.empty()) {
    with_file(options, run, rows, options.training,
              [&](const auto& tensor, const auto& facts, const auto& names, const auto& read) {
                const auto placed = rows.placed(tensor, facts, names);
                values_of(facts, read, [&] { stream.train(HostExec(), placed); });
              });
  }
  std::ostream& out = report_stream(options.report.quiet, {options.report.json});
  if (!options.taken.empty()) print_line(out, "options", options.taken);
  Json batches = Json::array();
  std::set<NoteCode> told;
  for (const std::string& file : options.files) {
    const auto take_in = [&](const auto& tensor, const auto& facts, const auto& names,
                             const auto& read) {
      const std::size_t have = rows.dimensions()[static_cast<std::size_t>(stream.mode())];
      const auto placed = rows.with_new(tensor, facts, names, stream.mode(), stream.model());
      std::optional<std::size_t> first;
      if (rows.slices_are_numbered()) first = first_number_in(facts.report, names);
      const std::size_t next_row = have + rows.labels().first_number();
      const StreamBatch batch =
          values_of(facts, read, [&] { return stream.update(HostExec(), placed, first); });
      if (first) judge_empty_slices(batch, stream.mode(), have, file, *first, next_row);
      auto notes = tools::batch_notes(batch, tools::in_words), shown = notes;
      const std::string loss = value_text(stream.options().loss);
      for (const Note& note : notes_on_entries(placed, facts, loss, "none", false)) {
        notes.push_back(tools::in_words(note.text));
        if (told.insert(note.code).second) shown.push_back(notes.back());  // of the first file
      }
      batches.push_back(to_json(file, batch, notes));
      const bool counts = facts.report.table && facts.report.table->ones;
      std::optional<std::size_t> first_row;
      if (first) first_row = next_row;
      out << line_of_batch(file, batch, stream.mode(), first_row) << tools::duplicates_text(facts)
          << (counts ? ", each row counts as 1" : "")
          << subscripts_from(rows.labels(), file, facts.report) << std::endl;
      for (const std::string& note : rows.notes()) {
        print_line(out, "note", input_name(file) + ": " + note);
      }
      for (const std::string& note : shown) {
        print_line(out, "note", input_name(file) + ": " + note);
      }
    };
    with_file(options, run, rows, file, take_in);
  }
  const Saved reached = stream.checkpoint();
  Attempts attempt;
  const bool written = attempt([&] { write_checkpoint(output, reached); });
  const auto dimensions = reached.model.dimensions();
  std::string labels_file;
  if (written) {
    OutputNames names{rows.labels(), dimensions};
    auto own = options_of(stream.options());
    own["duplicates"] = value_text(options.input.read.duplicates);
    if (options.given("--values")) {
      own["values"] = options.input.read.values;
    } else if (run && run->options.contains("values")) {
      own["values"] = run->options["values"];
    }
    own["decimal"] = options.given("--decimal") ? value_text(options.input.read.decimal)
                     : run                      ? run->options.value("decimal", "auto")
                                                : "auto";
    own["text_base"] = options.given("--index-base")
                           ? first_subscript(options.input.read.index_base)
                           : text_base(options.model, run ? run->options : nlohmann::json());
    names.run = run_of_options(own, "");
    labels_file = save_labels(attempt, output, names);
  }
  Json json = {
      {"model", options.model}, {"mode", stream.mode() + 1}, {"options_of_run", options.taken}};
  for_each_field(stream.options(), [&](const auto& field, const auto& value) {
    json["options"][std::string(field.name)] = value_text(value);
  });
  json.update(Json{{"batches", std::move(batches)},
                   {"batches_so_far", tools::count_json(stream.batches())},
                   {"dimensions", dimensions},
                   {"rank", reached.model.rank()},
                   {"output", written ? output : ""},
                   {"labels", labels_file}});
  json.update(describe_environment());
  attempt([&] { write_json(options.report.json, json); });
  out << "model      " << format_dimensions(dimensions) << ", rank " << reached.model.rank()
      << '\n';
  if (written) {
    out << "written to " << output_name(output)
        << (options.output.empty() ? ", in place of the model as it was; -o FILE keeps that" : "")
        << '\n';
  }
  return attempt.exit_code();
}

void declare(CLI::App& app, UpdateCommand& options) {
  options.given = given_in(app);
  add_text(app, "MODEL", "FILE", options.model,
           "CP model, or what an update has written, which goes on where it was");
  add_texts(app, "FILE", "FILE", options.files,
            "tensors of new slices, in the order of their arrival, each a batch");
  OptionNames read;
  read.renamed["memory-limit"] = "read-memory-limit";
  read.left_out = {"threads", "block-bytes", "dimensions"};
  read.defaults = {{"values", values_of_run}};
  add_fields(app, options.input.read, read);
  add_text(app, "--mode", "MODE", options.mode,
           "the mode in which slices arrive, by its number from 1 or its name; what an update has "
           "written knows it");
  add_fields(app, options.run);
  add_text(app, "--training", "FILE", options.training,
           "the tensor that MODEL was fitted to: exact statistics where the fit had not converged "
           "or was constrained, and the first batch of the history");
  add_run(app, options.report_of_run, "loss and constraints",
          "nothing is known, which is least squares without constraints");
  add_output(app, "-o,--output", options.output,
             "write model and statistics (.gkt), which all commands read as a model; default: "
             "MODEL");
  add_report(app, options.report);
  set_footer(app,
             "Rows of the new slices follow those of the model; the other factors move by what\n"
             "is kept of earlier slices: a matrix of each factor's size, not their entries.\n"
             "Where names stand beside both files (FILE.labels.json), rows go by these; names\n"
             "that the model lacks, and rows behind its last one, become new rows. Beside a\n"
             "model that was made with --compact numbers are names. Elsewhere slices count\n"
             "from 1 in each file. Once all FILEs are taken in, MODEL is replaced,\n"
             "unless -o names another file.\n"
             "\n"
             "Examples:\n"
             "  genten update model.gkt monday.tns --mode 3 -o stream.gkt\n"
             "  genten update stream.gkt tuesday.tns wednesday.tns --sweeps 5\n"
             "  genten update stream.gkt thursday.tns --forget 0.9");
}

}  // namespace

void add_update(CLI::App& tool, Action& action) {
  add_command<UpdateCommand>(tool, action, "update", "go on with a model as slices arrive", declare,
                             update);
}

}  // namespace genten::cli
