// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten project: rows of new slices for a model whose other factors stay.

#include "project.hpp"

#include "command.hpp"
#include "data_fault.hpp"
#include "long_modes.hpp"
#include "model/read_model.hpp"
#include "outputs.hpp"
#include "report_lines.hpp"
#include "run_options.hpp"
#include "sidecar/common_rows.hpp"
#include "sidecar/lacking_names.hpp"
#include "sidecar/lacking_rows.hpp"
#include "sidecar/listed_entries.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/partial_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "sidecar/unknown_rows.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/hints/new_names.hpp"
#include "tools/hints/new_rows.hpp"
#include "tools/mode_names.hpp"
#include "tools/result_json.hpp"

#include <genten/core/mode_order.hpp>
#include <genten/run/notes.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace genten::cli {
namespace {

using OrderedJson = nlohmann::ordered_json;
using Model = Ktensor<double, HostExec>;

/// A tensor whose rows are the model's but in one mode, with the names of all.
template <class Tensor>
struct NewSlices {
  Tensor tensor;
  Labels labels;
  CountingRows counting;  ///< of the other modes
  Tensor counted;         ///< in these
};

/// The rows of other modes without entries in new slices, by mode, but for those that are zero in
/// the model: what they are compared with makes no difference to the new rows.
template <class Tensor>
std::vector<std::set<std::size_t>> absent_rows(const Tensor& placed, const Model& model,
                                               const NamedRows& own, std::size_t mode) {
  auto absent = empty_rows(placed, own);
  for (std::size_t n = 0; n < absent.size(); ++n) {
    std::erase_if(absent[n], [&](std::size_t i) { return n == mode || is_zero_row(model, n, i); });
  }
  return absent;
}

/// The slices of a file. Standard error names rows of the other modes that `new_ones` lack, and
/// whose entries count as zeros: by their names or, of tables, numbers.
template <class Tensor>
NewSlices<Tensor> as_slices(const ProjectCommand& command, const Model& model, const Labels& known,
                            std::size_t mode, const Tensor& read, const TensorFacts& facts,
                            bool new_ones = true) {
  const std::size_t order = model.dimensions().size();
  if (read.dimensions().size() != order) {
    throw Error::in_file(input_name(facts.file), 0,
                         "expected " + count_of(order, "mode") + ", those of " +
                             input_name(command.model) + ", got " + std::to_string(read.order()));
  }
  Labels own = labels_of("", facts);
  const NamedRows of_model{command.model, known, model.dimensions()};
  tell_of_text_numbers(of_model, command.input, facts.report);
  const Tensor tensor = with_numbers_as_names(of_model, facts.file, facts.report, read, own);
  const Labels without = known.with_rows_of(mode, nullptr, 0);
  auto lengths = model.dimensions();
  const NamedRows theirs{facts.file, own, tensor.dimensions()};
  RowMatch match = match_rows({command.model, without, lengths}, theirs);
  const auto at = static_cast<std::size_t>(match.modes[mode]);
  Labels labels = known.with_rows_of(mode, &own, at);
  lengths[mode] = tensor.dimensions()[at];
  const NamedRows all{command.model, labels, lengths};
  require_no_ids_beside_rows(all, theirs);
  require_names(all, theirs, facts.report, facts.modes_given);
  match.rows[mode].clear();
  const Tensor placed = in_rows_of(tensor, match, all, theirs,
                                   {WayToNewRows{.model = command.model, .projects = true}});
  tell_of_zero_rows(all, model, facts.file, placed, static_cast<int>(mode));
  if (new_ones && command.missing != "unlisted") {
    std::vector<std::set<std::size_t>> empty_numbers;
    if (facts.report.table) empty_numbers = absent_rows(placed, model, all, mode);
    tell_of_absent_rows({command.partial, false}, match, all, theirs, {}, empty_numbers);
  }
  auto counting = rows_that_count(command.partial, all, placed);
  const Tensor counted = in_some_rows(placed, counting);
  return {placed, std::move(labels), std::move(counting), counted};
}

template <class Tensor>
Projection<double, HostExec> project(const ProjectCommand& command, const Model& model,
                                     const NewSlices<Tensor>& slices, const TensorFacts& facts,
                                     std::size_t mode) {
  const AnyLoss loss = AnyLoss::named(command.loss, command.loss_parameter);
  const bool list = command.missing != "none" && command.missing != "unlisted";
  const HostExec exec;
  const auto at = static_cast<int>(mode);
  const std::string both = input_name(command.model) + " on " + input_name(facts.file);
  const auto modes = natural_mode_order(slices.counting.size());
  const Model part = some_rows(model, modes, slices.counting);
  const Tensor& tensor = slices.counted;
  auto found = with_values_of(facts, command.input.read, loss.facts().data, both, [&] {
    if (!list) return project_rows(exec, part, tensor, at, loss, command.options);
    const NamedRows own{facts.file, slices.labels, slices.tensor.dimensions()};
    const Tensor missing = listed_entries<Tensor>(command.missing, own, facts.file, facts.report);
    tell_of_zero_rows({command.model, slices.labels, own.dimensions}, model, command.missing,
                      missing, at);
    return project_rows(exec, part, tensor, in_some_rows(missing, slices.counting), at, loss,
                        command.options);
  });
  std::vector<FacMatrix<double, HostExec>> factors;
  for (const int n : modes) factors.push_back((n == at ? found.model : model).factor(n));
  found.model = Model(found.model.weights(), std::move(factors));
  return found;
}

/// Of options that name columns of FILE those that --training has, too; else its columns are those
/// of the model and its run.
void take_columns(const ProjectCommand& command, const Labels& known, const std::string& file,
                  ReadOptions& read) {
  const auto columns = table_columns(file, read);
  const auto lacks = [&](const std::string& name) {
    return std::find(columns.begin(), columns.end(), name) == columns.end();
  };
  if (columns.empty()) return;
  if (std::any_of(read.modes.begin(), read.modes.end(), lacks)) read.modes.clear();
  if (read.values.empty() || !lacks(read.values)) return;
  read.values.clear();
  take_values(
      read, file, [](const std::string& /*option*/) { return false; }, command.report_of_run,
      known.mode_names());
}

/// The part explained below which rows fit far worse than those of the training tensor do.
double fence_of(const ProjectCommand& command, const Model& model, const Labels& known,
                std::size_t mode) {
  double fence = std::numeric_limits<double>::quiet_NaN();
  if (command.training.empty()) return fence;
  TensorInput input = command.input;
  input.file = command.training;
  take_text_base(command.model, command.options_of_run, input);
  take_columns(command, known, input.file, input.read);
  input.read = by_names_of({command.model, known, model.dimensions()}, input.file, input.read);
  ProjectCommand training = command;
  training.input = input;
  training.partial = {};
  if (training.missing != "unlisted") training.missing = command.missing_in_training;
  static_cast<void>(with_tensor_of<double, HostExec>(
      input, command.report.quiet, [&](const auto& read, const TensorFacts& facts) {
        const auto slices = as_slices(training, model, known, mode, read, facts, false);
        fence = far_worse_than(project(training, model, slices, facts, mode).rows);
        return 0;
      }));
  return fence;
}

void settle(ProjectCommand& command, const Model& model, const Labels& known, std::size_t mode) {
  const bool sums_squares = command.loss == "gaussian";
  command.options.loss_factor = sums_squares ? 0.5 : 1.0;
  const auto order = static_cast<std::size_t>(model.order());
  const auto& run = command.report_of_run = run_of_model(command.model, command.run, order);
  if (run) take_run(command, model, static_cast<int>(mode), *run);
  take_text_base(command.model, run ? run->options : nlohmann::json(), command.input);
  take_values(command.input.read, command.input.file, command.given, run, known.mode_names());
  if (command.loss != "gaussian") command.options.loss_factor = 1.0;
  if (command.nonnegative) {
    command.options.constraint.lower = std::max(command.options.constraint.lower, 0.0);
  }
  const auto names = loss_names();
  if (std::find(names.begin(), names.end(), command.loss) == names.end()) {
    usage_error("--loss", "expected " + join(names, "|") + ", got \"" + command.loss + "\"");
  }
  if (!run) tell_of_unknown_constraints(command.model, command.run, command.given);
  command.knows_run = run || !command.run.empty() || any_constraint_given(command.given);
  const bool unlisted = command.missing == "unlisted";
  command.options.unlisted = unlisted ? UnlistedEntries::missing : UnlistedEntries::zeros;
  const LossFacts facts = AnyLoss::named(command.loss, command.loss_parameter).facts();
  if (!command.given("--ridge") && !run) {
    command.options.constraint.ridge = facts.default_ridge;
  }
}

/// Says by their numbers of which modes FILE has some rows alone: all are all but that of new rows.
void settle_partial(ProjectCommand& command, const NamedRows& own, std::size_t mode) {
  number_partial(command.partial, own);
  const auto at = static_cast<int>(mode);
  if (!command.partial.all && command.partial.contains(at)) {
    usage_error("--partial", "expected modes whose rows are those of the model, got " +
                                 own.labels.mode(mode) + ", of which rows are new by --mode");
  }
  if (!command.partial.all) return;
  command.partial = {};
  for (int n = 0; n < static_cast<int>(own.dimensions.size()); ++n) {
    if (n != at) command.partial.modes.push_back(n);
  }
}

/// The options of the model with the new rows: those of its run, but for what the command line
/// says. Null where least squares were assumed.
nlohmann::json run_of(const ProjectCommand& command) {
  if (!command.knows_run) return {};
  nlohmann::json run = command.options_of_run;
  run["loss"] = command.loss;
  run.erase("loss_parameter");
  if (command.loss_parameter) run["loss_parameter"] = *command.loss_parameter;
  run["duplicates"] = tools::value_text(command.input.read.duplicates);
  if (command.given("--decimal")) run["decimal"] = tools::value_text(command.input.read.decimal);
  run.erase("missing");
  if (command.missing != "none") run["missing"] = command.missing;
  return run_of_options(run, command.input.file);
}

/// What is odd about new rows, their names and the entries.
template <class Tensor>
std::vector<std::string> notes_on(const ProjectCommand& command, const Model& model,
                                  const Labels& known, const NewSlices<Tensor>& slices,
                                  const Model& found, const TensorFacts& facts, std::size_t mode) {
  const auto rows_of = [&](const Labels& labels) {
    return labels.named(mode) ? labels.rows(mode) : std::vector<std::string>();
  };
  std::vector<std::string> notes;
  const std::string margins = tools::new_margins_note(rows_of(known), rows_of(slices.labels));
  if (!margins.empty()) notes.push_back(slices.labels.mode(mode) + " has " + margins);
  const AnyLoss loss = AnyLoss::named(command.loss, command.loss_parameter);
  std::string unit = tools::unit_note(model, found, slices.counted, static_cast<int>(mode), loss);
  if (!unit.empty()) notes.push_back(std::move(unit));
  for (const Note& note : notes_on_entries(slices.counted, facts, command.loss, command.missing,
                                           true, command.given("--missing"))) {
    notes.push_back(tools::in_words(note.text));
  }
  return notes;
}

int project_file(ProjectCommand command) {
  require_places({command.model, command.input.file, command.training},
                 {{command.output, OutputKind::model},
                  {command.rows, OutputKind::rows},
                  {command.report.json, OutputKind::json}});
  if (command.report.quiet && command.output.empty() && command.rows.empty() &&
      command.report.json.empty()) {
    usage_error("--quiet",
                "expected something that is left: --output for the model, --rows or --json");
  }
  require_model_name(command.output);
  tell_of_export(command.output);
  if (command.mode.empty()) usage_error("--mode", "it is required: the mode of the new rows");
  const ValueModel read_model =
      read_cp_model(command.model, "genten project takes MODEL FILE, the model first");
  const auto& model = read_model.model;
  const Labels known = labels_of("", command.model, model.dimensions());
  const auto mode = static_cast<std::size_t>(
      mode_of("mode", command.mode, known.mode_names(), lack_of_sidecar(command.model)));
  settle(command, model, known, mode);
  settle_partial(command, {command.model, known, model.dimensions()}, mode);
  TensorInput input = command.input;
  input.read = by_names_of({command.model, known, model.dimensions()}, input.file, input.read);
  const auto use = [&](const auto& read, const TensorFacts& facts) {
    const auto slices = as_slices(command, model, known, mode, read, facts);
    const auto found = project(command, model, slices, facts, mode);
    const RowConstraint& constraint = command.options.constraint;
    const bool leaves_out = command.missing != "none" || !command.partial.empty();
    const bool free_rows = leaves_out && constraint.ridge == 0.0 && constraint.l1 == 0.0;
    const ProjectedSlices result{found,
                                 slices.labels,
                                 mode,
                                 free_rows,
                                 !command.training.empty(),
                                 fence_of(command, model, known, mode),
                                 notes_on(command, model, known, slices, found.model, facts, mode)};
    Attempts attempt;
    OutputNames beside{slices.labels, found.model.dimensions()};
    beside.run = run_of(command);
    const std::string written =
        command.output.empty() ? "" : save_model(attempt, command.output, found.model, beside);
    const std::string names = written.empty() || holds_names(model_form(written))
                                  ? ""
                                  : save_labels(attempt, written, beside);
    attempt([&] { write_rows(command.rows, result); });
    OrderedJson json = {{"model", command.model}, {"mode", mode + 1}};
    json.update(read_model.facts);
    json.update(
        OrderedJson{{"loss", AnyLoss::named(command.loss, command.loss_parameter).facts().text()},
                    {"loss_factor", command.options.loss_factor},
                    {"partial", tools::option_json(command.partial)},
                    {"options_of_run", command.taken}});
    json.update(to_json(result));
    json.update(OrderedJson{{"tensor", tools::to_json(facts)}, {"model_file", written}});
    json.update(describe_environment());
    attempt([&] { write_json(command.report.json, json); });
    std::ostream& out =
        report_stream(command.report.quiet, {command.output, command.rows, command.report.json});
    print_line(out, "model",
               input_name(command.model) + ": " + format_dimensions(model.dimensions()) + ", " +
                   read_model.size);
    print_line(out, "tensor", describe_beside(known, facts));
    print_line(out, "options",
               command.taken.empty() ? "nothing is known of the run that made the model: those "
                                       "of the command line, loss " +
                                           command.loss
                                     : command.taken);
    print_counting(out, {command.model, known, model.dimensions()}, slices.counting);
    print(out, result);
    print_files(out, {written, names});
    return attempt.exit_code();
  };
  return with_tensor_of<double, HostExec>(input, command.report.quiet, use);
}

void declare(CLI::App& app, ProjectCommand& command) {
  add_text(app, "MODEL", "FILE", command.model, "CP model: text or binary, told by content");
  add_tensor_input(app, command.input, values_of_run);
  add_text(app, "--mode", "MODE", command.mode,
           "the mode whose rows are new: its number, from 1, or its name");
  add_run(app, command.run, "loss, constraints and missing entries", "nothing is known");
  add_text(app, "--training", "FILE", command.training,
           "the tensor that the model was made from: rows that fit far worse than its are named");
  add_text(app, "--loss", "LOSS", command.loss,
           "the loss to minimize: " + join(loss_names(), ", "));
  add_text(
      app, "--loss-parameter", "NUMBER",
      [&](const std::string& text) {
        command.loss_parameter = parse_number<double>("loss-parameter", text, -1e300, 1e300);
      },
      "the number that the loss has");
  add_missing(app, command.missing, {"none", "unlisted"},
              "entries that do not count: none, all that FILE does not list, or those that another "
              "file lists");
  add_partial(app, command.partial);
  add_flag(app, "--nonnegative", command.nonnegative, "new rows have no negative elements");
  const auto add = [&](const char* name, double& value, double lowest, const char* meaning) {
    add_text(
        app, std::string("--") + name, "NUMBER",
        [name, &value, lowest](const std::string& text) {
          value = parse_number<double>(name, text, lowest, RowConstraint::none);
        },
        meaning);
  };
  RowConstraint& constraint = command.options.constraint;
  add("ridge", constraint.ridge, 0.0, "penalty: half of it times the squared 2-norm of a row");
  add("l1", constraint.l1, 0.0, "penalty: it times the 1-norm of a row");
  add("lower", constraint.lower, -RowConstraint::none, "elements are at least this");
  add("upper", constraint.upper, -RowConstraint::none, "elements are at most this");
  add_text(app, "-o,--output", "FILE", command.output,
           "write the model whose factor of the mode is the new rows");
  add_text(app, "--rows", "FILE", command.rows,
           "write a table (CSV) of the new rows, with loss and part explained of each");
  add_report(app, command.report);
  command.given = given_in(app);
  set_footer(app,
             "Each slice of FILE in the mode is a row of its own, found to the last digits for\n"
             "the model's weights and other factors, whichever rows are beside it. Rows of the\n"
             "other modes go by their names where both files have some, and so do numbers\n"
             "beside a model that was made with --compact; those of the mode are new. Where\n"
             "nothing beside the model tells of its run it is least squares, without\n"
             "constraints.\n"
             "A row fits far worse where less is explained than by the lower quartile of the\n"
             "training rows less three times the distance of their quartiles (at least 0.05 of\n"
             "what varies in them).\n"
             "\n"
             "Examples:\n"
             "  genten project model.gkt new.tns --mode 3 -o new.gkt\n"
             "  genten project model.gkt new.csv --mode user --training old.csv \\\n"
             "    --rows new-rows.csv");
}

}  // namespace

void add_project(CLI::App& tool, Action& action) {
  add_command<ProjectCommand>(tool, action, "project", "rows of new slices for a model's factors",
                              declare, project_file);
}

}  // namespace genten::cli
