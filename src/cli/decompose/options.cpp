// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "decompose.hpp"
#include "model/loss_option.hpp"
#include "sidecar/sidecar.hpp"

#include "tools/launch/process_options.hpp"
#include "tools/mode_names.hpp"
#include "tools/option_groups.hpp"
#include "tools/result_json.hpp"

#include <genten/run/trust/fitted.hpp>

namespace genten::cli {
namespace {

using Guess = decltype(CpAlsOptions::init);
constexpr const char* nvecs_word = "nvecs";

void set_guess(DecomposeOptions& options, const std::string& text) {
  const auto kind = text == "random" ? Guess{} : from_word<Guess>(text);
  options.from_nvecs = text == nvecs_word;
  options.guess_file = kind || options.from_nvecs ? "" : text;
  options.request.given.erase("init");
  if (!kind) return;
  options.request.als.init = *kind;
  if (text != "random") options.request.given.insert("init");
}

/// The default of an option of that name, with those of the solvers that have another one.
std::string default_text(Solver first, std::string_view name) {
  const CpRequest request;
  std::string of_first, others;
  CpRequest::for_each_of(request, name, [&](Solver solver, const auto&, const auto& value) {
    const std::string text = value_text(value);
    if (solver == first) of_first = text;
    if (text == of_first || text.empty()) return;
    others += ", of --solver " + std::string(to_string(solver)) + " " + text;
  });
  return of_first + others;
}

/// The line of an option, with what solvers have to say otherwise of it.
OptionLine line_with_others(Solver first, const OptionFacts& field) {
  OptionLine line = line_of(field);
  const CpRequest request;
  std::vector<std::string_view> said = {field.meaning};
  CpRequest::for_each_of(request, field.name, [&](Solver solver, const auto& other, const auto&) {
    const bool is_new = std::find(said.begin(), said.end(), other.meaning) == said.end();
    if (solver == first || !is_new) return;
    said.push_back(other.meaning);
    line.meaning +=
        "; --solver " + std::string(to_string(solver)) + ": " + std::string(other.meaning);
  });
  return line;
}

constexpr const char* model_title = "Model";
constexpr const char* missing_title = "Missing and held-out entries";
constexpr const char* speed_title = "Speed and memory";
constexpr const char* trust_title = "How much to believe";

/// Options of the help under one title, by their names; the last title has those that no other has.
struct OptionGroup {
  std::string_view title;
  std::vector<std::string_view> names;
};
const std::vector<OptionGroup>& groups() {
  static const std::vector<OptionGroup> all = {
      {model_title, {"rank", "starts", "seed"}},
      {"Constraints and penalties",
       {"nonnegative", "ridge", "l1", "lower", "upper", "fixed-modes"}},
      {missing_title, {"holdout", "holdout-seed", "patience"}},
      {"When to stop", {"max-iterations", "tolerance", "time-limit"}},
      {speed_title,
       {"acceleration", "mode-order", "update-order", "kernel", "memory-available",
        "memory-limit"}},
      {"Solvers", {}}};
  return all;
}

bool is_in(const OptionGroup& group, std::string_view name) {
  const auto names = [&](const OptionGroup& each) {
    return std::find(each.names.begin(), each.names.end(), name) != each.names.end();
  };
  if (!group.names.empty()) return names(group);
  return std::none_of(groups().begin(), groups().end(), names);
}

void declare_init(CLI::App& app, DecomposeOptions& options) {
  add_text(
      app, "--init", all_words<Guess>() + "|random|nvecs|FILE",
      [&options](const std::string& text) { set_guess(options, text); },
      "initial guess: random numbers, or the model in a file, whose rank is used; " +
          explain_words<Guess>() +
          "; random: as suits the loss; nvecs: the leading left singular vectors of the "
          "matricizations, with unlisted entries as zeros (default random)");
}

void declare_loss(CLI::App& app, CpRequest& request) {
  const double none = std::numeric_limits<double>::max();
  add_option(app, {"loss", "what is minimized; " + explain_losses(), -none, none, loss_names},
             request.loss);
  add_option(app, {"loss-parameter", "the number of a loss that has one"}, request.loss_parameter);
}

void declare_missing(CLI::App& app, DecomposeOptions& options) {
  add_missing(
      app, options.missing, {"none", "unlisted"},
      "entries that are not known: none, all that the tensor does not list (by default with a "
      "ridge), or those that a file lists, one a line; --tolerance is then a part of the "
      "objective");
}

void declare_output(CLI::App& app, DecomposeOptions& options) {
  options.given = given_in(app);
  add_run_output(app, options,
                 {.model = "write the model: binary where the name ends in .gkt or .bin, for other "
                           "programs in .csv or .npz, text in .ktensor, .txt or nothing, also "
                           "compressed, .gz or .zst",
                  .top = "print the N strongest rows of each mode by component, in place of "
                         "the list of components",
                  .labelled = "components, --json-factors and the model"});
  add_flag(app, "--json-factors", options.json_factors,
           "the factors stand in the JSON of --json, too, with the names of their rows")
      .needs(option_of(app, "--json"))
      .described_alone();  // the help need not say twice what it needs
  begin_group(app, "Checkpoints");
  const auto checkpoint = add_output(app, "--checkpoint", options.checkpoint,
                                     "write where the run stands now and then, and at its end");
  add_option(app, {"checkpoint-every", "iterations from one checkpoint to the next", 1, 1e9},
             options.checkpoint_every)
      .needs(checkpoint);
  add_text(app, "--resume", "FILE", options.resume,
           "go on from a checkpoint, with its options; --max-iterations, --tolerance, "
           "--time-limit, --memory-limit and --memory-available may be others");
  begin_group(app, "Several processes of MPI");
  add_process_options(app, options.grid, options.transport);
  begin_group(app, "Help");
}

constexpr bool on_host = is_host_space<Kokkos::DefaultExecutionSpace>;

}  // namespace

void refuse_option(const Error& error) {
  usage_error("--" + error.fields().option, complaint(error));
}

void settle(DecomposeOptions& options) {
  CpRequest& request = options.request;
  request.has_guess = !options.guess_file.empty() || options.from_nvecs;
  if (!options.missing.empty()) {
    request.missing = options.misses_unlisted() ? MissingEntries::unlisted : MissingEntries::listed;
  }
  for (const char* name : {"loss", "solver"}) {
    if (options.given(std::string("--") + name)) request.given.insert(name);
  }
  CpRequest::for_each_option(request, [&](Solver, const auto& field, const auto&) {
    if (field.name != "init" && options.given("--" + std::string(field.name))) {
      request.given.insert(std::string(field.name));
    }
  });
  if (!options.resume.empty()) return;
  refusing_options([&] { request.settle(on_host); });
  options.common = request.common();
}

void require_same_problem_as(const DecomposeOptions& options, const CpRequest& saved) {
  refusing_options([&] { require_same_problem(options.request, saved); });
}

void resume(DecomposeOptions& options, const CpRequest& saved) {
  options.request = refusing_options([&] {
    return resumed(options.request, saved, on_host,
                   [](const auto& value) { return value_text(value); });
  });
  options.common = options.request.common();
}

void declare_request(CLI::App& app, DecomposeOptions& options,
                     const std::set<std::string_view>& left_out) {
  CpRequest& request = options.request;
  for (const OptionGroup& group : groups()) {
    begin_group(app, std::string(group.title));
    CpRequest::for_each_option(request, [&](Solver solver, const auto& field, auto& value) {
      if (field.name == "init" || left_out.contains(field.name) || !is_in(group, field.name))
        return;
      add_option(app, line_with_others(solver, field), value, default_text(solver, field.name));
    });
    if (group.title == model_title) declare_loss(app, request);
    if (group.title == missing_title) declare_missing(app, options);
  }
  add_option(app, {"solver", "how the loss is minimized; none: as the other options need it"},
             request.asked);
  begin_group(app, "Options");
}

void number_modes(DecomposeOptions& options, const TensorFacts& facts) {
  if (!modes_are_named()) return;
  const Labels labels = labels_of(options.labels, facts);
  const auto number = [&](const auto& field, auto& value) {
    tools::number_modes(field.name, value, labels.mode_names());
  };
  CpRequest::for_each_solver(options.request,
                             [&](Solver, auto& own) { for_each_field(own, number); });
  for_each_field(options.request.trust, number);
  for_each_field(options.common, number);
}

void require_error_bars(const DecomposeOptions& options, const TensorFacts& facts) {
  refusing_options([&] { check_trust(options.request, facts.dimensions, facts.nnz); });
}

void declare_decompose(CLI::App& app, DecomposeOptions& options) {
  add_tensor_input(app, options.input);
  add_compact(app, options.input);
  declare_request(app, options);
  begin_group(app, trust_title);
  add_fields(app, options.request.trust);
  begin_group(app, model_title);
  declare_init(app, options);
  begin_group(app, speed_title);
  add_precision(app, options.input.precision);
  declare_output(app, options);
  set_footer(app,
             "Modes and subscripts count from 1 on the command line and in text files.\n"
             "Ctrl-C (SIGINT), SIGTERM and SIGHUP end the run after the current iteration,\n"
             "with all outputs written and exit code 4; a second one ends it at once.\n"
             "Threads: OMP_NUM_THREADS=4 OMP_PROC_BIND=spread OMP_PLACES=threads before the\n"
             "command, or --kokkos-num-threads=4 in it.\n"
             "\n"
             "Examples:\n"
             "  genten decompose tensor.tns --rank 16 -o model.ktensor --json result.json\n"
             "  genten decompose titanic.tns --rank 2 --top 3 \\\n"
             "    --labels class.labels,sex.labels,age.labels,survived.labels\n"
             "  genten decompose counts.tns.zst --rank 8 --loss poisson --starts 5\n"
             "  genten decompose counts.tns --rank 2 --loss poisson --standard-errors --top 3\n"
             "  genten decompose ratings.tns --rank 8 --missing unlisted --holdout 0.1\n"
             "  genten decompose sales.csv --values pieces --compact --rank 8 -o model.gkt\n"
             "  genten decompose links.tns --rank 8 --loss bernoulli-poisson\n"
             "  genten decompose large.tns --rank 64 --checkpoint run.gkt -o model.gkt\n"
             "  genten decompose large.tns --resume run.gkt --checkpoint run.gkt \\\n"
             "    -o model.gkt\n"
             "  genten decompose tensor.tns --init model.ktensor --tolerance 1e-6 \\\n"
             "    --output better.ktensor");
}

nlohmann::ordered_json options_json(const DecomposeOptions& options) {
  const CpRequest& request = options.request;
  nlohmann::ordered_json json = loss_json(request.any_loss().facts());
  json["solver"] = option_json(request.solver());
  if (!options.missing.empty()) json["missing"] = options.missing;
  CpRequest::with_options(request, [&](const auto& own) { json.update(tools::options_json(own)); });
  json.erase("unlisted");  // said by what is missing
  json.update(tools::options_json(request.trust));
  if (!options.guess_file.empty()) json["init"] = options.guess_file;
  if (options.from_nvecs) json["init"] = nvecs_word;
  json.update(tools::options_json(options.input));
  return json;
}

}  // namespace genten::cli
