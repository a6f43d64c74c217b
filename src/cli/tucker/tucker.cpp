// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten tucker: a tensor file in, a Tucker model and an account of the run out.

#include "tucker.hpp"
#include "long_modes.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "signals.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/mode_names.hpp"
#include "tools/result_json.hpp"
#include "tools/terminal/work_watch.hpp"
#include "top_core.hpp"

#include <genten/run/report.hpp>
#include <genten/tucker/tucker.hpp>

#include <iostream>
#include <optional>

namespace genten::cli {
namespace {

/// The model that the run begins with, whose ranks become those of the options.
template <RealScalar Scalar>
Ttensor<Scalar, HostExec> read_guess(TuckerCommand& options, const TensorFacts& facts,
                                     const Labels& labels) {
  const std::string& file = options.guess_file;
  const auto guess = reading(file, [&] { return read_ttensor<Scalar>(file); });
  const NamedRows own{facts.file, labels, facts.dimensions};
  const Labels names = labels_of("", file, guess.dimensions());
  const NamedRows other{file, names, guess.dimensions()};
  tell_of_text_numbers(other, options.input, facts.report);
  const bool any = labels.any() || names.any();
  const RowMatch match = any ? match_rows(own, other) : RowMatch();
  if (any && guess.dimensions().size() == facts.dimensions.size()) {
    require_names_of_guess(match, own, other, facts.report.table != nullptr);
  }
  if (guess.dimensions() != facts.dimensions) {
    throw Error(input_name(file) + ": expected a Tucker model of the dimensions of " +
                input_name(facts.file) + ", " + format_dimensions(facts.dimensions) + ", got " +
                format_dimensions(guess.dimensions()));
  }
  if (any) {
    require_same_rows(match, own, other);
    if (!match.is_by_number()) {
      throw Error::in_file(input_name(file), 0,
                           "expected rows and modes in the order of those of " +
                               input_name(facts.file) + ", got the same names in another order");
    }
  }
  std::vector<std::size_t> ranks;
  for (int n = 0; n < guess.order(); ++n) {
    ranks.push_back(guess.is_compressed(n) ? guess.rank(n) : 0);
  }
  if (!options.run.ranks.empty() && options.run.ranks != ranks) {
    reject("ranks", "those of the model in " + input_name(file) + ", " + value_text(ranks),
           value_text(options.run.ranks));
  }
  options.run.ranks = ranks;
  return guess;
}

/// Progress and signals: what the tool does after each iteration. With the first one there is
/// something to keep, so that signals no longer end the program at once.
template <class Scalar>
TtensorObserver<Scalar, HostExec> observe(WorkWatch& preparation, Progress& progress,
                                          std::optional<InterruptGuard>& guard) {
  return [&](const Iteration<Ttensor<Scalar, HostExec>>& iteration) {
    preparation.stop();
    if (!guard) guard.emplace();
    progress.show(iteration.start, iteration.record, iteration.ends.has_value());
    return InterruptGuard::signal() != 0 ? ObserverAction::stop : ObserverAction::proceed;
  };
}

/// Where all goes that --quiet leaves out.
std::ostream& said(const TuckerCommand& options) {
  return tools::report_stream(options.quiet, {options.json, options.output});
}

template <class Tensor>
auto solve(TuckerCommand& options, const Tensor& tensor, const TensorFacts& facts,
           const Labels& labels, std::ostream& out, std::optional<InterruptGuard>& guard) {
  using Scalar = typename Tensor::scalar_type;
  for_each_field(options.run, [&](const auto& field, auto& value) {
    number_modes(field.name, value, labels.mode_names());
  });
  std::optional<Ttensor<Scalar, HostExec>> guess;
  if (!options.guess_file.empty()) guess = read_guess<Scalar>(options, facts, labels);
  check_options(options, facts);
  print_beginning(said(options), options, facts);
  if (!options.quiet && options.output.empty() && options.top == 0) {
    std::cerr << "genten: note: the model is not kept: add --output NAME\n";
  }
  CpAlsOptions limits;
  limits.max_iterations = options.run.max_iterations;
  limits.time_limit = options.run.time_limit;
  Progress progress(out, options.lines(), limits, false);
  WorkWatch preparation(!options.quiet, "");
  preparation.meter().begin("preparing", 0);
  const auto observer = observe<Scalar>(preparation, progress, guard);
  const auto about = [&](const Error& error) {
    return error.code() == Error::Code::guess ? input_name(options.guess_file) : "";
  };
  auto result = concerning(about, [&] {
    return guess ? tucker(HostExec(), tensor, *guess, options.run, observer)
                 : tucker(HostExec(), tensor, options.run, observer);
  });
  preparation.stop();
  progress.finish();
  return result;
}

/// The names beside the model, and what the run made of entries.
OutputNames names_beside(const TuckerCommand& options, const Labels& labels,
                         const TensorFacts& facts) {
  OutputNames names{labels, facts.dimensions};
  names.run =
      run_of_options(with_values_of(options_json(options), facts.report), options.input.file);
  return names;
}

nlohmann::ordered_json json_of(const TuckerCommand& options, const TensorFacts& facts,
                               const RunFiles& files, const TuckerReport& report, int signal,
                               bool interrupted) {
  std::vector<std::string> before = facts.notes;
  before.insert(before.end(), report.warnings.begin(), report.warnings.end());
  auto json = tools::tucker_json(report.figures, report.notes, before);
  if (interrupted) json["stop_reason"] = "interrupted";
  json["core_dimensions"] = report.core_dimensions;
  json["interrupted"] = interrupted;
  if (interrupted) json["signal"] = signal_name(signal);
  json["options"] = options_json(options);
  json["tensor"] = to_json(facts);
  json["model_file"] = files.model;
  json["labels_file"] = files.labels;
  json.update(describe_environment());
  return json;
}

template <class Tensor>
int tucker_tensor(TuckerCommand options, const Tensor& tensor, const TensorFacts& facts) {
  const Labels labels = labels_of(options.labels, facts);
  if (!holds_names(model_form(options.output))) {
    require_place_of_labels(options.output, names_beside(options, labels, facts));
  }
  std::ostream& out = tools::report_stream(false, {options.json, options.output});
  std::optional<InterruptGuard> guard;
  const auto result = solve(options, tensor, facts, labels, out, guard);
  const bool table_printed = guard.has_value() && options.lines() != 0;
  if (!guard) guard.emplace();  // there has been no iteration
  const int signal = InterruptGuard::signal();
  const bool by_signal = signal != 0 && result.stop_reason == StopReason::observer;
  RunSettings settings = run_settings(options.run, entry_facts(facts));
  settings.is_interrupted = signal != 0;
  look_at_values(HostExec(), tensor, settings);
  const TuckerReport report{result, result.model.ranks(), tucker_notes(result, settings),
                            tucker_warnings(result)};
  Attempts attempt;
  const OutputNames names = names_beside(options, labels, facts);
  RunFiles files{save_model(attempt, options.output, result.model, names), ""};
  attempt([&] {
    files.labels = save_labels(attempt, files.model, names);
    files.beside = names.content();
  });
  const TopTucker top = top_of_model(result.model, options.top);
  auto json = json_of(options, facts, files, report, signal, by_signal);
  if (options.top != 0) json["top"] = to_json(top, labels);
  attempt([&] { write_json(options.json, json); });
  if (table_printed) out << '\n';
  print_summary(said(options), options, report, files, by_signal);
  if (options.top != 0) print_top(out, top, labels, options.quiet);
  if (result.stop_reason == StopReason::non_finite) {
    return complain("genten",
                    "iteration " + std::to_string(result.iterations + 1) +
                        " left the range of finite numbers and was undone",
                    failure);
  }
  if (attempt.exit_code() != success) return attempt.exit_code();
  return by_signal ? interrupted : success;
}

int tucker_file(TuckerCommand options) {
  outlive_closed_pipes();
  std::vector<std::string> inputs = {options.input.file, options.guess_file};
  for (const std::string& file : split_list(options.labels)) inputs.push_back(file);
  require_places(inputs, {{options.output, OutputKind::model},
                          {labels_file_of(options.output)},
                          {options.json, OutputKind::json}});
  check_options(options);
  take_text_base_beside(options.guess_file, options.input);
  const auto run = [&](const auto& tensor, const TensorFacts& facts) {
    return tucker_tensor(options, tensor, facts);
  };
  return with_tensor<HostExec>(options.input, options.quiet,
                               [&](const auto& tensor, const TensorFacts& facts) {
                                 return with_note_on_long_modes(tensor, facts, run);
                               });
}

}  // namespace

void add_tucker(CLI::App& tool, Action& action) {
  add_command<TuckerCommand>(tool, action, "tucker",
                             "Tucker decomposition: core and orthonormal factors", declare_tucker,
                             tucker_file);
}

}  // namespace genten::cli
