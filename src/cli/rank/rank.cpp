// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten rank: a tensor file in, a number of components and the reasons for it out.

#include "rank.hpp"
#include "decompose/checkpoints.hpp"
#include "decompose/checks.hpp"
#include "decompose/missing.hpp"
#include "long_modes.hpp"
#include "outputs.hpp"
#include "report_lines.hpp"
#include "sidecar/table_numbers.hpp"
#include "signals.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/result_json.hpp"
#include "tools/terminal/work_watch.hpp"

#include <genten/run/choose_rank.hpp>

#include <deque>
#include <iostream>
#include <map>
#include <numeric>
#include <optional>
#include <set>

namespace genten::cli {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

/// What is kept of the best model of a rank.
struct BestRun {
  std::vector<Note> notes;
  std::vector<double> weights;
  OwnFigures own;
};

/// What the tool does after iterations and ranks.
template <class Scalar>
class Follow {
 public:
  template <class Tensor>
  Follow(const RankCommand& options, const Tensor& tensor, const TensorFacts& facts,
         std::ostream& out)
      : m_options(options.run),
        m_left(options.choice.ranks.begin(), options.choice.ranks.end()),
        m_has_limit(options.choice.time_limit > 0.0),
        m_settings(run_settings(options.run.request, facts.dimensions.size(), entry_facts(facts))),
        m_out(out) {
    look_at_values(Exec(), tensor, m_settings);
  }

  [[nodiscard]] RankObserver<Scalar, Exec> observer() {
    return {[this](const auto& seen) { return iterated(seen.rank); },
            [this](const auto& done) { finished(done); },
            [this](const auto& done) { keep_notes(done); },
            [] { return InterruptGuard::signal() != 0; }};
  }

  /// The figures of the best model of a choice's suggested rank, where it is known.
  [[nodiscard]] const OwnFigures* own(const RankChoice& choice) const {
    const auto at = m_runs.find(choice.suggested);
    return at == m_runs.end() ? nullptr : &at->second.own;
  }

  /// On the best model of a choice's suggested rank, and on the tensor.
  [[nodiscard]] std::vector<Note> notes(const RankChoice& choice) const {
    const auto at = m_runs.find(choice.suggested);
    if (at == m_runs.end()) return data_notes(m_settings);
    std::vector<Note> found = at->second.notes;
    // Those of refits come with the choice.
    std::erase_if(found,
                  [](const Note& note) { return note.code == NoteCode::unstable_components; });
    for (Note& note : notes_of(choice.trust, at->second.weights, found, true)) {
      found.push_back(std::move(note));
    }
    return found;
  }

 private:
  /// With the first iteration there is something to keep, and signals no longer end the program.
  ObserverAction iterated(std::size_t rank) {
    if (!m_guard) m_guard.emplace();
    if (!m_watch) {
      m_watch.emplace(!m_options.quiet, "");
      m_steps.push_back("rank " + std::to_string(rank));
      m_watch->meter().begin(m_steps.back().c_str(), 0);
    }
    return InterruptGuard::signal() != 0 ? ObserverAction::stop : ObserverAction::proceed;
  }

  void finished(const FinishedRank<Scalar, Exec>& done) {
    m_watch.reset();
    keep_notes(done);
    if (!m_options.quiet) print_row(m_out, done.row);
    forecast(done.row);
    if (m_options.checkpoint.empty()) return;
    try {
      write_checkpoint(m_options.checkpoint, done.checkpoint());
    } catch (const std::exception& error) {
      warn_of_checkpoint(m_options.checkpoint, sentence(error));
    }
  }

  /// Says once, where it is long, how long the other ranks take: a rank takes about as long as it
  /// is large, times the iterations, which differ: in four tensors ranks from 2 on took .3 to 8
  /// times what R = 1 told, and those from 3 on .7 to 3.5 times what R = 2 told.
  void forecast(const RankRow& row) {
    constexpr double long_time = 10.0, minute = 60.0;
    m_left.erase(row.rank);
    if (m_done == 1) {  // R = 1, beside which others tell more
      m_done = 0;
      m_seconds = 0.0;
    }
    m_seconds += row.seconds;
    m_done += row.rank;
    const bool is_rough = m_done == 1;
    const auto left = std::accumulate(m_left.begin(), m_left.end(), std::size_t{0});
    const double seconds = m_seconds * static_cast<double>(left) /
                           static_cast<double>(std::max<std::size_t>(m_done, 1));
    if (m_is_told || m_options.quiet || seconds < long_time) return;
    if (is_rough && row.seconds < long_time) return;  // the next one tells more, and soon
    m_is_told = true;
    m_out.flush();
    std::cerr << "genten: note: by the time so far, "
              << (m_left.size() == 1 ? "the other rank takes" : "the other ranks take") << " about "
              << (seconds < 2 * minute ? format("%.0f seconds", seconds)
                                       : format("%.0f minutes", seconds / minute))
              << ", give or take a factor of " << (is_rough ? "ten" : "four")
              << ", since iterations differ; "
              << (m_has_limit ? "Ctrl-C, or the time limit, ends"
                              : "Ctrl-C, or --time-limit SECONDS, ends")
              << " with the ranks that are done\n";
  }

  void keep_notes(const FinishedRank<Scalar, Exec>& done) {
    const auto components =
        unless_it_fails([&] { return component_facts(Exec(), done.run.model); });
    const std::size_t order = m_settings.constraints.size();
    RunReport report =
        run_report(done.run, components, run_settings(done.request, order, m_settings.entries));
    m_runs[done.row.rank] = {std::move(report.notes), std::move(report.weights), done.run.own};
  }

  const DecomposeOptions& m_options;
  std::set<std::size_t> m_left;  ///< ranks
  bool m_has_limit;              ///< of time
  std::size_t m_done = 0;        ///< the sum of ranks
  double m_seconds = 0.0;        ///< that these took
  bool m_is_told = false;
  RunSettings m_settings;
  std::ostream& m_out;
  std::map<std::size_t, BestRun> m_runs;  ///< by rank
  std::optional<InterruptGuard> m_guard;
  std::deque<std::string> m_steps;
  std::optional<WorkWatch> m_watch;
};

/// The components of the suggested model, and how far they can be believed.
void print_model(std::ostream& out, const RankChoice& choice, const std::vector<TopComponent>& top,
                 const Labels& labels) {
  for (const RankRow& row : choice.rows) {
    if (row.rank == choice.suggested) print_trust(out, choice.trust, row.starts);
  }
  print_top(out, top, labels, false);
}

template <class Tensor>
int rank_of(RankCommand options, const Tensor& tensor, const TensorFacts& facts) {
  using Scalar = typename Tensor::scalar_type;
  number_modes(options.run, facts);
  const DecomposeOptions& run = options.run;
  require_every_mode("mode-order", run.common.mode_order, facts.dimensions.size());
  require_constraints(run, facts);
  std::optional<Checkpoint<Ktensor<Scalar, Exec>>> resume;
  if (!run.resume.empty()) {
    resume = reading(run.resume, [&] { return read_checkpoint<Scalar, Exec>(run.resume); });
  }
  const std::optional<Tensor> missing = missing_entries(run, tensor, facts);
  std::ostream& out = report_stream(run.quiet, {run.json, run.output});
  const Labels labels = labels_of(run.labels, facts);
  if (!holds_names(model_form(run.output))) {
    require_place_of_labels(run.output, names_beside(run, labels, facts));
  }
  const bool counts_all = !run.misses_unlisted() && run.missing_file().empty();
  print_line(out, "tensor", describe(facts) + (counts_all ? unlisted_zeros(facts) : ""));
  for (const std::string& note : facts.notes) print_line(out, "note", note);
  out << '\n';
  print_titles(out);
  Follow<Scalar> follow(options, tensor, facts, out);
  const RankSearchResult<Scalar> choice = concerning_run(run, facts, [&] {
    return refusing_options([&] {
      return choose_rank(Exec(), tensor, missing, run.request, options.choice, resume,
                         follow.observer());
    });
  });
  if (const OwnFigures* const own = follow.own(choice)) take_ridge_used(*own, options.run.request);
  const OutputNames beside = names_beside(run, labels, facts);
  const bool by_signal = choice.stopped == StopReason::observer || is_interrupted(choice.trust);
  Attempts attempt;
  RunFiles files;
  std::vector<TopComponent> top;
  for (std::size_t i = 0; i < choice.rows.size(); ++i) {
    if (choice.rows[i].rank != choice.suggested) continue;
    files.model = save_model(attempt, run.output, choice.models[i], beside);
    attempt([&] { files.labels = save_labels(attempt, files.model, beside); });
    files.beside = beside.content();
    top = top_components(choice.models[i], rows_listed);
    add_error_bars(top, choice.trust);
  }
  auto json = choice_json(choice);
  json["model"] =
      choice.suggested == 0 ? nlohmann::ordered_json() : model_json(choice, top, labels);
  const std::vector<Note> notes = follow.notes(choice);
  tools::add_notes(json, notes, facts.notes);
  json["model_file"] = files.model;
  json["labels_file"] = files.labels;
  json["interrupted"] = by_signal;
  if (by_signal) json["signal"] = signal_name(InterruptGuard::signal());
  json["options"] = options_json(options);
  json["tensor"] = to_json(facts);
  json.update(describe_environment());
  attempt([&] { write_json(run.json, json); });
  print_choice(out, choice);
  for (const Note& note : notes) print_line(out, "note", in_words(note.text));
  if (choice.suggested != 0) print_model(out, choice, top, labels);
  print_files(out, files);
  if (choice.suggested == 0 && !run.output.empty()) {
    std::cerr << "genten: note: " << run.output << " is not written: nothing replicates\n";
  }
  if (run.quiet && run.json != "-" && run.output != "-") std::cout << choice.suggested << '\n';
  if (attempt.exit_code() != success) return attempt.exit_code();
  return by_signal ? interrupted : success;
}

/// The precision of a checkpoint is that of the run.
void take_precision(DecomposeOptions& run) {
  if (run.resume.empty()) return;
  if (run.resume == "-") reject("resume", "a file", "-");
  const bool narrow = checkpoint_scalar_bytes(run.resume) == sizeof(float);
  const Precision found = narrow ? Precision::float32 : Precision::float64;
  if (run.given("--precision") && run.input.precision != found) {
    reject("precision", "that of the checkpoint, " + value_text(found),
           value_text(run.input.precision));
  }
  run.input.precision = found;
}

int rank_of_file(RankCommand options) {
  outlive_closed_pipes();
  DecomposeOptions& run = options.run;
  std::vector<std::string> inputs = {run.input.file, run.missing_file()};
  for (const std::string& file : split_list(run.labels)) inputs.push_back(file);
  if (run.resume != run.checkpoint) inputs.push_back(run.resume);
  require_places(inputs, {{run.output, OutputKind::model},
                          {labels_file_of(run.output)},
                          {run.json, OutputKind::json},
                          {run.checkpoint, OutputKind::model}});
  require_model_name(run.output);
  tell_of_export(run.output);
  require_checkpoint_name(run.checkpoint);
  tell_of_earlier_checkpoint(run);
  take_said_base(run.input);
  take_precision(run);
  const std::string resume = std::exchange(run.resume, "");  // the request is that of this command
  settle(run);
  run.resume = resume;
  const auto choose = [&](const auto& tensor, const TensorFacts& facts) {
    return rank_of(options, tensor, facts);
  };
  return with_tensor<Exec>(run.input, run.quiet, [&](const auto& tensor, const TensorFacts& facts) {
    return with_note_on_long_modes(tensor, facts, choose);
  });
}

}  // namespace

void add_rank(CLI::App& tool, Action& action) {
  add_command<RankCommand>(tool, action, "rank", "how many components a CP model should have",
                           declare_rank, rank_of_file, Needs::device);
}

}  // namespace genten::cli
