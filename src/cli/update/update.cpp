// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten update: a model that goes on with slices that arrive.

#include "command.hpp"
#include "data_fault.hpp"
#include "model/read_model.hpp"
#include "new_rows.hpp"
#include "option_rules.hpp"
#include "outputs.hpp"
#include "project/run_options.hpp"
#include "report_lines.hpp"
#include "sidecar/sidecar.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/option_text.hpp"
#include "tools/result_json.hpp"
#include "tools/tensor_input.hpp"
#include "tools/text.hpp"

#include <CLI/CLI.hpp>

#include <genten/cp/stream.hpp>
#include <genten/io/checkpoint.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>

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

/// What a stream left in the file, if one did.
std::optional<Saved> saved_stream(const std::string& file) {
  try {
    if (checkpoint_scalar_bytes(file) != sizeof(double)) return std::nullopt;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::file) throw;
    return std::nullopt;  // no checkpoint: whatever else it is, the reader of models says
  }
  Saved saved = read_checkpoint<double, HostExec>(file);
  if (!StreamingCp::is_stream(saved)) return std::nullopt;
  return saved;
}

/// A mode by its number from 1, or by its name.
int mode_of(const std::string& text, const Labels& labels, std::size_t order) {
  for (std::size_t n = 0; n < order; ++n) {
    if (text == std::to_string(n + 1) || text == labels.mode_name(n)) return static_cast<int>(n);
  }
  std::vector<std::string> names;
  for (std::size_t n = 0; n < order; ++n) {
    if (!labels.mode_name(n).empty()) names.push_back(labels.mode_name(n));
  }
  usage_error("--mode", "expected 1 to " + std::to_string(order) +
                            (names.empty() ? "" : " or a name of " + join(names, ", ")) + ", got " +
                            text);
}

constexpr const char* other_ways =
    "; genten project finds rows of new slices alone, genten decompose --init MODEL all rows from "
    "all data";

/// The loss of that name, which `subject` tells; throws a usage error for one that streams lack.
StreamLoss stream_loss(const std::string& subject, const std::string& loss) {
  if (loss != "gaussian" && loss != "poisson") {
    usage_error(subject, "no statistics stand for earlier slices under its loss, " + loss +
                             ": expected gaussian or poisson, as by --loss" + other_ways);
  }
  return loss == "poisson" ? StreamLoss::poisson : StreamLoss::gaussian;
}

/// Takes loss and constraints that the command line does not give from the report of the run that
/// made the model or, where there is none, the loss from beside the model.
void take_run(UpdateCommand& command, std::size_t order) {
  const bool loss_given = command.given("--loss");
  const bool reported = with_run_report(command.model, command.report_of_run, [&](const auto& run) {
    const std::string subject = "--run: " + input_name(run.file);
    std::vector<std::string> taken;
    const std::string loss = loss_given ? value_text(command.run.loss) : run.loss();
    const StreamLoss kind = stream_loss(subject, loss);
    if (run.missing() != "none") {
      usage_error(subject,
                  "its run had missing entries, which an update takes for zeros: expected a run "
                  "without; --run none goes on without the report" +
                      std::string(other_ways));
    }
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
    if (!command.given("--nonnegative") && loss == "gaussian") {
      take("lower", command.run.lower, &RowConstraint::lower, 1.0);
    }
    take("upper", command.run.upper, &RowConstraint::upper, 1.0);
    if (!taken.empty()) command.taken = join(taken, ", ") + ", of " + input_name(run.file);
  });
  if (reported || loss_given) return;
  const std::string beside = loss_of({}, command.model).name;
  if (beside.empty()) return;
  const std::string file = input_name(command.model + ".labels.json");
  command.run.loss = stream_loss(file, beside);
  command.taken = "loss " + beside + ", of " + file;
}

/// The options that a stream goes on with: its own, but for those that the command line gives.
void go_on(StreamingCp& stream, const UpdateCommand& options) {
  StreamOptions own = stream.options();
  for_each_field(options.run, [&](const auto& field, const auto& value) {
    const std::string name = "--" + std::string(field.name);
    if (!options.given(name)) return;
    if (field.name == "forget" || field.name == "history" || field.name == "sweeps") return;
    const std::string here = value_text(value);
    for_each_field(own, [&](const auto& other, const auto& kept) {
      if (other.name != field.name || value_text(kept) == here) return;
      usage_error(name, "expected " + value_text(kept) + ", as the stream of " +
                            input_name(options.model) + " has it, got " + here);
    });
  });
  if (options.given("--forget")) own.forget = options.run.forget;
  if (options.given("--history")) own.history = options.run.history;
  if (options.given("--sweeps")) own.sweeps = options.run.sweeps;
  stream.set_options(own.forget, own.history, own.sweeps);
}

StreamingCp open_stream(UpdateCommand& options, const Labels& labels,
                        const std::optional<Saved>& saved, const StreamingCp::Model& model) {
  const auto order = static_cast<std::size_t>(model.order());
  if (saved) {
    StreamingCp stream =
        tools::reading(options.model, [&] { return StreamingCp(HostExec(), *saved); });
    if (options.given("--mode") && mode_of(options.mode, labels, order) != stream.mode()) {
      usage_error("--mode", "expected " + std::to_string(stream.mode() + 1) +
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
    go_on(stream, options);
    return stream;
  }
  if (!options.given("--mode")) {
    usage_error("--mode",
                "expected the mode in which slices arrive, as in --mode " + std::to_string(order));
  }
  const int mode = mode_of(options.mode, labels, order);
  take_run(options, order);
  return concerning(input_name(options.model),
                    [&] { return StreamingCp(HostExec(), model, mode, options.run); });
}

/// Reads a file and calls use(tensor, facts, its names).
template <class Use>
void with_file(const UpdateCommand& options, const std::string& file, const Use& use) {
  TensorInput input = options.input;
  input.file = file;
  with_tensor_of<double, HostExec>(
      input, options.report.quiet, [&](const auto& tensor, const TensorFacts& facts) {
        use(tensor, facts, labels_of("", file, facts.dimensions, facts.report));
        return 0;
      });
}

Json to_json(const std::string& file, const StreamBatch& batch) {
  return {{"file", file},
          {"slices", tools::count_json(batch.slices)},
          {"nonzeros", tools::count_json(batch.nonzeros)},
          {"new_rows", batch.new_rows},
          {"tensor_norm", batch.tensor_norm},
          {"residual_norm", batch.residual_norm},
          {"fit", batch.fit}};
}

std::string line_of_batch(const std::string& file, const StreamBatch& batch, int mode) {
  std::string line = "slices     " + input_name(file) + ": " + count_of(batch.slices, "slice") +
                     ", " + count_of(batch.nonzeros, "nonzero") + ", fit " +
                     format("%.6g", batch.fit);
  for (std::size_t n = 0; n < batch.new_rows.size(); ++n) {
    if (static_cast<int>(n) == mode || batch.new_rows[n] == 0) continue;
    line += ", " + count_of(batch.new_rows[n], "new row") + " in mode " + std::to_string(n + 1);
  }
  return line;
}

int update(UpdateCommand options) {
  const std::string output = options.output.empty() ? options.model : options.output;
  if (options.model == "-") usage_error("MODEL", "expected a file, got the standard input");
  if (output == "-" || model_form(output) != ModelForm::binary) {
    usage_error(options.output.empty() ? "MODEL" : "--output",
                "statistics have room in Genten's binary form alone: expected a name that ends in "
                ".gkt, as in -o model.gkt, got " +
                    output);
  }
  std::vector<std::string> inputs = options.files;
  if (!options.training.empty()) inputs.push_back(options.training);
  require_places(inputs, {output, options.report.json});
  const auto saved = saved_stream(options.model);
  const auto model =
      saved ? saved->model
            : read_value_model(options.model, "genten update takes MODEL FILE..., the model first")
                  .model;
  NewRows rows(options.model, labels_of("", options.model, model.dimensions()), model.dimensions());
  StreamingCp stream = open_stream(options, rows.labels(), saved, model);
  if (!options.training.empty()) {
    with_file(options, options.training,
              [&](const auto& tensor, const auto& facts, const auto& names) {
                const auto placed = rows.placed(tensor, facts, names);
                with_values_of(options.training, input_name(options.training),
                               [&] { stream.train(HostExec(), placed); });
              });
  }
  std::ostream& out = report_stream(options.report.quiet, {options.report.json});
  if (!options.taken.empty()) print_line(out, "options", options.taken);
  Json batches = Json::array();
  for (const std::string& file : options.files) {
    with_file(options, file, [&](const auto& tensor, const auto& facts, const auto& names) {
      const auto placed = rows.with_new(tensor, facts, names, stream.mode());
      const StreamBatch batch =
          with_values_of(file, input_name(file), [&] { return stream.update(HostExec(), placed); });
      batches.push_back(to_json(file, batch));
      out << line_of_batch(file, batch, stream.mode()) << std::endl;
    });
  }
  const Saved reached = stream.checkpoint();
  Attempts attempt;
  const bool written = attempt([&] { write_checkpoint(output, reached); });
  const auto dimensions = reached.model.dimensions();
  std::string labels_file;
  if (written) {
    OutputNames names{rows.labels(), dimensions};
    if (stream.options().loss != StreamLoss::gaussian) {
      names.loss.name = value_text(stream.options().loss);
    }
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
  if (written) out << "written to " << output_name(output) << '\n';
  return attempt.exit_code();
}

void declare(CLI::App& app, UpdateCommand& options) {
  options.given = given_in(app);
  add_text(app, "MODEL", "FILE", options.model,
           "CP model, or what an update has written, which goes on where it was");
  app.add_option("FILE", options.files,
                 "tensors of new slices, in the order of their arrival, each a batch")
      ->required()
      ->type_name("FILE");
  OptionNames read;
  read.renamed["memory-limit"] = "read-memory-limit";
  read.left_out = {"threads", "block-bytes", "dimensions"};
  add_fields(app, options.input.read, read);
  add_text(app, "--mode", "MODE", options.mode,
           "the mode in which slices arrive, by its number from 1 or its name; what an update has "
           "written knows it");
  add_fields(app, options.run);
  add_text(app, "--training", "FILE", options.training,
           "the tensor that MODEL was fitted to: exact statistics where the fit had not converged "
           "or was constrained, and the first batch of the history");
  add_text(app, "--run", "FILE", options.report_of_run,
           "the report of the run that made MODEL (decompose --json), whose loss and constraints "
           "are the defaults; by default the one of MODEL's name, with .json behind it or in place "
           "of its ending, if that is of MODEL; none: no report. Without one the loss is that "
           "beside MODEL, else least squares");
  add_output(app, "-o,--output", options.output,
             "write model and statistics (.gkt), which all commands read as a model; default: "
             "MODEL");
  add_report(app, options.report);
  set_footer(app,
             "Rows of the new slices follow those of the model; the other factors move by what\n"
             "is kept of earlier slices: a matrix of each factor's size, not their entries.\n"
             "Where names stand beside both files (FILE.labels.json), rows go by these; names\n"
             "that the model lacks, and rows behind its last one, become new rows. Slices count\n"
             "from 1 in each file. MODEL is replaced unless -o names another file, once all\n"
             "FILEs are taken in.\n"
             "\n"
             "Examples:\n"
             "  genten update model.ktensor monday.tns --mode 3 -o stream.gkt\n"
             "  genten update stream.gkt tuesday.tns wednesday.tns --sweeps 5\n"
             "  genten update stream.gkt thursday.tns --forget 0.9");
}

}  // namespace

void add_update(CLI::App& tool, Action& action) {
  add_command<UpdateCommand>(tool, action, "update", "go on with a model as slices arrive", declare,
                             update);
}

}  // namespace genten::cli
