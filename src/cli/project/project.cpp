// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten project: rows of new slices for a model whose other factors stay.

#include "project.hpp"

#include "command.hpp"
#include "data_fault.hpp"
#include "model/read_model.hpp"
#include "outputs.hpp"
#include "report_lines.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"

#include <genten/core/sptensor_ops.hpp>
#include <genten/io/cells.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;
using Model = Ktensor<double, HostExec>;

/// The mode of a model by its number, from 1, or its name.
int mode_of(const std::string& text, const Labels& labels, std::size_t order) {
  for (std::size_t n = 0; n < order; ++n) {
    if (!text.empty() && labels.mode_name(n) == text) return static_cast<int>(n);
  }
  if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) {
    std::vector<std::string> names;
    for (std::size_t n = 0; n < order; ++n) names.push_back(labels.mode(n));
    usage_error("--mode", "expected a mode by its number, from 1, or its name, out of " +
                              join(names, ", ") + "; got \"" + text + "\"");
  }
  const std::vector<int> modes = parse_modes("mode", text);
  require_modes("mode", modes, order);
  return modes.front();
}

/// Names of a model with those of the new rows.
Labels with_rows_of(const Labels& model, std::size_t order, std::size_t mode, const Labels* other,
                    std::size_t their_mode) {
  std::vector<std::vector<std::string>> rows(order);
  std::vector<std::string> modes(order);
  for (std::size_t n = 0; n < order; ++n) {
    modes[n] = model.mode_name(n);
    const Labels* const from = n == mode ? other : &model;
    const std::size_t at = n == mode ? their_mode : n;
    if (from == nullptr || !from->named(at)) continue;
    for (std::size_t i = 0; i < from->count(at); ++i) rows[n].push_back(from->row(at, i));
  }
  const std::size_t first = other != nullptr ? other->first_number() : model.first_number();
  return {std::move(rows), std::move(modes), first};
}

/// A tensor whose rows are the model's but in one mode, with the names of all.
template <class Tensor>
struct NewSlices {
  Tensor tensor;
  Labels labels;
};

template <class Tensor>
NewSlices<Tensor> as_slices(const ProjectCommand& command, const Model& model, const Labels& known,
                            std::size_t mode, const Tensor& tensor, const TensorFacts& facts) {
  const std::size_t order = model.dimensions().size();
  if (tensor.dimensions().size() != order) {
    throw Error(Error::Kind::file,
                input_name(facts.file) + ": expected " + count_of(order, "mode") + ", those of " +
                    input_name(command.model) + ", got " + std::to_string(tensor.order()));
  }
  const Labels own = labels_of("", facts.file, facts.dimensions, facts.report);
  const Labels without = with_rows_of(known, order, mode, nullptr, 0);
  auto lengths = model.dimensions();
  const NamedRows theirs{facts.file, own, tensor.dimensions()};
  RowMatch match = match_rows({command.model, without, lengths}, theirs);
  const auto at = static_cast<std::size_t>(match.modes[mode]);
  Labels labels = with_rows_of(known, order, mode, &own, at);
  lengths[mode] = tensor.dimensions()[at];
  const NamedRows all{command.model, labels, lengths};
  require_names(all, theirs, facts.report);
  match.rows[mode].clear();
  return {in_rows_of(tensor, match, all, theirs), std::move(labels)};
}

/// The entries that a file lists, as the new slices number their rows.
template <class Tensor>
Tensor listed_missing(const std::string& file, const NewSlices<Tensor>& slices,
                      const TensorFacts& facts) {
  ReadOptions read;
  if (facts.report.format != FileFormat::binary && !facts.report.table) {
    read.index_base = facts.report.index_base;
  }
  const bool by_name = may_have_names(file);
  read.dimensions = by_name ? shape_beside(file) : slices.tensor.dimensions();
  const auto cells = reading(file, [&] {
    return read_cells<double, typename Tensor::ordinal_type>(HostExec(), file, read);
  });
  if (!by_name && !cells.report.table) return cells.tensor;
  const auto lengths = cells.tensor.dimensions();
  const Labels names = labels_of("", file, lengths, cells.report);
  const NamedRows own{facts.file, slices.labels, slices.tensor.dimensions()};
  const NamedRows other{file, names, lengths};
  require_names(own, other, cells.report);
  return in_rows_of(cells.tensor, match_rows(own, other), own, other);
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
  return with_values_of(facts.file, both, [&] {
    if (!list) return project_rows(exec, model, slices.tensor, at, loss, command.options);
    const Tensor missing = listed_missing(command.missing, slices, facts);
    return project_rows(exec, model, slices.tensor, missing, at, loss, command.options);
  });
}

/// The part explained below which rows fit far worse than those of the training tensor do.
double fence_of(const ProjectCommand& command, const Model& model, const Labels& known,
                std::size_t mode) {
  double fence = std::numeric_limits<double>::quiet_NaN();
  if (command.training.empty()) return fence;
  TensorInput input = command.input;
  input.file = command.training;
  ProjectCommand training = command;
  if (training.missing != "unlisted") training.missing = command.missing_in_training;
  static_cast<void>(with_tensor_of<double, HostExec>(
      input, command.report.quiet, [&](const auto& read, const TensorFacts& facts) {
        const auto slices = as_slices(training, model, known, mode, read, facts);
        std::vector<double> explained;
        for (const auto& row : project(training, model, slices, facts, mode).rows) {
          explained.push_back(row.explained);
        }
        fence = far_worse_than(std::move(explained));
        return 0;
      }));
  return fence;
}

void settle(ProjectCommand& command, const Model& model, std::size_t mode) {
  LossChoice saved;
  if (!command.given("--loss")) {
    saved = loss_of({}, command.model);
    if (!saved.name.empty()) command.loss = saved.name;
    if (!command.given("--loss-parameter")) command.loss_parameter = saved.parameter;
  }
  const bool sums_squares = command.loss == "gaussian";
  command.options.loss_factor = sums_squares ? 0.5 : 1.0;
  const bool reported = take_run(command, model, static_cast<int>(mode));
  if (command.loss != "gaussian") command.options.loss_factor = 1.0;
  if (command.nonnegative) {
    command.options.constraint.lower = std::max(command.options.constraint.lower, 0.0);
  }
  const auto names = loss_names();
  if (std::find(names.begin(), names.end(), command.loss) == names.end()) {
    usage_error("--loss", "expected " + join(names, "|") + ", got \"" + command.loss + "\"");
  }
  const bool unlisted = command.missing == "unlisted";
  command.options.unlisted = unlisted ? UnlistedEntries::missing : UnlistedEntries::zeros;
  const LossFacts facts = AnyLoss::named(command.loss, command.loss_parameter).facts();
  if (!command.given("--ridge") && command.taken.empty()) {
    command.options.constraint.ridge = facts.default_ridge;
  }
  if (!reported && !saved.name.empty()) {
    command.taken = "loss " + saved.name + ", of " + input_name(command.model + ".labels.json");
  }
}

int project_file(ProjectCommand command) {
  require_places({command.model, command.input.file, command.training},
                 {command.output, command.rows, command.report.json});
  if (command.mode.empty()) usage_error("--mode", "it is required: the mode of the new rows");
  const auto [model, size, model_facts] =
      read_value_model(command.model, "genten project takes MODEL FILE, the model first");
  if (!model_facts.contains("rank")) {
    throw Error(Error::Kind::file,
                input_name(command.model) + ": expected a CP model, got a Tucker model");
  }
  const Labels known = labels_of("", command.model, model.dimensions());
  const auto mode =
      static_cast<std::size_t>(mode_of(command.mode, known, model.dimensions().size()));
  settle(command, model, mode);
  const auto use = [&, &model = model, &size = size, &model_facts = model_facts](
                       const auto& read, const TensorFacts& facts) {
    const auto slices = as_slices(command, model, known, mode, read, facts);
    const auto found = project(command, model, slices, facts, mode);
    const ProjectedSlices result{found, slices.labels, mode, fence_of(command, model, known, mode)};
    Attempts attempt;
    const std::string written =
        command.output.empty() ? ""
                               : save_model(attempt, command.output, found.model, slices.labels);
    OutputNames beside{slices.labels, found.model.dimensions()};
    if (command.loss != "gaussian") beside.loss = {command.loss, command.loss_parameter};
    const std::string names = written.empty() || holds_names(model_form(written))
                                  ? ""
                                  : save_labels(attempt, written, beside);
    attempt([&] { write_rows(command.rows, result); });
    Json json = {{"model", command.model}, {"mode", mode + 1}};
    json.update(model_facts);
    json.update(Json{{"loss", AnyLoss::named(command.loss, command.loss_parameter).facts().text()},
                     {"loss_factor", command.options.loss_factor},
                     {"options_of_run", command.taken}});
    json.update(to_json(result));
    json.update(Json{{"tensor", tools::to_json(facts)}, {"model_file", written}});
    json.update(describe_environment());
    attempt([&] { write_json(command.report.json, json); });
    std::ostream& out =
        report_stream(command.report.quiet, {command.output, command.rows, command.report.json});
    print_line(
        out, "model",
        input_name(command.model) + ": " + format_dimensions(model.dimensions()) + ", " + size);
    print_line(out, "tensor", describe(facts));
    print_line(out, "options",
               command.taken.empty() ? "no report of the run that made the model: those of the "
                                       "command line, loss " +
                                           command.loss
                                     : command.taken);
    print(out, result);
    print_files(out, {written, names});
    return attempt.exit_code();
  };
  return with_tensor_of<double, HostExec>(command.input, command.report.quiet, use);
}

void declare(CLI::App& app, ProjectCommand& command) {
  add_text(app, "MODEL", "FILE", command.model, "CP model: text or binary, told by content");
  add_tensor_input(app, command.input);
  add_text(app, "--mode", "MODE", command.mode,
           "the mode whose rows are new: its number, from 1, or its name");
  add_text(app, "--run", "FILE", command.run,
           "the report of the run that made the model (decompose --json), whose loss, constraints "
           "and missing entries are the defaults; by default the one of MODEL's name, with .json "
           "behind it or in place of its ending, if that is of MODEL; none: no report");
  add_text(app, "--training", "FILE", command.training,
           "the tensor that the model was made from: rows are told that fit far worse than its");
  add_text(app, "--loss", "LOSS", command.loss,
           "the loss to minimize: " + join(loss_names(), ", "));
  add_text(
      app, "--loss-parameter", "NUMBER",
      [&](const std::string& text) {
        command.loss_parameter = parse_number<double>("loss-parameter", text, -1e300, 1e300);
      },
      "the number that the loss has");
  add_text(app, "--missing", "WHICH", command.missing,
           "entries that do not count: none, unlisted (all that FILE does not list), or a file "
           "that lists them");
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
             "other modes go by their names where both files have some; those of the mode are\n"
             "new. Without a report of the run the loss is that beside the model, else least\n"
             "squares, without constraints.\n"
             "A row fits far worse where less is explained than by the lower quartile of the\n"
             "training rows less three times the distance of their quartiles (at least 0.05).\n"
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
