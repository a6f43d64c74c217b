// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "outputs.hpp"
#include "sidecar/sidecar_output.hpp"
#include "tools/files.hpp"
#include "tools/option_groups.hpp"
#include "tools/result_json.hpp"
#include "tucker.hpp"

#include <genten/tucker/tucker.hpp>

namespace genten::cli {
namespace {

void set_init(TuckerCommand& options, const std::string& text) {
  const auto word = from_word<TuckerInit>(text);
  options.guess_file = word ? "" : text;
  if (word) options.run.init = *word;
}

/// What only HOOI has use for.
void refuse_beside_hosvd(const TuckerCommand& options) {
  if (options.run.method == TuckerMethod::hooi) return;
  const std::string beside = "has no effect beside --method " + value_text(options.run.method) +
                             ", which does not iterate";
  for (const char* name : {"--max-iterations", "--tolerance", "--time-limit", "--print-every"}) {
    if (options.given(name)) usage_error(name, beside);
  }
  const bool for_fixed_modes = !options.guess_file.empty() && !options.run.fixed_modes.empty();
  if (options.given("--init") && !for_fixed_modes) {
    usage_error("--init", beside + " and takes nothing but fixed modes from a model");
  }
}

/// Whether names of rows go anywhere.
bool uses_labels(const TuckerCommand& options) {
  return options.top != 0 || holds_names(model_form(options.output)) ||
         !labels_file_of(options.output).empty();
}

void require_use_of_run(const TuckerCommand& options) {
  if (!options.labels.empty() && !uses_labels(options)) {
    usage_error("--labels", "expected something to name: --output with a file, or --top");
  }
  const bool leaves_something =
      !options.quiet || !options.json.empty() || !options.output.empty() || options.top != 0;
  if (leaves_something) return;
  usage_error("--quiet",
              "expected something that the run leaves: --output for the model, --json or --top");
}

/// The longest mode of which text has the identity.
constexpr std::size_t longest_identity = 10000;

}  // namespace

void declare_tucker(CLI::App& app, TuckerCommand& options) {
  options.given = given_in(app);
  add_tensor_input(app, options.input);
  add_compact(app, options.input);
  begin_group(app, "Decomposition");
  OptionNames names;
  names.left_out = {"init"};
  add_fields(app, options.run, names);
  add_text(
      app, "--init", all_words<TuckerInit>() + "|FILE",
      [&options](const std::string& text) { set_init(options, text); },
      "where hooi begins: with the result of one of these methods, with random orthonormal "
      "factors, or with the Tucker model in a file, whose ranks are used (default " +
          value_text(options.run.init) + ")");
  add_precision(app, options.input.precision);
  add_run_output(app, options,
                 {.model = "write the model: text where the name ends in .ttensor, .txt or "
                           "nothing, also compressed, .gz or .zst; for NumPy in .npz",
                  .top = "print the N largest entries of the core, and of each column of each "
                         "mode the N strongest",
                  .labelled = "--top and the model"});
  begin_group(app, "Help");
  set_footer(app,
             "The model is a core of as many entries as the ranks multiply to, times a matrix\n"
             "of orthonormal columns in each mode. A rank may exceed neither the dimension nor\n"
             "the product of the other ranks.\n"
             "Ctrl-C (SIGINT), SIGTERM and SIGHUP end hooi after the current iteration, with\n"
             "all outputs written and exit code 4; a second one ends it at once.\n"
             "\n"
             "Examples:\n"
             "  genten tucker tensor.tns --ranks 4,4,3 -o model.ttensor --json result.json\n"
             "  genten tucker ucb.tns --ranks 2,2,2 --top 3 \\\n"
             "    --labels admitted.labels,gender.labels,department.labels\n"
             "  genten tucker tensor.tns --ranks 8,8,0 --method st-hosvd\n"
             "  genten tucker new.tns --init model.ttensor --fixed-modes 2,3");
}

void check_options(const TuckerCommand& options) {
  if (options.run.ranks.empty() && options.guess_file.empty()) {
    usage_error("--ranks", "expected the core's length in each mode, as in --ranks 4,4,3");
  }
  if (!options.run.fixed_modes.empty() && options.guess_file.empty()) {
    usage_error("--fixed-modes", "expected a Tucker model that has their factors: --init FILE");
  }
  refuse_beside_hosvd(options);
  const bool random = options.guess_file.empty() && options.run.init == TuckerInit::random;
  if (options.given("--seed") && !random) {
    usage_error("--seed", "has no effect without --init random");
  }
  require_use_of_run(options);
  require_tucker_model_name(options.output);
  tell_of_export(options.output);
}

void check_options(const TuckerCommand& options, const TensorFacts& facts) {
  const std::size_t order = facts.dimensions.size();
  const auto& ranks = options.run.ranks;
  if (order < 2) {
    throw Error::in_file(
        input_name(facts.file), 0,
        "expected a tensor of order 2 or more, got order " + std::to_string(order));
  }
  require_every_mode("mode-order", options.run.mode_order, order);
  require_modes("fixed-modes", options.run.fixed_modes, order);
  try {
    check_tucker_ranks(facts.dimensions, ranks);
  } catch (const Error& error) {
    usage_error("--ranks", complaint(error));
  }
  const bool as_text = !options.output.empty() && model_form(options.output) == ModelForm::text;
  for (std::size_t n = 0; n < order && as_text; ++n) {
    if (ranks[n] != 0 || facts.dimensions[n] <= longest_identity) continue;
    usage_error(options.output, "mode " + std::to_string(n + 1) +
                                    " is not compressed, and text would have the identity of " +
                                    std::to_string(facts.dimensions[n]) +
                                    " rows for it; expected " + std::to_string(longest_identity) +
                                    " at most, or a name that ends in .gkt or .npz");
  }
}

nlohmann::ordered_json options_json(const TuckerCommand& options) {
  auto json = tools::options_json(options.run);
  if (!options.guess_file.empty()) json["init"] = options.guess_file;
  json.update(tools::options_json(options.input));
  return json;
}

}  // namespace genten::cli
