// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "checks.hpp"

#include "data_fault.hpp"
#include "project/run_options.hpp"
#include "sidecar/options_of_run.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/sidecar_output.hpp"
#include "tools/files.hpp"
#include "tools/text.hpp"

#include <genten/cp/row_constraints.hpp>
#include <genten/run/report.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iostream>

namespace genten::cli {
namespace {

/// Throws a usage error for options of random guesses beside --init with that word.
void require_no_random(const DecomposeOptions& options, const std::string& init) {
  if (options.given("--seed") && !options.given("--bootstrap")) {
    usage_error("--seed",
                "has no effect beside --init " + init + ", which is not random: leave it out");
  }
  if (options.common.starts != 1) {
    usage_error("--starts", "expected 1 beside --init " + init + ", got " +
                                std::to_string(options.common.starts));
  }
}

/// Complains of options that a guess from a file makes meaningless, and of another rank than its.
void require_guess_options(const DecomposeOptions& options, std::size_t rank) {
  require_no_random(options, "FILE");
  if (options.given("--rank") && options.common.rank != rank) {
    reject("rank",
           "that of the model in " + input_name(options.guess_file) + ", " + std::to_string(rank),
           std::to_string(options.common.rank));
  }
}

}  // namespace

void require_guess(const DecomposeOptions& options, const TensorFacts& facts,
                   const std::vector<std::size_t>& dimensions, std::size_t rank) {
  const std::string file = input_name(options.guess_file);
  if (dimensions != facts.dimensions) {
    // Modes of numbers are never shorter than those of a guess.
    std::vector<std::string> lengths;
    bool lacks_names = false;
    for (std::size_t n = 0; n < std::min(dimensions.size(), facts.dimensions.size()); ++n) {
      lengths.push_back(std::to_string(std::max(dimensions[n], facts.dimensions[n])));
      lacks_names = lacks_names || dimensions[n] < facts.dimensions[n];
    }
    std::string way_out;
    if (dimensions.size() == facts.dimensions.size()) {
      way_out = lacks_names ? "; names of rows beside both would say which rows are new"
                            : "; --dimensions " + join(lengths, ",") +
                                  " says so where rows have no entries";
    }
    throw Error(file + ": expected an initial guess of the dimensions of " +
                input_name(facts.file) + ", " + format_dimensions(facts.dimensions) + ", got " +
                format_dimensions(dimensions) + way_out);
  }
  require_guess_options(options, rank);
}

void tell_of_run_of_guess(const DecomposeOptions& options, std::size_t order) {
  using Json = nlohmann::json;
  const auto run = run_of_model(options.guess_file, "", order);
  if (!run) return;
  const Json theirs = run_of_options(run->options, "");
  const Json ours = run_of_options(Json(options_json(options)), "");
  std::vector<std::string> lost;
  for (const OptionOfRun& each : options_of_run(theirs)) {
    const bool same = theirs[each.member] == ours.value(each.member, Json());
    if (!same && !options.given(each.option)) lost.push_back(each.text);
  }
  if (lost.empty()) return;
  std::cout.flush();
  std::cerr << "genten: note: " << input_name(options.guess_file) << " was made with "
            << join(lost, " ") << ", and this run is without: add "
            << (lost.size() == 1 ? "this" : "these") << " to go on as before\n";
}

void require_nvecs_options(const DecomposeOptions& options) {
  require_no_random(options, "nvecs");
}

void require_modes_to_update(const DecomposeOptions& options, const TensorFacts& facts) {
  const auto& fixed = options.common.fixed_modes;
  require_modes("fixed-modes", fixed, facts.dimensions.size());
  if (fixed.size() != facts.dimensions.size()) return;
  reject("fixed-modes",
         "a mode that is left to update (--max-iterations 0 says how well the guess fits)",
         value_text(fixed));
}

bool uses_labels(const DecomposeOptions& options) {
  return lists_components(options) || options.top != 0 || options.json_factors ||
         tools::holds_names(tools::model_form(options.output)) ||
         !labels_file_of(options.output).empty();
}

void require_use_of_labels(const DecomposeOptions& options) {
  if (options.labels.empty() || uses_labels(options)) return;
  usage_error("--labels",
              "expected something to name: --output with a file, --top, or "
              "--json-factors");
}

void require_constraints(const DecomposeOptions& options, const TensorFacts& facts) {
  const std::size_t order = facts.dimensions.size();
  require_modes("nonnegative", options.common.nonnegative.modes, order);
  const auto require_length = [order](std::string_view name, const std::vector<double>& numbers) {
    if (numbers.size() <= 1 || numbers.size() == order) return;
    reject(name, "one number for all modes or " + std::to_string(order) + ", one a mode",
           value_text(numbers));
  };
  require_length("ridge", options.common.ridge);
  require_length("l1", options.common.l1);
  require_length("lower", options.common.lower);
  require_length("upper", options.common.upper);
  static_cast<void>(row_constraints(options.common, order));  // whose messages need no command line
}

bool keeps_model(const DecomposeOptions& options) {
  return !options.output.empty() || options.json_factors || options.top != 0 ||
         !options.checkpoint.empty();
}

void require_use_of_run(const DecomposeOptions& options) {
  if (!options.quiet || !options.json.empty() || keeps_model(options)) return;
  usage_error("--quiet",
              "expected something that the run leaves: --output for the model, "
              "--json, --top or --checkpoint");
}

void tell_of_lost_model() {
  std::cerr << "genten: note: the model is not kept: add --output NAME\n";
}

std::string subject(const DecomposeOptions& options, const TensorFacts& facts, const Error& error) {
  const auto is = [&](Error::Code code) { return error.code() == code; };
  if (is(Error::Code::data)) {
    const LossData data = options.request.any_loss().facts().data;
    return input_name(facts.file) + line_of_bad_value(facts, options.input.read, data);
  }
  if (!options.guess_file.empty() && is(Error::Code::guess)) return input_name(options.guess_file);
  if (options.resume.empty() || !is(Error::Code::checkpoint)) return "";
  return input_name(options.resume) + ", to go on with " + input_name(facts.file);
}

std::string way_out_of_values(const DecomposeOptions& options, const TensorFacts& facts) {
  const LossData data = options.request.any_loss().facts().data;
  const std::string sums = way_out_of_sums(facts, data);
  return (sums.empty() ? "" : sums + "; or ") + "leave such entries out, or take " +
         (data == LossData::binary ? "--loss poisson, which is for nonnegative whole numbers, or "
                                   : "") +
         "--loss gaussian, which is for all numbers";
}

void require_checkpoint_name(const std::string& path) {
  if (path == "-") reject("checkpoint", "a file, which is written again and again", "-");
  if (compression_of_name(path) != Compression::none) {
    reject("checkpoint", "a name without .gz or .zst: checkpoints are binary and not compressed",
           path);
  }
  if (const auto form = model_form(path); form == ModelForm::csv || form == ModelForm::npz) {
    reject("checkpoint", "a name without .csv or .npz: checkpoints are binary", path);
  }
  require_no_tensor_name(path);
}

}  // namespace genten::cli
