// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "decompose.hpp"

#include "tools/launch/rank_options.hpp"
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
  names.defaults["tolerance"] = number_text(options.als.tolerance) + ", with --missing " +
                                number_text(options.completion.tolerance);
  names.defaults["max-iterations"] = std::to_string(options.als.max_iterations) +
                                     ", of --loss poisson " +
                                     std::to_string(options.apr.max_iterations);
  add_fields(app, options.als, names);
  OptionNames of_counts;
  of_counts.left_out = names_of(options.als);
  add_fields(app, options.apr, of_counts);
  add_text(app, "--missing", "unlisted|FILE", options.missing,
           "cells that are not known: all that the tensor does not list, or those that a file "
           "lists, one a line, all others counting, zeros too; --tolerance is then a part of the "
           "objective, and --ridge more than none by default where unlisted ones are missing");
  OptionNames of_missing;
  of_missing.left_out = names_of(options.als);
  add_fields(app, options.completion, of_missing);
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
  add_output(
      app, "-o,--output", options.output,
      "write the model: binary where the name ends in .gkt or .bin, for other programs in "
      ".csv or .npz, text in .ktensor, .txt or nothing, also compressed, .gz or .zst; - is the "
      "standard output");
  const auto json =
      add_output(app, "--json", options.json,
                 "write the result, with versions, machine and options; - is the standard output");
  add_flag(app, "--json-factors", options.json_factors,
           "the factors stand in the JSON of --json, too, with the names of their rows")
      .needs(json)
      .described_alone();  // the help need not say twice what it needs
  add_option(app, {"top", "print the N strongest entries of each mode by component", 0, 1e9},
             options.top);
  add_text(app, "--labels", "FILE,...", options.labels,
           "names of the rows, one file a mode, for --top, --json-factors and the model, beside "
           "which they go; nothing between two commas: no names (default FILE.labels.json)");
  const auto every = add_option(app, {"print-every", "print every Nth iteration; 0: none", 0, 1e9},
                                options.print_every);
  add_flag(app, "-q,--quiet", options.quiet,
           "print nothing but what --top asks for; refused where nothing is asked for or "
           "written either")
      .excludes(every)
      .described_alone();  // the help need not say what it excludes
  const auto checkpoint = add_output(app, "--checkpoint", options.checkpoint,
                                     "write where the run stands now and then, and at its end");
  add_option(app, {"checkpoint-every", "iterations from one checkpoint to the next", 1, 1e9},
             options.checkpoint_every)
      .needs(checkpoint);
  add_text(app, "--resume", "FILE", options.resume,
           "go on from a checkpoint, with its options; --max-iterations, --tolerance, "
           "--time-limit, --memory-limit and --memory-available may be others");
  add_rank_options(app, options.grid, options.transport);
}

}  // namespace

namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& beside) {
  usage_error("--" + std::string(name), "means nothing " + beside);
}

/// Refuses what would mean something beside --loss poisson, but is not there, and what goes without
/// saying.
void refuse_beside_counts(const DecomposeOptions& options) {
  if (!options.missing.empty()) {
    usage_error("--missing", "is not there yet beside --loss poisson");
  }
  if (options.given("--nonnegative")) {
    usage_error("--nonnegative", "is not for --loss poisson, whose factors always are");
  }
  for (const char* name : {"ridge", "l1", "lower", "upper", "fixed-modes"}) {
    if (!options.given("--" + std::string(name))) continue;
    usage_error("--" + std::string(name), "is not there yet beside --loss poisson");
  }
}

/// Refuses the options that only `own` has of those on the command line.
template <class Options>
void refuse_own(const DecomposeOptions& options, const Options& own, const std::string& beside) {
  const auto of_least_squares = names_of(options.als);
  for (const std::string_view name : names_of(own)) {
    if (of_least_squares.contains(name)) continue;
    if (options.given("--" + std::string(name))) refuse(name, beside);
  }
}

/// Takes what the command line says over from the options of least squares, and refuses what these
/// do not have.
template <class Options>
void take_given(const DecomposeOptions& options, Options& to, const std::string& beside) {
  const auto known = names_of(to);
  for_each_field(options.als, [&](const auto& field, const auto& given) {
    if (!options.given("--" + std::string(field.name))) return;
    if (!known.contains(field.name)) refuse(field.name, beside);
    for_each_field(to, [&](const auto& other, auto& value) {
      if constexpr (std::is_assignable_v<decltype(value), decltype(given)>) {
        if (other.name == field.name) value = given;
      }
    });
  });
}

/// What means nothing where cells are missing.
void refuse_beside_missing(const DecomposeOptions& options) {
  const bool unlisted = options.misses_unlisted();
  for (const char* name : {"kernel", "memory-limit"}) {
    if (unlisted && options.given("--" + std::string(name))) {
      refuse(name, "beside --missing unlisted");
    }
  }
  for (const char* name : {"holdout", "holdout-seed", "patience"}) {
    if (!unlisted && options.given("--" + std::string(name))) {
      refuse(name, "beside --missing FILE: cells are held out of those that a tensor lists");
    }
  }
  for (const char* name : {"holdout-seed", "patience"}) {
    const bool holds_out = options.completion.holdout > 0.0 || !options.resume.empty();
    if (options.given("--" + std::string(name)) && !holds_out) {
      refuse(name, "without --holdout");
    }
  }
}

template <class Options>
void share_from(const Options& from, CpAlsOptions& to) {
  to.rank = from.rank;
  to.max_iterations = from.max_iterations;
  to.tolerance = from.tolerance;
  to.time_limit = from.time_limit;
  to.seed = from.seed;
  to.starts = from.starts;
  to.memory_available = from.memory_available;
}

}  // namespace

void take_loss_options(DecomposeOptions& options) {
  const bool counts = options.loss == Loss::poisson;
  if (counts) refuse_beside_counts(options);
  if (!options.missing.empty()) {
    refuse_beside_missing(options);
    take_given(options, options.completion, "beside --missing");
  } else {
    refuse_own(options, options.completion, "without --missing");
  }
  if (counts) {
    take_given(options, options.apr, "beside --loss poisson");
    const bool newton =
        options.apr.steps == CountSteps::newton || (options.apr.steps == CountSteps::automatic &&
                                                    is_host_space<Kokkos::DefaultExecutionSpace>);
    for (const char* name : {"kernel", "memory-limit", "kappa", "kappa-tolerance"}) {
      if (newton && options.given("--" + std::string(name))) {
        refuse(name, "beside Newton's steps: --steps multiplicative takes others");
      }
    }
  } else {
    refuse_own(options, options.apr, "beside --loss gaussian");
  }
  share_options(options);
}

void share_options(DecomposeOptions& options) {
  if (options.loss == Loss::poisson) share_from(options.apr, options.als);
  if (options.missing.empty()) return;
  const CpCompletionOptions& from = options.completion;
  share_from(from, options.als);
  options.als.nonnegative = from.nonnegative;
  options.als.ridge = from.ridge;
  options.als.l1 = from.l1;
  options.als.lower = from.lower;
  options.als.upper = from.upper;
}

void declare_decompose(CLI::App& app, DecomposeOptions& options) {
  add_tensor_input(app, options.input);
  declare_solver(app, options);
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
             "  genten decompose ratings.tns --rank 8 --missing unlisted --holdout 0.1\n"
             "  genten decompose large.tns --rank 64 --checkpoint run.gkt -o model.gkt\n"
             "  genten decompose large.tns --resume run.gkt --checkpoint run.gkt \\\n"
             "    -o model.gkt\n"
             "  genten decompose tensor.tns --init model.ktensor --tolerance 1e-6 \\\n"
             "    --output better.ktensor");
}

nlohmann::ordered_json options_json(const DecomposeOptions& options) {
  nlohmann::ordered_json json = {{"loss", option_json(options.loss)}};
  if (!options.missing.empty()) {
    json["missing"] = options.missing;
    json.update(tools::options_json(options.completion));
  } else {
    json.update(options.loss == Loss::poisson ? tools::options_json(options.apr)
                                              : tools::options_json(options.als));
  }
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
