// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "decompose.hpp"

#include "options_cli.hpp"
#include "result_json.hpp"

#include <genten/mttkrp/kernel_list.hpp>

namespace genten::cli {
namespace {

void set_guess(DecomposeOptions& options, const std::string& text) {
  options.guess_file.clear();
  if (text == "uniform" || text == "random") {
    options.als.init = InitialGuess::uniform;
  } else if (text == "normal") {
    options.als.init = InitialGuess::normal;
  } else {
    options.guess_file = text;
  }
}

void declare_solver(CLI::App& app, DecomposeOptions& options) {
  add_fields(app, options.als, {"init"});
  add_text(
      app, "--init", "uniform|normal|random|FILE",
      [&options](const std::string& text) { set_guess(options, text); },
      "initial guess: random numbers, uniform in [0, 1) (as random is) or standard normal, or the "
      "model in a file, whose rank is used (default uniform)");
  std::vector<std::pair<std::string, std::string>> kernels = {{"auto", "auto"}};
  for (const auto& name : kernel_names<Kokkos::DefaultExecutionSpace>()) {
    kernels.emplace_back(name, name);
  }
  add_choice(app, "kernel", options.als.mttkrp.kernel, kernels,
             "how MTTKRP is computed; auto: the lowest predicted cost");
  add_fields(app, options.als.mttkrp, {"kernel"});
  add_precision(app, options.source.precision);
}

void declare_output(CLI::App& app, DecomposeOptions& options) {
  add_text(app, "-o,--output", "FILE", options.output,
           "write the model: text, or binary where the name ends in .gkt or .bin");
  add_text(app, "--json", "FILE", options.json,
           "write the result, with versions, machine and options; - is the standard output");
  add_number(app, "top", options.top, "print the N strongest entries of each mode by component", 0,
             1e9);
  add_text(app, "--labels", "FILE,...", options.labels,
           "names of the rows, one file a mode; nothing between two commas: no names");
  add_number(app, "print-every", options.print_every, "print every Nth iteration; 0: none", 0, 1e9);
  app.add_flag("-q,--quiet", options.quiet, "print nothing but what --top asks for");
  add_text(app, "--checkpoint", "FILE", options.checkpoint,
           "write the model now and then while it runs");
  add_number(app, "checkpoint-every", options.checkpoint_every,
             "iterations from one checkpoint to the next", 1, 1e9);
}

}  // namespace

void declare_decompose(CLI::App& app, DecomposeOptions& options) {
  add_tensor_source(app, options.source);
  declare_solver(app, options);
  declare_output(app, options);
  app.footer(
      "Modes and subscripts count from 1 on the command line and in text files.\n"
      "Ctrl-C ends the run after the current iteration; the model is still written.\n"
      "\n"
      "Examples:\n"
      "  genten decompose tensor.tns --rank 16 --output model.ktensor --json result.json\n"
      "  genten decompose titanic.tns --rank 2 --top 3 \\\n"
      "    --labels class.labels,sex.labels,age.labels,survived.labels\n"
      "  genten decompose counts.tns.zst --rank 8 --starts 5 --tolerance 1e-6 --time-limit 600\n"
      "  genten decompose tensor.tns --init model.ktensor --max-iterations 20 -o better.ktensor");
}

nlohmann::ordered_json options_json(const DecomposeOptions& options) {
  auto json = options_json(options.als);
  json.update(options_json(options.als.mttkrp));
  const bool normal = options.als.init == InitialGuess::normal;
  json["init"] = !options.guess_file.empty() ? options.guess_file : normal ? "normal" : "uniform";
  json["precision"] = options.source.precision == Precision::float32 ? "float" : "double";
  return json;
}

}  // namespace genten::cli
