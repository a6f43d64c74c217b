// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "decompose.hpp"

#include "tools/result_json.hpp"

namespace genten::cli {
namespace {

using Guess = decltype(CpAlsOptions::init);

void set_guess(DecomposeOptions& options, const std::string& text) {
  const auto kind = text == "random" ? Guess{} : from_word<Guess>(text);
  options.guess_file = kind ? "" : text;
  if (kind) options.als.init = *kind;
}

/// The names of all options of an aggregate.
template <class Options>
std::set<std::string_view> names_of(const Options& options) {
  std::set<std::string_view> names;
  for_each_field(options, [&](const auto& field, const auto&) { names.insert(field.name); });
  return names;
}

void declare_solver(CLI::App& app, DecomposeOptions& options) {
  add_option(app, {"loss", "what is minimized"}, options.loss);
  OptionNames names;
  names.left_out = {"init"};
  names.defaults["max-iterations"] = std::to_string(options.als.max_iterations) +
                                     ", of --loss poisson " +
                                     std::to_string(options.apr.max_iterations);
  add_fields(app, options.als, names);
  OptionNames of_counts;
  of_counts.left_out = names_of(options.als);
  add_fields(app, options.apr, of_counts);
  add_text(
      app, "--init", all_words<Guess>() + "|random|FILE",
      [&options](const std::string& text) { set_guess(options, text); },
      "initial guess: random numbers, or the model in a file, whose rank is used; " +
          explain_words<Guess>() + "; random: " + std::string(to_string(Guess{})) + " (default " +
          std::string(to_string(options.als.init)) + ")");
  add_precision(app, options.input.precision);
}

void declare_output(CLI::App& app, DecomposeOptions& options) {
  options.given = given_in(app);
  add_text(
      app, "-o,--output", "FILE", options.output,
      "write the model: binary where the name ends in .gkt or .bin, for other programs in "
      ".csv or .npz, text in .ktensor, .txt or nothing, also compressed, .gz or .zst; - is the "
      "standard output");
  const auto json =
      add_text(app, "--json", "FILE", options.json,
               "write the result, with versions, machine and options; - is the standard output");
  app.add_flag("--json-factors", options.json_factors,
               "the factors stand in the JSON, too, with the names of their rows")
      ->needs(json);
  add_option(app, {"top", "print the N strongest entries of each mode by component", 0, 1e9},
             options.top);
  add_text(app, "--labels", "FILE,...", options.labels,
           "names of the rows, one file a mode, for --top, --json-factors, .csv and .npz; nothing "
           "between two commas: no names (default FILE.labels.json, which Python writes)");
  const auto every = add_option(app, {"print-every", "print every Nth iteration; 0: none", 0, 1e9},
                                options.print_every);
  app.add_flag("-q,--quiet", options.quiet, "print nothing but what --top asks for")
      ->excludes(every)
      ->option_text(" ");  // the help need not say what it excludes
  const auto checkpoint = add_text(app, "--checkpoint", "FILE", options.checkpoint,
                                   "write where the run stands now and then, and at its end");
  add_option(app, {"checkpoint-every", "iterations from one checkpoint to the next", 1, 1e9},
             options.checkpoint_every)
      ->needs(checkpoint);
  add_text(app, "--resume", "FILE", options.resume,
           "go on from a checkpoint, with its options; --max-iterations, --tolerance, "
           "--time-limit, --memory-limit and --memory-available may be others");
}

}  // namespace

void take_loss_options(DecomposeOptions& options) {
  const auto is_given = [&](std::string_view name) {
    return options.given("--" + std::string(name));
  };
  const auto refuse = [](std::string_view name, const char* loss) {
    throw CLI::ValidationError("--" + std::string(name),
                               std::string("means nothing beside --loss ") + loss);
  };
  const auto of_least_squares = names_of(options.als), of_counts = names_of(options.apr);
  if (options.loss == Loss::gaussian) {
    for (const std::string_view name : of_counts) {
      if (!of_least_squares.contains(name) && is_given(name)) refuse(name, "gaussian");
    }
    return;
  }
  for_each_field(options.als, [&](const auto& field, const auto& given) {
    if (!is_given(field.name)) return;
    if (!of_counts.contains(field.name)) refuse(field.name, "poisson");
    for_each_field(options.apr, [&](const auto& other, auto& value) {
      if constexpr (std::is_assignable_v<decltype(value), decltype(given)>) {
        if (other.name == field.name) value = given;
      }
    });
  });
  share_options(options);
}

void share_options(DecomposeOptions& options) {
  if (options.loss == Loss::gaussian) return;
  const CpAprOptions& from = options.apr;
  CpAlsOptions& to = options.als;
  to.rank = from.rank;
  to.max_iterations = from.max_iterations;
  to.tolerance = from.tolerance;
  to.time_limit = from.time_limit;
  to.seed = from.seed;
  to.starts = from.starts;
  to.memory_available = from.memory_available;
}

void declare_decompose(CLI::App& app, DecomposeOptions& options) {
  add_tensor_input(app, options.input);
  declare_solver(app, options);
  declare_output(app, options);
  app.footer(
      "Modes and subscripts count from 1 on the command line and in text files.\n"
      "Ctrl-C (SIGINT), SIGTERM and SIGHUP end the run after the current iteration,\n"
      "with all outputs written and exit code 4; a second one ends it at once.\n"
      "\n"
      "Examples:\n"
      "  genten decompose tensor.tns --rank 16 -o model.ktensor --json result.json\n"
      "  genten decompose titanic.tns --rank 2 --top 3 \\\n"
      "    --labels class.labels,sex.labels,age.labels,survived.labels\n"
      "  genten decompose counts.tns.zst --rank 8 --loss poisson --starts 5\n"
      "  genten decompose large.tns --rank 64 --checkpoint run.gkt -o model.gkt\n"
      "  genten decompose large.tns --resume run.gkt --checkpoint run.gkt \\\n"
      "    -o model.gkt\n"
      "  genten decompose tensor.tns --init model.ktensor --tolerance 1e-6 \\\n"
      "    --output better.ktensor");
}

nlohmann::ordered_json options_json(const DecomposeOptions& options) {
  nlohmann::ordered_json json = {{"loss", option_json(options.loss)}};
  json.update(options.loss == Loss::poisson ? tools::options_json(options.apr)
                                            : tools::options_json(options.als));
  if (!options.guess_file.empty()) json["init"] = options.guess_file;
  json["precision"] = option_json(options.input.precision);
  // What the reader made of the file; its other options change nothing but the speed.
  const auto read = tools::options_json(options.input.read);
  for (const char* name : {"index_base", "duplicates", "header", "dimensions"}) {
    json[name] = read[name];
  }
  return json;
}

}  // namespace genten::cli
