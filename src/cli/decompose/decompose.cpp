// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten decompose: a tensor file in, a CP model and an account of the run out.

#include "decompose.hpp"
#include "interrupt.hpp"
#include "model_file.hpp"
#include "progress.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"
#include "top_entries.hpp"

#include <genten/cp/cp_als.hpp>

#include <unistd.h>

#include <iostream>
#include <optional>

namespace genten::cli {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// Where text for people goes: not to the standard output when that is to carry data.
std::ostream& report_stream(const DecomposeOptions& options) {
  return tools::report_stream(false, {options.json, options.output});
}

bool report_on_terminal(const DecomposeOptions& options) {
  return ::isatty(&report_stream(options) == &std::cerr ? STDERR_FILENO : STDOUT_FILENO) != 0;
}

/// Complains of options that a guess from a file makes meaningless, and of another rank than its.
void require_guess_options(const DecomposeOptions& options, std::size_t rank) {
  if (options.given("--seed")) {
    throw CLI::ValidationError("--seed", "means nothing beside --init FILE, which is not random");
  }
  if (options.als.starts != 1) {
    throw CLI::ValidationError(
        "--starts", "expected 1 beside --init FILE, got " + std::to_string(options.als.starts));
  }
  if (options.given("--rank") && options.als.rank != rank) {
    reject("rank", "that of the model in " + options.guess_file + ", " + std::to_string(rank),
           std::to_string(options.als.rank));
  }
}

/// Progress, checkpoints and Ctrl-C: what the tool does after each iteration.
template <class Scalar>
KtensorObserver<Scalar, Exec> observe(const DecomposeOptions& options, Progress& progress) {
  return [&](const KtensorIteration<Scalar, Exec>& iteration) {
    progress.show(iteration.start, iteration.record);
    if (!options.checkpoint.empty() && iteration.record.iteration % options.checkpoint_every == 0) {
      write_model(options.checkpoint, iteration.model());
    }
    return InterruptGuard::signal() != 0 ? ObserverAction::stop : ObserverAction::proceed;
  };
}

/// Runs CP-ALS; sets the rank of the options to that of a guess that comes from a file.
template <class Tensor>
auto solve(DecomposeOptions& options, const Tensor& tensor, const TensorFacts& facts,
           std::ostream& out) {
  using Scalar = typename Tensor::scalar_type;
  std::optional<Ktensor<Scalar, Exec>> guess;
  if (!options.guess_file.empty()) {
    guess = read_ktensor<Scalar, Exec>(options.guess_file);
    require_guess_options(options, guess->rank());
    options.als.rank = guess->rank();
  }
  if (!options.quiet) print_beginning(out, options, facts);
  Progress progress(out, report_on_terminal(options), options.quiet ? 0 : options.print_every,
                    options.als.starts);
  const auto observer = observe<Scalar>(options, progress);
  auto result = guess ? cp_als(Exec(), tensor, *guess, options.als, observer)
                      : cp_als(Exec(), tensor, options.als, observer);
  progress.finish();
  return result;
}

template <class Result>
nlohmann::ordered_json report_json(const DecomposeOptions& options, const TensorFacts& facts,
                                   const Result& result) {
  auto json = result_json(result);
  json["interrupted"] = InterruptGuard::signal() != 0;
  json["seed"] = options.als.seed;
  json["options"] = options_json(options);
  json["tensor"] = to_json(facts);
  json["model_file"] = options.output;
  json.update(describe_environment());
  return json;
}

template <class Tensor>
int decompose_tensor(DecomposeOptions options, const Tensor& tensor, const TensorFacts& facts) {
  require_modes("mode-order", options.als.mode_order, facts.dimensions.size());
  require_modes("fixed-modes", options.als.fixed_modes, facts.dimensions.size());
  const Labels labels(options.labels, facts.dimensions);
  std::ostream& out = report_stream(options);
  const InterruptGuard guard;
  const auto result = solve(options, tensor, facts, out);
  const auto model = create_mirror_view_and_copy(result.model);
  write_model(options.output, model);
  auto json = report_json(options, facts, result);
  if (!options.quiet) print_summary(out, json);
  if (options.top != 0) {
    const auto top = top_components(model, options.top);
    print_top(out, top, labels);
    json["top"] = to_json(top, labels);
  }
  write_json(options.json, json);
  if (result.stop_reason != StopReason::non_finite) return success;
  std::cerr << "genten: the computation left the range of finite numbers, and so may some of the "
               "model\n";
  return failure;
}

int decompose(const DecomposeOptions& options) {
  std::vector<std::string> inputs = {options.input.file, options.guess_file};
  for (const std::string& file : split_list(options.labels)) inputs.push_back(file);
  require_places(inputs, {options.output, options.json, options.checkpoint});
  require_model_name(options.output);
  require_model_name(options.checkpoint);
  if (options.checkpoint == "-")
    reject("checkpoint", "a file, which is written again and again", "-");
  return with_tensor<Exec>(options.input, [&](const auto& tensor, const TensorFacts& facts) {
    return decompose_tensor(options, tensor, facts);
  });
}

}  // namespace

void add_decompose(CLI::App& tool, Action& action) {
  add_command<DecomposeOptions>(tool, action, "decompose",
                                "CP decomposition by alternating least squares", declare_decompose,
                                decompose);
}

}  // namespace genten::cli
