// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten decompose: a tensor file in, a CP model and an account of the run out.

#include "decompose.hpp"
#include "checkpoints.hpp"
#include "checks.hpp"
#include "long_modes.hpp"
#include "missing.hpp"
#include "model/model_json.hpp"
#include "outputs.hpp"
#include "parts.hpp"
#include "processes.hpp"
#include "progress.hpp"
#include "saved_model.hpp"
#include "sidecar/match_rows.hpp"
#include "sidecar/sidecar.hpp"
#include "sidecar/table_numbers.hpp"
#include "signals.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/hints/large_rank.hpp"
#include "tools/result_json.hpp"
#include "tools/terminal/work_watch.hpp"
#include "top_rows.hpp"

#include <genten/cp/evaluate_loss.hpp>
#include <genten/cp/nvecs_guess.hpp>
#include <genten/cp/row_constraints.hpp>
#include <genten/run/distributed_notes.hpp>
#include <genten/run/run_cp.hpp>

#include <algorithm>
#include <optional>
#include <ostream>

namespace genten::cli {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// Where text for people goes: not to the standard output when that is to carry data.
std::ostream& report_stream(const DecomposeOptions& options) {
  return tools::report_stream(false, {options.json, options.output});
}

/// Where all goes that --quiet leaves out.
std::ostream& said(const DecomposeOptions& options) {
  return tools::report_stream(options.quiet, {options.json, options.output});
}

/// Progress, checkpoints and signals: what the tool does after each iteration. With the first one
/// preparation is over, and there is something to keep, so that signals no longer end the program
/// at once.
template <class Scalar>
KtensorObserver<Scalar, Exec> observe(WorkWatch& preparation, Progress& progress,
                                      std::optional<InterruptGuard>& guard,
                                      Checkpoints& checkpoints) {
  return [&](const KtensorIteration<Scalar, Exec>& iteration) {
    preparation.stop();
    if (!guard) guard.emplace();
    progress.show(iteration.start, iteration.record, iteration.ends.has_value());
    const bool interrupted = InterruptGuard::signal() != 0;
    checkpoints.keep(iteration, interrupted);
    return interrupted ? ObserverAction::stop : ObserverAction::proceed;
  };
}

/// Runs in this process.
template <class Tensor>
struct InOneProcess {
  std::optional<Tensor> missing;  ///< entries, where a file lists them

  static CpRequest saved_request(const auto& checkpoint) { return request_of(checkpoint); }
  template <RealScalar Scalar>
  CpRun<Scalar, Exec> run(const Tensor& tensor, const CpRequest& request,
                          const Beginning<Scalar, Exec>& beginning,
                          const KtensorObserver<Scalar, Exec>& observer,
                          const InterruptCheck& interrupted) const {
    return run_cp(Exec(), tensor, missing, request, beginning, observer, interrupted);
  }
};

/// Brings the rows and modes of a guess to where the tensor has those of the same names, or of the
/// same numbers where neither has names.
template <RealScalar Scalar>
void place_by_name(const DecomposeOptions& options, const TensorFacts& facts, const Labels& labels,
                   Ktensor<Scalar, Exec>& guess) {
  const auto dimensions = guess.dimensions();
  if (dimensions.size() != facts.dimensions.size()) return;
  const Labels names = labels_of("", options.guess_file, dimensions);
  const NamedRows own{facts.file, labels, facts.dimensions};
  const NamedRows other{options.guess_file, names, dimensions};
  if (is_first_process()) tell_of_text_numbers(other, options.input, facts.report);
  if (facts.report.table) {
    const Labels in_table(facts.report.table->rows, facts.report.table->modes);
    require_names(other, {facts.file, in_table, facts.dimensions}, facts.report, true);
  }
  RowMatch match = match_rows(own, other);
  match_longer_modes(match, own, other);
  require_names_of_guess(match, own, other, facts.report.table != nullptr);
  require_rows_of_guess(match, own, other, options.common.fixed_modes);
  if (match.is_by_number()) return;
  guess = clone_to<Exec>(in_rows_of(clone_to<HostExec>(guess), match, own));
}

/// Throws Error of kind `file` where --compact makes the difference between the rows of the tensor
/// and those of the checkpoint's run.
template <class Tensor>
void require_rows_of_run(const DecomposeOptions& options, const Tensor& tensor,
                         const TensorFacts& facts, const std::vector<std::size_t>& saved) {
  if (saved == facts.dimensions) return;
  const auto refuse = [&](const char* how, const char* now) {
    throw Error::in_file(input_name(options.resume), 0,
                         std::string("the run was made ") + how + " --compact: its tensor is " +
                             format_dimensions(saved) + ", and " + input_name(facts.file) + " is " +
                             format_dimensions(facts.dimensions) + " " + now + " it");
  };
  if (facts.before) {
    if (saved == facts.before->dimensions) refuse("without", "with");
    return;
  }
  std::vector<std::size_t> used;
  for (const auto& rows :
       drop_empty_slices<std::uint64_t>(HostExec(), copy_to<HostExec>(tensor)).rows) {
    used.push_back(rows.size());
  }
  if (saved == used) refuse("with", "without");
}

/// What a run begins at. Settles the request with what a checkpoint has, or with the rank of a
/// guess.
template <class Place, RealScalar Scalar, class Tensor>
Beginning<Scalar, Exec> beginning_of(const Place& place, DecomposeOptions& options,
                                     const Tensor& tensor, const TensorFacts& facts,
                                     const Labels& labels) {
  Beginning<Scalar, Exec> beginning;
  if (!options.resume.empty()) {
    auto& saved = beginning.checkpoint.emplace();
    on_first_process([&] {
      saved =
          reading(options.resume, [&] { return read_checkpoint<Scalar, Exec>(options.resume); });
    });
    resume(options, reading(options.resume, [&] { return place.saved_request(saved); }));
  }
  if constexpr (requires { place.missing; }) {  // processes have refused --compact and nvecs
    if (beginning.checkpoint) {
      require_rows_of_run(options, tensor, facts, beginning.checkpoint->model.dimensions());
    }
    if (options.from_nvecs) {
      auto constraints = row_constraints(options.request.common(), facts.dimensions.size());
      const double least = least_of_guess(options.request.any_loss().facts().lower);
      for (RowConstraint& each : constraints) each.lower = std::max(each.lower, least);
      beginning.guess = nvecs_guess(Exec(), tensor, options.common.rank, constraints);
    }
  }
  if (!options.guess_file.empty()) {
    on_all_processes([&] {
      auto& guess = beginning.guess.emplace(reading(
          options.guess_file, [&] { return read_ktensor<Scalar, Exec>(options.guess_file); }));
      place_by_name(options, facts, labels, guess);
      require_guess(options, facts, guess.dimensions(), guess.rank());
      if (is_first_process()) tell_of_run_of_guess(options, facts.dimensions.size());
    });
    options.request.set_rank(beginning.guess->rank());
    options.common.rank = beginning.guess->rank();
  }
  return beginning;
}

/// Runs a solver, and adds to the notes where the rank is too large.
template <class Place, class Tensor>
auto solve(const Place& place, DecomposeOptions& options, const Tensor& tensor, TensorFacts& facts,
           const Labels& labels, std::ostream& out, std::optional<InterruptGuard>& guard,
           Checkpoints& checkpoints) {
  using Scalar = typename Tensor::scalar_type;
  const auto beginning = beginning_of<Place, Scalar>(place, options, tensor, facts, labels);
  const std::size_t order = facts.dimensions.size(), rank = options.common.rank;
  const bool has_constraints = any_constraint(row_constraints(options.common, order));
  const tools::RankUse use{
      .chosen = options.given("--rank") || beginning.guess || beginning.checkpoint,
      .constrained = has_constraints || !options.common.fixed_modes.empty()};
  if (auto note = tools::rank_note(rank, facts.dimensions, use); !note.empty()) {
    facts.notes.push_back(std::move(note));
  }
  on_all_processes([&] {
    if (!is_first_process()) return;
    require_output_memory(options, facts, sizeof(Scalar), beside_model(tensor, rank));
  });
  require_checkpoint_memory(options, tensor);
  if constexpr (requires { place.missing; }) {
    for (const Note& note : notes_before_run(Exec(), tensor, place.missing, options.request)) {
      options.data_notes.push_back(note.text);
    }
  }
  print_beginning(said(options), options, facts, labels);
  if (!options.quiet && !keeps_model(options)) tell_of_lost_model();
  const bool by_objective = options.request.solver() != Solver::als || has_constraints;
  Progress progress(out, options.lines(), options.common, by_objective,
                    models_means(options.request.any_loss()));
  WorkWatch preparation(!options.quiet, "");
  preparation.meter().begin("preparing", 0);
  const KtensorObserver<Scalar, Exec> observer =
      observe<Scalar>(preparation, progress, guard, checkpoints);
  // Where it is asked before the first iteration ends, there is something to keep as well.
  const InterruptCheck interrupted = [&guard] {
    if (!guard) guard.emplace();
    return InterruptGuard::signal() != 0;
  };
  auto result = concerning_run(options, facts, [&] {
    return place.run(tensor, options.request, beginning, observer, interrupted);
  });
  preparation.stop();
  progress.finish();
  return result;
}

/// Did the signal, if there was one, keep the run or its bootstrap from its own end?
bool ended_by_signal(int signal, const RunReport& run) {
  const bool run_ended = run.figures.ended_by() == StopReason::observer;
  return signal != 0 && (run_ended || is_interrupted(run.trust));
}

/// The components of the model of a result, wherever it lies. All processes call it.
template <class Result>
ComponentFacts components_of(const Result& result) {
  if constexpr (requires { result.part; }) {
    Communicator& processes = ProcessesOfProgram::now()->processes();
    return unless_it_fails([&] { return component_facts(Exec(), processes, result.part); });
  } else {
    return unless_it_fails([&] { return component_facts(Exec(), result.model); });
  }
}

/// What notes rest on. All processes call it.
template <class Tensor>
RunSettings settings_of(const DecomposeOptions& options, const Tensor& tensor,
                        const TensorFacts& facts, int signal) {
  RunSettings settings = run_settings(options.request, facts.dimensions.size(), entry_facts(facts));
  settings.is_interrupted = signal != 0;
  if constexpr (requires { tensor.parts; }) {
    look_at_values(ProcessesOfProgram::now()->processes(), tensor.parts, settings);
  } else {
    look_at_values(Exec(), tensor, settings);
  }
  return settings;
}

nlohmann::ordered_json json_of(const DecomposeOptions& options, const TensorFacts& facts,
                               const RunFiles& files, const RunReport& report, int signal,
                               bool interrupted) {
  auto json = tools::report_json(report, facts.notes);
  if (!models_means(options.request.any_loss())) {
    const auto leave_out = [](nlohmann::ordered_json& record) {
      for (const char* name : {"fit", "fit_change", "residual_norm"}) {
        if (record.contains(name)) record[name] = nullptr;
      }
    };
    leave_out(json);
    for (const char* records : {"starts", "history"}) {
      for (auto& record : json[records]) leave_out(record);
    }
  }
  // Only signals end a run from outside.
  const auto say_interrupted = [](nlohmann::ordered_json& reason) {
    if (reason == to_string(StopReason::observer)) reason = "interrupted";
  };
  say_interrupted(json["stop_reason"]);
  for (auto& start : json["starts"]) say_interrupted(start["stop_reason"]);
  json["interrupted"] = interrupted;
  if (interrupted) json["signal"] = signal_name(signal);
  json["seed"] = options.common.seed;
  json["options"] = options_json(options);
  json["tensor"] = to_json(facts);
  json["model_file"] = files.model;
  json["labels_file"] = files.labels;
  if (!facts.processes.is_null()) json["ranks"] = facts.processes;
  json.update(describe_environment());
  return json;
}

/// Writes and prints all that there is of a result but the model, which is saved; returns the exit
/// code.
template <class Saved>
int report(Attempts& attempt, const DecomposeOptions& options, const TensorFacts& facts,
           const Labels& labels, const Saved& saved, const RunReport& result, int signal,
           bool table_printed, std::ostream& out) {
  std::vector<TopComponent> top;
  const bool has_model = saved.model.rank() != 0;  // otherwise that was told
  const bool by_signal = ended_by_signal(signal, result);
  RunFiles files{.model = saved.file, .labels = ""};
  attempt([&] {
    const OutputNames names = names_beside(options, labels, facts);
    files.labels = save_labels(attempt, files.model, names);
    files.beside = names.content();
    const std::size_t count = lists_components(options) ? rows_listed : options.top;
    if (has_model) top = top_components(saved.model, count);
    add_error_bars(top, result.trust);
  });
  auto json = json_of(options, facts, files, result, signal, by_signal);
  if (options.json_factors && has_model) {
    attempt([&] {
      add_factors(json, saved.model, labels);
      tools::add_factor_bars(json, result.trust, saved.model.rank());
    });
  }
  if (options.top != 0 && has_model) json["top"] = to_json(top, labels);
  attempt([&] { write_json(options.json, json); });
  if (table_printed) out << '\n';
  print_summary(said(options), options, result, files, by_signal);
  if (lists_components(options)) print_components(out, top, labels, facts.dimensions.size());
  if (options.top != 0 && has_model) print_top(out, top, labels, options.quiet);
  if (result.figures.stop_reason == StopReason::non_finite) {
    const auto* const completion = std::get_if<CpCompletionFigures>(&result.own);
    const std::size_t returned =
        completion == nullptr ? result.figures.iterations : completion->returned_iteration;
    return complain(
        "genten",
        "iteration " + std::to_string(result.figures.iterations + 1) +
            " left the range of finite numbers and was undone: the model is " +
            (returned == 0 ? "the initial guess" : "that of iteration " + std::to_string(returned)),
        failure);
  }
  if (attempt.exit_code() != success) return attempt.exit_code();
  return by_signal ? interrupted : success;
}

template <class Place, class Tensor>
int decompose_tensor(const Place& place, DecomposeOptions options, const Tensor& tensor,
                     TensorFacts facts) {
  on_all_processes([&] {
    number_modes(options, facts);
    require_every_mode("mode-order", options.common.mode_order, facts.dimensions.size());
    require_modes_to_update(options, facts);
    require_constraints(options, facts);
    require_error_bars(options, facts);
    if (options.from_nvecs) require_nvecs_options(options);
  });
  Labels labels(facts.dimensions.size());
  on_all_processes([&] {
    if (!uses_labels(options) && !may_have_names(options.guess_file)) return;
    labels = labels_of(options.labels, facts);
    if (!holds_names(model_form(options.output))) {
      require_place_of_labels(options.output, names_beside(options, labels, facts));
    }
  });
  std::ostream& out = report_stream(options);
  std::optional<InterruptGuard> guard;
  if (!is_first_process())
    guard.emplace();  // the first process says when there is something to keep
  Checkpoints checkpoints(options);
  const auto result = solve(place, options, tensor, facts, labels, out, guard, checkpoints);
  const bool table_printed = guard.has_value() && options.lines() != 0;
  if (!guard) guard.emplace();  // there has been no iteration
  const int signal = signal_of_any_process();
  // Notes are on what was asked for, and files beside the model have the ridge that was used.
  const auto settings = settings_of(options, tensor, facts, signal);
  if constexpr (requires { result.own; }) take_ridge_used(result.own, options.request);
  Attempts attempt;
  const auto saved = save_result<typename Tensor::scalar_type>(
      attempt, options, result, names_beside(options, labels, facts));
  attempt([&] { checkpoints.require_last(); });
  const ComponentFacts components = components_of(result);
  const RunReport found = run_report(result, components, settings);
  if constexpr (requires { result.exchange; }) {
    add_account(facts.processes, result.exchange, options.common.rank);
  }
  return of_first_process<int>(is_first_process() ? report(attempt, options, facts, labels, saved,
                                                           found, signal, table_printed, out)
                                                  : success);
}

/// Of processes, one of those that a launcher has started.
template <RealScalar Scalar>
int decompose_on_processes(MpiModule& mpi_module, const DecomposeOptions& options) {
  TransportChoice transport{nullptr, ""};
  if constexpr (!is_host_space<Exec>) {
    transport = make_device_transport(mpi_module.processes(), options.transport);
  }
  return with_parts<Scalar>(
      mpi_module, options.input, options.quiet, {.grid = options.grid},
      [&](auto parts, TensorFacts facts) {
        const std::string grid = options.grid.empty() ? "" : grid_text(options.grid);
        facts.processes = processes_json(mpi_module, grid, parts);
        if (!transport.name.empty()) {
          facts.processes["transport"] = transport.name;
        }
        const ProcessOptions how{transport.transport.get(),
                                 [] { return InterruptGuard::signal() != 0; }, false};
        return decompose_tensor(OnProcesses{mpi_module, how}, options,
                                ProcessesTensor{std::move(parts)}, std::move(facts));
      });
}

/// Throws usage errors, and Errors of files that do not go together.
void check_files(const DecomposeOptions& options) {
  require_options_for_processes(options);
  std::vector<std::string> inputs = {options.input.file, options.guess_file,
                                     options.missing_file()};
  for (const std::string& file : split_list(options.labels)) inputs.push_back(file);
  if (!keeps_its_checkpoint(options)) inputs.push_back(options.resume);
  require_places(inputs, {{options.output, OutputKind::model},
                          {labels_file_of(options.output)},
                          {options.json, OutputKind::json},
                          {options.checkpoint, OutputKind::model}});
}

/// Sets the options of the solver that was chosen. Throws usage errors.
void check_options(DecomposeOptions& options) {
  require_options_for_processes(options);  // with those of a checkpoint
  settle(options);
  require_use_of_labels(options);
  require_use_of_run(options);
  require_model_name(options.output);
  if (is_first_process()) tell_of_export(options.output);
  require_checkpoint_name(options.checkpoint);
}

int decompose(DecomposeOptions options) {
  outlive_closed_pipes();
  on_all_processes([&] { check_files(options); });
  prepare_to_resume(options);
  on_all_processes([&] { check_options(options); });
  tell_of_earlier_checkpoint(options);
  on_all_processes([&] { take_text_base_beside(options.guess_file, options.input); });
  if (MpiModule* const module = ProcessesOfProgram::now()) {
    return options.input.precision == Precision::float32
               ? decompose_on_processes<float>(*module, options)
               : decompose_on_processes<double>(*module, options);
  }
  const auto run = [&](const auto& tensor, const TensorFacts& facts) {
    using Tensor = std::remove_cvref_t<decltype(tensor)>;
    const InOneProcess<Tensor> place{missing_entries(options, tensor, facts)};
    return decompose_tensor(place, options, tensor, facts);
  };
  return with_tensor<Exec>(options.input, options.quiet,
                           [&](const auto& tensor, const TensorFacts& facts) {
                             return with_note_on_long_modes(tensor, facts, run);
                           });
}

}  // namespace

OutputNames names_beside(const DecomposeOptions& options, const Labels& labels,
                         const TensorFacts& facts) {
  nlohmann::json of_run = with_values_of(options_json(options), facts.report);
  of_run["ridge_by_default"] = options.common.ridge.empty();
  return {.labels = labels,
          .dimensions = facts.dimensions,
          .values = facts.report.table ? "" : values_beside(facts.file),
          .run = run_of_options(of_run, facts.file)};
}

void add_decompose(CLI::App& tool, Action& action) {
  add_command<DecomposeOptions>(tool, action, "decompose", "CP decomposition under any loss",
                                declare_decompose, decompose, Needs::device, true);
}

}  // namespace genten::cli
