// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten evaluate: how well a model meets the entries of a file.

#include "command.hpp"
#include "data_fault.hpp"
#include "model/loss_option.hpp"
#include "model/read_model.hpp"
#include "model_entries.hpp"
#include "option_rules.hpp"
#include "outputs.hpp"
#include "project/run_options.hpp"
#include "report_lines.hpp"
#include "sidecar/common_rows.hpp"
#include "sidecar/lacking_rows.hpp"
#include "sidecar/listed_entries.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/partial_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "sidecar/unknown_rows.hpp"
#include "tools/environment.hpp"
#include "tools/evaluation_notes.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"
#include "tools/tensor_input.hpp"
#include "tools/tensor_output.hpp"

#include <genten/core/mode_order.hpp>
#include <genten/core/sptensor_ops.hpp>
#include <genten/cp/evaluate.hpp>
#include <genten/cp/evaluate_loss.hpp>

#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <ostream>
#include <set>
#include <vector>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;

struct EvaluateOptions {
  std::string model;
  TensorInput input;
  LossChoice loss;
  LossEvaluationOptions sums;
  std::string run;               ///< the report of the run that made the model
  std::string missing = "none";  ///< "unlisted", or the file that lists entries that do not count
  std::string taken = {};        ///< in words, what is of that run
  ModeSelection partial = {};    ///< modes of whose rows those with entries alone count
  UnknownEntries unknown = UnknownEntries::refuse;
  ReportOptions report;
  Given given;

  [[nodiscard]] bool misses_unlisted() const { return missing == "unlisted"; }
  [[nodiscard]] bool misses_some() const { return missing != "none"; }
};

Json to_json(const EntryErrors& errors) {
  return {{"entries", tools::count_json(errors.entries)},
          {"residual_norm", errors.residual_norm},
          {"rmse", errors.rmse},
          {"mae", errors.mae},
          {"log_likelihood", errors.log_likelihood},
          {"deviance", errors.deviance}};
}

/// Of a loss, in place of what least squares and Poisson's likelihood have to say.
Json to_json(const EntryErrors& errors, const LossErrors& of_loss, const LossFacts& loss) {
  Json json = {{"entries", tools::count_json(errors.entries)},
               {"residual_norm", errors.residual_norm},
               {"rmse", of_loss.rmse},
               {"mae", of_loss.mae},
               {"loss", of_loss.loss},
               {"loss_error", of_loss.error},
               {"mean_loss", of_loss.loss / of_loss.entries},
               {"deviance", of_loss.deviance},
               {"auc", of_loss.auc}};
  if (loss.name == "poisson") json["log_likelihood"] = errors.log_likelihood;
  return json;
}

std::string number(double value) {
  return std::isnan(value) ? "-" : format("%.9g", value);
}

Table errors_table(bool leaves_out) {
  return Table({{"", Table::Align::left},
                {"listed entries"},
                {leaves_out ? "entries that count" : "all entries"}});
}

void print(std::ostream& out, bool leaves_out, const Evaluation& found) {
  Table table = errors_table(leaves_out);
  const auto add = [&](const char* name, double EntryErrors::*of) {
    table.add({name, number(found.listed.*of), number(found.all.*of)});
  };
  add("entries", &EntryErrors::entries);
  add("residual norm", &EntryErrors::residual_norm);
  add("RMSE", &EntryErrors::rmse);
  add("MAE", &EntryErrors::mae);
  table.add({"fit", "", number(found.fit)});
  out << '\n';
  table.print(out);
}

void print(std::ostream& out, bool leaves_out, const Evaluation& found,
           const LossEvaluation& of_loss) {
  Table table = errors_table(leaves_out);
  const auto add = [&](const char* name, const auto& of) {
    table.add({name, of(of_loss.listed), of(of_loss.all)});
  };
  const auto with_error = [](double value, double error) {
    return number(value) + (error > 0.0 ? format(" +- %.2g", error) : "");
  };
  add("entries", [](const LossErrors& errors) { return number(errors.entries); });
  table.add({"residual norm", number(found.listed.residual_norm), number(found.all.residual_norm)});
  add("loss", [&](const LossErrors& errors) { return with_error(errors.loss, errors.error); });
  add("mean loss", [&](const LossErrors& errors) {
    return with_error(errors.loss / errors.entries, errors.error / errors.entries);
  });
  if (of_loss.loss.has_deviance) {
    add("deviance", [](const LossErrors& errors) { return number(errors.deviance); });
  }
  if (of_loss.loss.name == "poisson") {
    table.add({"Poisson log-likelihood", number(found.listed.log_likelihood),
               number(found.all.log_likelihood)});
  }
  add("RMSE", [](const LossErrors& errors) { return number(errors.rmse); });
  add("MAE", [](const LossErrors& errors) { return number(errors.mae); });
  if (of_loss.loss.data == LossData::binary) {
    add("AUC", [](const LossErrors& errors) { return number(errors.auc); });
  }
  table.add({"fit", "", number(found.fit)});
  out << '\n';
  table.print(out);
}

/// A tensor with the model's rows, by their names where both have some, and what was left out.
template <class Tensor>
struct PlacedTensor {
  Tensor tensor;
  LackingEntries left_out = {};
};
template <class Tensor>
PlacedTensor<Tensor> as_model_has_it(const EvaluateOptions& options, const NamedRows& model,
                                     bool is_cp, const Tensor& read, const TensorFacts& facts) {
  Labels names = labels_of("", facts);
  Tensor tensor = with_numbers_as_names(model, facts.file, facts.report, read, names);
  const NamedRows own{facts.file, names, tensor.dimensions()};
  require_no_ids_beside_rows(model, own);
  require_names(model, own, facts.report, facts.modes_given);
  const RowMatch match = match_rows(model, own);
  const WayToNewRows way_out{model.file, is_cp, true};
  PlacedTensor<Tensor> placed;
  if (options.unknown == UnknownEntries::skip) {
    std::vector<offset_t> known;
    placed.left_out = lacking_entries(tensor, match, model, &known);
    report_left_out(match, model, own, placed.left_out, way_out);
    tensor = some_entries(tensor, known);
  }
  placed.tensor = in_rows_of(tensor, match, model, own, {way_out});
  std::vector<std::set<std::size_t>> empty_numbers;
  if (facts.report.table) empty_numbers = empty_rows(placed.tensor, model);
  tell_of_absent_rows({options.partial, options.misses_unlisted()}, match, model, own,
                      placed.left_out, empty_numbers);
  return placed;
}

/// Takes from the run that made the model what becomes of duplicates and which entries are missing,
/// unless the command line says it. Returns what is known of that run.
std::optional<KnownRun> take_run(EvaluateOptions& options, const NamedRows& model) {
  const auto run = run_of_model(options.model, options.run, model.dimensions.size());
  take_values(options.input.read, options.input.file, options.given, run,
              model.labels.mode_names());
  take_text_base(options.model, run ? run->options : nlohmann::json(), options.input);
  const EntriesOfRun entries = entries_of_run(run);
  std::vector<std::string> taken;
  if (run && !options.run.empty() && options.loss.name.empty() && run->loss() != "gaussian") {
    options.loss = loss_in(run->options);
    taken.push_back("loss " + options.loss.name);
  }
  take_duplicates(options.input, options.given, entries.duplicates, taken);
  if (!options.given("--missing") && entries.missing == "unlisted") {
    options.missing = entries.missing;
    taken.emplace_back("unlisted entries missing");
  } else if (!options.given("--missing") && entries.missing == "listed") {
    // They are those of the run's tensor, and say nothing of another one.
    if (!entries.list.empty() && is_one_file(options.input.file, entries.tensor)) {
      options.missing = entries.list;
      run->tell_of_changed_list();
      taken.push_back("entries of " + input_name(entries.list) + " missing");
    } else {
      tell_of_list(options.model);
    }
  }
  if (!taken.empty()) options.taken = join(taken, ", ") + ", of " + input_name(entries.source);
  return run;
}

/// Where a file numbers rows that are not in the model, or in another order: that it is compared in
/// the model's.
std::string in_rows_of_model(const TensorFacts& facts, const std::vector<std::size_t>& lengths) {
  const auto& own = facts.dimensions;
  bool longer = false;
  for (std::size_t n = 0; n < std::min(own.size(), lengths.size()); ++n) {
    longer = longer || own[n] > lengths[n];
  }
  return longer ? ", compared in the model's rows by their names" : "";
}

/// The errors of a model, without those at missing entries.
struct Errors {
  Evaluation squares;
  std::optional<LossEvaluation> loss;
};
template <class Tensor>
Errors errors_of(const EvaluateOptions& options, const Ktensor<double, HostExec>& whole,
                 const std::optional<AnyLoss>& loss, const Tensor& counted, const NamedRows& rows,
                 const TensorFacts& facts, const std::vector<std::vector<std::size_t>>& counting) {
  const HostExec exec;
  const std::string file = options.input.file, at = input_name(file);
  const std::string pair = input_name(options.model) + " on " + at;
  const Tensor tensor = sum_duplicates(exec, counted).tensor;
  std::optional<Tensor> missing;
  if (options.misses_some() && !options.misses_unlisted()) {
    missing = listed_entries<Tensor>(options.missing, rows, file, facts.report);
    tell_of_zero_rows(rows, whole, options.missing, *missing);
    missing = in_some_rows(*missing, counting);
  }
  const auto model = some_rows(whole, natural_mode_order(counting.size()), counting);
  Errors found{concerning(pair, [&] { return evaluate(exec, tensor, model, missing); }), {}};
  if (loss) {
    found.loss = with_values_of(facts, options.input.read, loss->facts().data, at, [&] {
      return evaluate_loss(exec, tensor, model, missing, *loss, options.sums);
    });
  }
  if (options.misses_unlisted()) {
    found.squares.leave_out_unlisted();
    if (loss) found.loss->leave_out_unlisted();
  }
  if (loss) tools::take_expected_values(found.squares, *found.loss, *loss);
  return found;
}

int evaluate_file(EvaluateOptions options) {
  require_places({options.model, options.input.file,
                  options.misses_some() && !options.misses_unlisted() ? options.missing : ""},
                 {{options.report.json, OutputKind::json}});
  static_cast<void>(options.loss.loss());  // complain early
  const ValueModel read_model =
      read_value_model(options.model, "genten evaluate takes MODEL FILE, the model first");
  const auto& model = read_model.model;
  const Labels known = labels_of("", options.model, model.dimensions());
  const NamedRows rows{options.model, known, model.dimensions()};
  number_partial(options.partial, rows);
  const auto run = take_run(options, rows);
  // With --run the loss is that of the run, which is none after least squares.
  const LossChoice choice =
      options.run.empty() ? loss_of(options.loss, options.model) : options.loss;
  const auto loss = choice.loss();
  tell_of_unknown_loss(read_model, options.model, run, options.run, options.loss,
                       std::string("errors are of its values as they are") +
                           (options.given("--duplicates") ? "" : ", and duplicates are added up"));
  const bool is_table = is_table_file(options.input.file, options.input.read);
  options.input.read = by_names_of(rows, options.input.file, options.input.read);
  // Without names of its rows a file of some entries alone does not say how long the modes are.
  const bool skips = options.unknown == UnknownEntries::skip;
  const bool by_name = is_table || skips || known.any_numbers() ||
                       has_number_names_beside(options.input.file) ||
                       (known.any() && may_have_names(options.input.file));
  const bool given = !options.input.read.dimensions.empty() || by_name;
  if (!given) options.input.read.dimensions = model.dimensions();
  const bool is_cp = read_model.facts.contains("rank");
  const auto use = [&](const auto& read, const TensorFacts& facts) {
    const bool as_named = by_name || facts.report.table != nullptr;
    tell_of_text_numbers(rows, options.input, facts.report);
    using Tensor = std::remove_cvref_t<decltype(read)>;
    const auto [tensor, left_out] = as_named && read.order() == model.order()
                                        ? as_model_has_it(options, rows, is_cp, read, facts)
                                        : PlacedTensor<Tensor>{read};
    if (tensor.dimensions() == model.dimensions()) {
      tell_of_rows_by_number(rows, facts.file, facts.report, tools::used_dimensions(tensor));
      tell_of_zero_rows(rows, model, facts.file, tensor);
    }
    const auto counting = rows_that_count(options.partial, rows, tensor);
    const auto counted = in_some_rows(tensor, counting);
    const auto [found, of_loss] = errors_of(options, model, loss, counted, rows, facts, counting);
    auto notes = tools::notes_in_words(found, of_loss, tools::in_words);
    const auto on_entries = notes_on_entries(counted, facts, choice.name, options.missing);
    for (const Note& note : on_entries) {
      const bool lack_zeros = note.code == NoteCode::no_zeros;
      // Of unlisted entries that are missing as in the model's run that one has told.
      if (!lack_zeros || options.given("--missing")) notes.push_back(tools::in_words(note.text));
      if (lack_zeros) notes.push_back(tools::in_words(tools::zeros_not_compared()));
    }
    if (!tells_of_gaps(on_entries)) {
      if (auto note = tools::part_note(found, choice.name == "poisson"); !note.empty()) {
        notes.push_back(tools::in_words(note));
      }
    }
    Json json = {{"model", options.model}};
    json.update(read_model.facts);
    json.update(Json{{"fit", found.fit},
                     {"tensor_norm", found.tensor_norm},
                     {"listed", to_json(found.listed)},
                     {"all", to_json(found.all)},
                     {"missing", options.missing},
                     {"partial", tools::option_json(options.partial)},
                     {"unknown_entries", left_out.entries},
                     {"options_of_run", options.taken},
                     {"notes", notes},
                     {"tensor", tools::to_json(facts)}});
    if (of_loss) {
      json.update(loss_json(of_loss->loss));
      json["zeros"] = to_string(of_loss->zeros);
      json["listed"] = to_json(found.listed, of_loss->listed, of_loss->loss);
      json["all"] = to_json(found.all, of_loss->all, of_loss->loss);
    }
    json.update(describe_environment());
    Attempts attempt;
    attempt([&] { write_json(options.report.json, json); });
    std::ostream& out = report_stream(options.report.quiet, {options.report.json});
    const bool leaves_out =
        options.misses_some() || std::any_of(counting.begin(), counting.end(),
                                             [](const auto& some) { return !some.empty(); });
    out << "model      " << input_name(options.model) << ": "
        << format_dimensions(model.dimensions()) << ", " << read_model.size << '\n'
        << "tensor     " << describe_beside(known, facts)
        << in_rows_of_model(facts, tensor.dimensions()) << '\n';
    if (!options.taken.empty()) print_line(out, "options", options.taken);
    print_counting(out, rows, counting);
    if (of_loss) {
      out << "loss       " << of_loss->loss.text()
          << (models_means(*loss) ? "" : ", errors and fit of expected values") << '\n';
      print(out, leaves_out, found, *of_loss);
    } else {
      print(out, leaves_out, found);
    }
    if (!notes.empty()) out << '\n';
    for (const std::string& note : notes) print_line(out, "note", note);
    return attempt.exit_code();
  };
  const auto read_and_use = [&] {
    return with_tensor_of<double, HostExec>(options.input, options.report.quiet, use);
  };
  if (given) return read_and_use();
  return reading_entries_of(options.model, [&] {
    return refusing_numbers(rows, options.input.file, options.input.read,
                            WayToNewRows{options.model, is_cp, true}, read_and_use);
  });
}

void declare(CLI::App& app, EvaluateOptions& options) {
  add_text(app, "MODEL", "FILE", options.model,
           "CP or Tucker model: text or binary, told by content");
  add_tensor_input(app, options.input, values_of_run);
  const auto loss = add_loss(
      app, options.loss,
      "what the model minimizes: then errors are of its expected values, and loss, deviance "
      "and, of 0 and 1, the area under the ROC curve of listed entries stand beside them (default: "
      "what stands beside MODEL, see below)");
  for (const auto& [name, option] : add_fields(app, options.sums)) option.needs(loss);
  add_missing(app, options.missing, {"none", "unlisted"},
              "entries that do not count: none, all that FILE does not list, or those that another "
              "file lists (default: as in the run that made MODEL)");
  add_partial(app, options.partial);
  add_option(app, {"unknown", unknown_meaning}, options.unknown);
  add_run(app, options.run, "loss, rule for duplicates and missing entries",
          "errors are those of least squares, all entries count, and duplicates are summed");
  add_report(app, options.report);
  options.given = given_in(app);
  set_footer(app,
             "Entries that FILE lists are compared with the model, and all entries, those that\n"
             "are not listed being zero: the one for entries that were held out or measured,\n"
             "the other for counts. The fit is of all entries, and tells little of a model\n"
             "where FILE is a part of the data, as a random test split: --missing unlisted\n"
             "leaves the others out. The dimensions are the model's, whatever the file says.\n"
             "Where names stand beside both (FILE.labels.json), rows and modes go by these;\n"
             "beside a model that was made with --compact numbers are names.\n"
             "Entries that were missing in the run that made MODEL do not count here either,\n"
             "and the rule for duplicates is that of the run.\n"
             "The loss of a run stands beside its model, too. Likelihood and deviance of\n"
             "counts are printed under --loss poisson; - stands where negative numbers leave\n"
             "them, or the mean absolute error of all entries, undefined or unknown.\n"
             "\n"
             "Example:\n"
             "  genten evaluate model.ktensor held-out.tns\n"
             "  genten evaluate sales.gkt last-weeks.csv --partial week\n"
             "  genten evaluate links.gkt links.tns --loss bernoulli-poisson");
}

}  // namespace

void add_evaluate(CLI::App& tool, Action& action) {
  add_command<EvaluateOptions>(tool, action, "evaluate",
                               "errors of a model at the entries of a file", declare,
                               evaluate_file);
}

}  // namespace genten::cli
