// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "run_options.hpp"

#include "base/names_in_option.hpp"
#include "command.hpp"
#include "project.hpp"
#include "sidecar/file_digest.hpp"
#include "sidecar/lacking_names.hpp"
#include "sidecar/readable_again.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "tools/files.hpp"
#include "tools/hints/unused_columns.hpp"
#include "tools/printable.hpp"
#include "tools/text.hpp"

#include <genten/base/error.hpp>
#include <genten/cp/stream.hpp>
#include <genten/io/table.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <utility>

namespace genten::cli {
namespace {

using Json = nlohmann::json;

/// The number of a mode in a list of none, one or as many as modes.
double number_of(const Json& options, const char* name, std::size_t mode, double otherwise) {
  const Json list = options.value(name, Json::array());
  if (list.empty()) return otherwise;
  const Json& each = list.at(list.size() == 1 ? 0 : mode);
  // JSON has no infinity: reports have it as text or null.
  return each.is_number() ? each.get<double>() : otherwise;
}

bool is_nonnegative(const Json& options, std::size_t mode) {
  const Json given = options.value("nonnegative", Json());
  if (given.is_string()) return given == "all";
  if (!given.is_array()) return false;
  return std::any_of(given.begin(), given.end(),
                     [&](const Json& each) { return each == mode + 1; });
}

/// Takes the one column of a table that is no mode, as of a run whose values had no name, "", or
/// stood in a column `own` that the table lacks.
void take_values_beside(const std::vector<std::string>& modes,
                        const std::vector<std::string>& columns, const std::string& own,
                        ReadOptions& read, const std::string& file) {
  const auto is_among = [](const std::vector<std::string>& names) {
    return [&names](const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
  };
  // Where modes have no names, or not those of columns, who reads the table says so.
  if (modes.empty() || !std::all_of(modes.begin(), modes.end(), is_among(columns))) return;
  std::vector<std::string> left = columns;
  std::erase_if(left, is_among(modes));
  const std::string in_run = "\"" + tools::printable(own) + "\" in the run";
  if (left.empty() && !read.modes.empty()) {  // as by decompose
    std::cout.flush();
    std::cerr << "genten: note: " << tools::input_name(file) << ": rows are counted, where "
              << "the model's run had values"
              << (own.empty() ? "" : " in column \"" + tools::printable(own) + "\"") << '\n';
    return;
  }
  if (left.empty()) {
    throw Error::in_file(
        tools::input_name(file), 1,
        "expected a column with the values beside those of the modes, as " +
            (own.empty() ? "the model's run had values" : in_run) + ", got " +
            tools::printable(join(columns, ", ")) + "; " +
            tools::printable(tools::in_words(error_text::option("modes", names_in_option(modes)))) +
            " counts its rows");
  }
  if (left.size() > 1) {
    throw Error::in_file(tools::input_name(file), 1,
                         "columns " + tools::printable(join(left, ", ")) +
                             " are none of the modes " + tools::printable(join(modes, ", ")) +
                             ": which one has the values" + (own.empty() ? "" : ", as " + in_run) +
                             "? --values COLUMN says so");
  }
  read.values = left.front();
  std::cout.flush();
  std::cerr << "genten: note: " << tools::input_name(file) << ": column \""
            << tools::printable(read.values) << "\" is taken for the values, "
            << (own.empty() ? "since the model's run had values without the name of a column"
                            : "as " + in_run)
            << "; --values names another\n";
}

/// Leaves columns that are no modes out, as of a run whose rows were counted.
void count_rows(const std::vector<std::string>& modes, const std::vector<std::string>& columns,
                ReadOptions& read, const std::string& file) {
  const auto lacks = [](const std::vector<std::string>& names) {
    return [&names](const std::string& name) {
      return std::find(names.begin(), names.end(), name) == names.end();
    };
  };
  // Who reads the table says which are not there.
  if (modes.empty() || !read.modes.empty()) return;
  if (std::any_of(modes.begin(), modes.end(), lacks(columns))) return;
  std::vector<std::string> left;
  std::copy_if(columns.begin(), columns.end(), std::back_inserter(left), lacks(modes));
  if (left.empty()) return;
  read.modes = modes;
  std::cout.flush();
  std::cerr << "genten: note: " << tools::input_name(file) << ": "
            << tools::printable(tools::unused_columns_note(
                   left, true,
                   [](const std::string& name) {
                     return tools::in_words(error_text::option("values", name));
                   }))
            << '\n';
}

/// Throws Error where the report `json` in `file` is of a run on another number of modes than the
/// `order` of the model. Says on standard error where its tensor had other modes, or counted from
/// another number, than stands beside the model.
void compare_run(const std::string& model, const std::string& file, const Json& json,
                 std::size_t order) {
  const Json tensor = json.value("tensor", Json::object());
  const Json said = tensor.value("order", Json());
  const std::size_t modes = said.is_number() ? said.get<std::size_t>() : order;
  const std::string report = tools::input_name(file), own = tools::input_name(model);
  if (modes != order) {
    throw Error::in_file(report, 0,
                         "expected the report of the run that made " + own + ", a model of " +
                             tools::count_of(order, "mode") + ", got that of a run on " +
                             tools::count_of(modes, "mode"));
  }
  if (!run_beside(model).is_object()) return;
  const auto tell = [&](const char* what, const std::string& of_run, const std::string& of_model) {
    std::cout.flush();
    std::cerr << "genten: warning: " << what << of_run << " in the run of " << report << ", and "
              << of_model << " in that of " << own << ", as stands beside it and holds here: is "
              << report << " the report of another run?\n";
  };
  const Json base = tensor.value("index_base", Json()), form = tensor.value("format", Json());
  const auto of_table = base_beside(model);
  const bool is_table = form == "table";  // whose numbers rows have; text only counts as another
  if (base.is_number() && form != "binary" && is_table == of_table.has_value()) {
    const auto there = base.get<std::size_t>(), here = of_table.value_or(text_base(model, {}));
    if (here != there) {
      tell("subscripts count from ", std::to_string(there), "from " + std::to_string(here));
    }
  }
  const Json names = json.at("options").value("modes", Json());
  const auto own_names = labels_of("", model, shape_beside(model)).mode_names();
  if (!names.is_array() || names.empty()) return;
  const auto of_run = names.get<std::vector<std::string>>();
  const bool known = !own_names.empty() && !own_names.front().empty();
  if (known && of_run != own_names) {
    tell("modes are ", tools::printable(join(of_run, ", ")),
         tools::printable(join(own_names, ", ")));
  }
}

KnownRun report_in(const std::string& model, const std::string& file, std::size_t order) {
  std::ifstream stream(file);
  if (!stream || std::filesystem::is_directory(file)) {
    throw Error::in_file(file, 0, "it cannot be read");
  }
  const Json json = Json::parse(stream, nullptr, false);
  if (json.is_object() && json.value("options", Json()).is_object()) {
    compare_run(model, file, json, order);
    KnownRun report{file, with_named_values(json.at("options"))};
    const Json tensor = json.value("tensor", Json::object());
    const Json name = tensor.value("file", Json()), format = tensor.value("format", Json());
    if (name.is_string()) report.tensor = name.get<std::string>();
    if (format == "table" && !report.options.contains("values")) {
      report.options["values"] = nullptr;  // rows were counted
    }
    const Json base = tensor.value("index_base", Json());
    if (base.is_number() && format != "table" && format != "binary") {
      report.options["text_base"] = base;
    }
    return report;
  }
  throw Error::in_file(file, 0,
                       "expected the report of a run, as genten decompose --json writes it");
}

}  // namespace

Json options_of(const StreamOptions& options) {
  Json nonnegative = Json::array();
  for (const int mode : options.nonnegative.modes) nonnegative.push_back(mode + 1);
  return {{"solver", "stream"},
          {"loss", to_string(options.loss)},
          {"nonnegative", options.nonnegative.all ? Json("all") : nonnegative},
          {"ridge", options.ridge},
          {"l1", options.l1},
          {"lower", options.lower},
          {"upper", options.upper}};
}

bool is_one_file(const std::string& a, const std::string& b) {
  std::error_code none;
  return a == b || std::filesystem::equivalent(a, b, none);
}

std::string KnownRun::loss() const {
  return options.value("loss", "gaussian");
}

bool KnownRun::sums_whole_squares() const {
  return options.value("solver", "als") == "gcp";
}

std::string KnownRun::missing() const {
  const Json given = options.value("missing", Json());
  return given.is_string() ? given.get<std::string>() : "none";
}

bool KnownRun::knows_list() const {
  std::error_code ignored;
  // Python writes the word for a list that was in no file.
  return missing() != "listed" && std::filesystem::is_regular_file(missing(), ignored);
}

void KnownRun::tell_of_changed_list() const {
  const Json digest = options.value("missing_sha256", Json());
  const std::string list = missing();
  std::error_code ignored;
  if (!digest.is_string() || !std::filesystem::is_regular_file(list, ignored)) return;
  if (digest == sha256_of_file(list)) return;
  std::cout.flush();
  std::cerr << "genten: warning: " << tools::input_name(list)
            << " has changed since the run that made the model, whose missing entries it listed: "
               "those that it lists now do not count, unless --missing FILE names others\n";
}

Duplicates KnownRun::duplicates() const {
  return from_word<Duplicates>(options.value("duplicates", "sum")).value_or(Duplicates::sum);
}

void KnownRun::check(std::size_t order) const {
  try {
    static_cast<void>(loss());
    static_cast<void>(sums_whole_squares());
    static_cast<void>(duplicates());
    for (std::size_t n = 0; n < order; ++n) static_cast<void>(constraint(n));
  } catch (const Json::exception&) {
    throw Error::in_file(file, 0, "its options are not in the form of such reports");
  }
}

RowConstraint KnownRun::constraint(std::size_t mode) const {
  RowConstraint constraint;
  constraint.ridge = number_of(options, "ridge", mode, 0.0);
  constraint.l1 = number_of(options, "l1", mode, 0.0);
  constraint.lower = number_of(options, "lower", mode, -RowConstraint::none);
  constraint.upper = number_of(options, "upper", mode, RowConstraint::none);
  if (is_nonnegative(options, mode)) constraint.lower = std::max(constraint.lower, 0.0);
  return constraint;
}

KnownRun run_of_stream(const std::string& model, const Checkpoint<StreamingCp::Model>& saved) {
  KnownRun report{model, options_of(StreamingCp(HostExec(), saved).options())};
  const Json beside = run_beside(model);
  if (!beside.is_null()) {
    report.options["duplicates"] = beside.value("duplicates", "sum");
    for (const char* name : {"values", "decimal", "text_base"}) {
      if (beside.contains(name)) report.options[name] = beside[name];
    }
  }
  return report;
}

std::optional<KnownRun> run_of_model(const std::string& model, const std::string& run,
                                     std::size_t order) {
  std::error_code ignored;
  const bool is_file = std::filesystem::is_regular_file(model, ignored);  // not a pipe
  if (run == "none" || (run.empty() && !is_file)) return std::nullopt;
  std::optional<KnownRun> report;
  if (!run.empty()) {
    report = report_in(model, run, order);
  } else if (const auto saved = StreamingCp::saved_in(model)) {
    report = run_of_stream(model, *saved);
  } else if (Json options = run_beside(model); !options.is_null()) {
    report = {model + ".labels.json", std::move(options)};
    report->tensor = report->options.value("tensor", "");
    const std::string values = values_beside(model);  // of the tensor, which was no table
    if (!values.empty() && !report->options.contains("values")) report->options["values"] = values;
  }
  if (report) report->check(order);
  return report;
}

EntriesOfRun entries_of_run(const std::optional<KnownRun>& run) {
  EntriesOfRun found;
  if (!run) return found;
  found.duplicates = run->duplicates();
  found.missing = run->missing();
  found.source = run->file;
  found.tensor = run->tensor;
  if (found.missing == "none" || found.missing == "unlisted") return found;
  found.list = std::exchange(found.missing, "listed");
  if (!run->knows_list()) found.list = "";
  return found;
}

namespace {

/// Says where a table has the column, too, that the run had for its values.
void tell_of_other_values(const KnownRun& run, const ReadOptions& read, const std::string& file) {
  const Json values = run.options.value("values", Json());
  if (!values.is_string() || values == "" || values == read.values) return;
  const auto column = values.get<std::string>();
  const auto columns = table_columns(file, read);
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) return;
  std::cout.flush();
  std::cerr << "genten: note: " << tools::input_name(file) << ": column \""
            << tools::printable(read.values)
            << "\" is taken for the values, and the model's run had \"" << tools::printable(column)
            << "\", which is there, too\n";
}

}  // namespace

void take_values(ReadOptions& read, const std::string& file, const Given& given,
                 const std::optional<KnownRun>& run, const std::vector<std::string>& modes) {
  if (!run || !is_table_file(file, read)) return;
  if (!given("--decimal") && run->options.value("decimal", Json()) == ",") {
    read.decimal = Decimal::comma;
    std::cout.flush();
    std::cerr << "genten: note: " << tools::input_name(file)
              << ": numbers have a decimal comma, as in the model's run; --decimal . says "
                 "otherwise\n";
  }
  if (given("--values")) return tell_of_other_values(*run, read, file);
  // The run of a tensor that was no table has values without a name, as a series of pandas has.
  const Json values = run->options.value("values", Json(""));
  if (values.is_null()) return count_rows(modes, table_columns(file, read), read, file);
  if (!values.is_string()) return;
  const auto column = values.get<std::string>();
  const auto columns = table_columns(file, read);
  if (!column.empty() && std::find(columns.begin(), columns.end(), column) != columns.end()) {
    read.values = column;
  } else {
    take_values_beside(read.modes.empty() ? modes : read.modes, columns, column, read, file);
  }
}

void add_run(CLI::App& app, std::string& run, const std::string& defaults,
             const std::string& none) {
  tools::add_text(app, "--run", "FILE", run,
                  "the report of the run that made MODEL (decompose --json), whose " + defaults +
                      " are the defaults; by default what MODEL says itself, as a stream does, or "
                      "MODEL.labels.json; none: " +
                      none);
}

void tell_of_unknown_run(const std::string& model, const std::string& run,
                         const std::string& assumed) {
  if (!run.empty()) return;
  const std::string name = tools::input_name(model);
  std::cout.flush();
  if (!can_be_read_again(model)) {
    std::cerr << "genten: note: nothing tells of the run that made the model of " << name
              << ", since its options do not go through a pipe, but stand beside a file: "
              << assumed << '\n';
    return;
  }
  std::cerr << "genten: note: nothing beside " << name << " tells of the run that made it"
            << (may_have_names(model) || !is_first_word_on_lack(model)
                    ? ""
                    : " (did another program make it, or was it copied without " + name +
                          ".labels.json?)")
            << ": " << assumed << '\n';
}

void tell_of_unknown_loss(const ValueModel& model, const std::string& file,
                          const std::optional<KnownRun>& run, const std::string& asked,
                          const LossChoice& loss, const std::string& assumed) {
  if (run || !loss.name.empty() || !model.facts.contains("rank")) return;
  tell_of_unknown_run(file, asked,
                      assumed + "; --loss says what it minimizes, gaussian for least squares");
}

void tell_of_list(const std::string& model) {
  std::cout.flush();
  std::cerr << "genten: note: " << tools::input_name(model)
            << " was made without entries that a list named as missing; here all count, unless "
               "--missing FILE says which do not\n";
}

bool any_constraint_given(const Given& given) {
  constexpr std::array names = {"--loss", "--nonnegative", "--ridge", "--l1", "--lower", "--upper"};
  return std::any_of(names.begin(), names.end(), given);
}

void tell_of_unknown_constraints(const std::string& model, const std::string& run,
                                 const Given& given) {
  if (any_constraint_given(given)) return;
  tell_of_unknown_run(model, run,
                      "least squares without constraints are assumed; --run FILE names its report, "
                      "--loss, --nonnegative and so on say it, and --run none that there is none");
}

void take_duplicates(tools::TensorInput& input, const Given& given, Duplicates rule,
                     std::vector<std::string>& taken) {
  if (given("--duplicates") || rule == input.read.duplicates) return;
  input.read.duplicates = rule;
  input.duplicates_of_run = true;
  taken.push_back("duplicates " + std::string(to_string(rule)));
}

void take_run(ProjectCommand& command, const Ktensor<double, HostExec>& model, int mode,
              const KnownRun& run) {
  std::vector<std::string> taken;
  command.options_of_run = run.options;
  RowConstraint& constraint = command.options.constraint;
  const RowConstraint of_run = run.constraint(static_cast<std::size_t>(mode));
  if (!command.given("--loss")) {
    command.loss = run.loss();
    const Json parameter = run.options.value("loss_parameter", Json());
    if (!command.given("--loss-parameter") && parameter.is_number()) {
      command.loss_parameter = parameter.get<double>();
    }
    // Generalized CP minimizes the whole sum of squares, alternating least squares half of it.
    if (run.sums_whole_squares()) command.options.loss_factor = 1.0;
    taken.push_back("loss " + command.loss);
  }
  const auto take = [&](const char* name, double& to, double of, double none) {
    if (command.given(std::string("--") + name) || of == none) return;
    to = of;
    taken.push_back(std::string(name) + " " + tools::format("%.6g", of));
  };
  take("ridge", constraint.ridge, of_run.ridge, 0.0);
  take("l1", constraint.l1, of_run.l1, 0.0);
  if (!command.given("--nonnegative")) {
    take("lower", constraint.lower, of_run.lower, -RowConstraint::none);
  }
  take("upper", constraint.upper, of_run.upper, RowConstraint::none);
  take_duplicates(command.input, command.given, run.duplicates(), taken);
  const std::string missing = run.missing();
  if (missing == "unlisted" && !command.given("--missing")) {
    command.missing = missing;
    taken.push_back("unlisted entries missing");
  } else if (missing != "unlisted" && missing != "none") {
    // Its entries are those of the run's tensor, and say nothing of other slices.
    const bool is_file = run.knows_list();
    if (is_file) command.missing_in_training = missing;
    const bool is_given = command.given("--missing");
    if (!is_given && is_file && is_one_file(command.input.file, run.tensor)) {
      command.missing = missing;
      run.tell_of_changed_list();
      taken.push_back("entries of " + tools::input_name(missing) + " missing");
    } else if (!is_given) {
      tell_of_list(command.model);
    }
  }
  // The factors of streams are as their penalties have them.
  const bool normalized = run.options.value("solver", "als") != "stream";
  if (normalized && !command.given("--ridge") && !command.given("--l1")) {
    std::vector<RowConstraint> all;
    for (std::size_t n = 0; n < static_cast<std::size_t>(model.order()); ++n) {
      all.push_back(run.constraint(n));
    }
    command.options.scales = column_scales(HostExec(), model, mode, all);
  }
  if (!taken.empty()) {
    command.taken = tools::join(taken, ", ") + ", of " + tools::input_name(run.file);
  }
}

}  // namespace genten::cli
