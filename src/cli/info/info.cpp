// SPDX-FileCopyrightText: 2026 Genten contributors
// SPDX-License-Identifier: BSD-3-Clause

/// \file
/// genten info: what is in a tensor file, and what decomposing it would take.

#include "cluster_forecast.hpp"
#include "command.hpp"
#include "long_modes.hpp"
#include "memory_estimate.hpp"
#include "option_rules.hpp"
#include "other_kind.hpp"
#include "report_lines.hpp"
#include "show/show.hpp"
#include "sidecar/readable_again.hpp"
#include "sidecar/table_numbers.hpp"
#include "slice_statistics.hpp"
#include "tools/environment.hpp"
#include "tools/files.hpp"
#include "tools/hints/large_rank.hpp"
#include "tools/result_json.hpp"
#include "tools/table.hpp"
#include "tools/tensor_input.hpp"

#include <genten/cp/stream.hpp>

#include <nlohmann/json.hpp>

#include <optional>
#include <ostream>

namespace genten::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions {
  TensorInput input;
  CpAlsOptions run;           ///< that memory is estimated for
  std::size_t processes = 0;  ///< that a partition is counted for; 0: none
  ClusterModel machine;
  ReportOptions report;
  Given given;  ///< whether an option was
};

struct ValueFacts {
  double lowest = 0.0;
  double highest = 0.0;
  double sum = 0.0;
  double norm = 0.0;
  std::size_t zeros = 0;
};

template <class Tensor>
ValueFacts value_facts(const Tensor& tensor) {
  ValueFacts facts;
  facts.sum = sum(HostExec(), tensor);
  facts.norm = norm(HostExec(), tensor);
  const auto values = tensor.values();
  for (offset_t p = 0; p < tensor.nnz(); ++p) {
    const auto value = static_cast<double>(values(p));
    facts.lowest = p == 0 ? value : std::min(facts.lowest, value);
    facts.highest = p == 0 ? value : std::max(facts.highest, value);
    if (value == 0.0) ++facts.zeros;
  }
  return facts;
}

/// All that there is to say; the text is made from it.
struct Account {
  TensorFacts tensor;
  ValueFacts values;
  std::vector<SliceStatistics> modes;
  std::size_t rank = 0;
  MemoryEstimate memory;
  std::optional<ClusterForecast> cluster;
};

void print_modes(std::ostream& out, const Account& account) {
  out << "\nnonzeros by slice\n";
  Table table({{"mode"}, {"length"}, {"used"}, {"empty"}, {"max"}, {"mean"}, {"median"}});
  for (std::size_t n = 0; n < account.modes.size(); ++n) {
    const SliceStatistics& mode = account.modes[n];
    table.add({std::to_string(n + 1), std::to_string(mode.length), std::to_string(mode.used),
               std::to_string(mode.empty), std::to_string(mode.most), format("%.2f", mode.mean),
               format("%.1f", mode.median)});
  }
  table.print(out);
}

void print_memory(std::ostream& out, const Account& account) {
  const MemoryEstimate& memory = account.memory;
  const CpAlsMemory& run = memory.run.memory;
  const KernelChoice& kernels = memory.run.kernels;
  out << "\nmemory for rank " << account.rank << ", estimated: tensor "
      << format_bytes(memory.tensor) << ", model " << format_bytes(run.model) << ", R x R matrices "
      << format_bytes(run.matrices)
      << ";\navailable beside the tensor: " << format_bytes(memory.run.available);
  if (memory.rank_that_fits == 0) {
    out << ", in which no rank fits";
  } else if (memory.rank_that_fits < account.rank) {
    out << ", in which rank " << memory.rank_that_fits << " fits";
  }
  out << "\n\n";
  Table table({{"kernel", Table::Align::left}, {"prepared"}, {"in all"}, {"", Table::Align::left}});
  for (std::size_t k = 0; k < kernels.candidates.size(); ++k) {
    const KernelCandidate& kernel = kernels.candidates[k];
    if (kernel.refusal == Refusal::tensor) {
      table.add({kernel.name, "", "", "does not take this tensor"});
      continue;
    }
    table.add({kernel.name, format_bytes(kernel.memory),
               format_bytes(memory.tensor + memory.peaks[k]),
               kernel.name == kernels.name         ? "(auto)"
               : kernel.refusal == Refusal::memory ? "more than is allowed"
                                                   : ""});
  }
  table.print(out);
}

void print(std::ostream& out, const Account& account) {
  const ReadReport& report = account.tensor.report;
  const ValueFacts& values = account.values;
  out << "tensor      " << describe(account.tensor) << "\nfile        " << format_of(report)
      << ", compression " << to_string(report.compression) << ", "
      << format_bytes(static_cast<double>(report.file_bytes));
  if (report.format != FileFormat::binary) {
    out << ", subscripts from " << first_subscript(report.index_base);
  }
  out << "\nduplicates  " << report.duplicates << " of " << count_of(report.entries, "entry")
      << format("\nvalues      %.9g to %.9g, sum %.12g, norm %.15g, %s\n", values.lowest,
                values.highest, values.sum, values.norm,
                count_of(values.zeros, "stored zero").c_str());
  for (const std::string& note : account.tensor.notes) print_line(out, "note", note, 12);
  print_modes(out, account);
  print_memory(out, account);
  if (account.cluster) print_cluster(out, *account.cluster);
}

template <class Tensor>
std::vector<ModeUse> uses_of(const Tensor& tensor, const std::vector<SliceStatistics>& modes) {
  std::vector<ModeUse> uses;
  for (const SliceStatistics& mode : modes) {
    const std::size_t least = least_subscript(tensor, static_cast<int>(uses.size()));
    uses.push_back({uses.size(), mode.length, mode.used, least});
  }
  return uses;
}

Json modes_json(const std::vector<SliceStatistics>& modes) {
  Json json = Json::array();
  for (const SliceStatistics& mode : modes) {
    json.push_back({{"length", mode.length},
                    {"used", mode.used},
                    {"empty", mode.empty},
                    {"max", mode.most},
                    {"mean", mode.mean},
                    {"median", mode.median}});
  }
  return json;
}

Json memory_json(const Account& account) {
  Json kernels = Json::object();
  Json json = {{"rank", account.rank},
               {"tensor_bytes", account.memory.tensor},
               {"model_bytes", account.memory.run.memory.model},
               {"matrices_bytes", account.memory.run.memory.matrices},
               {"peak_bytes", account.memory.run.memory.peak()},
               {"available_bytes", account.memory.run.available},
               {"rank_that_fits", account.memory.rank_that_fits}};
  const KernelChoice& choice = account.memory.run.kernels;
  for (const KernelCandidate& kernel : choice.candidates) {
    if (kernel.refusal != Refusal::tensor) kernels[kernel.name] = kernel.memory;
  }
  json["automatic_kernel"] = choice.name;
  json["kernel_choice"] = to_json(choice);
  json["kernel_bytes"] = kernels;
  return json;
}

Json account_json(const Account& account) {
  Json json = to_json(account.tensor);
  json["values"] = {{"min", account.values.lowest},
                    {"max", account.values.highest},
                    {"sum", account.values.sum},
                    {"norm", account.values.norm},
                    {"zeros", account.values.zeros}};
  json["modes"] = modes_json(account.modes);
  json["memory"] = memory_json(account);
  json["warnings"] = Json::array();
  for (const std::string& note : account.tensor.notes) json["warnings"].push_back(sentence(note));
  if (account.cluster) json["cluster"] = cluster_json(*account.cluster);
  json.update(describe_environment());
  return json;
}

template <RealScalar Scalar, SubscriptOrdinal Ordinal>
std::optional<ClusterForecast> forecast(const Sptensor<Scalar, Ordinal, HostExec>& tensor,
                                        const InfoOptions& options) {
  if (options.processes == 0) return std::nullopt;
  const TensorSlices<Ordinal> slices(HostExec(), tensor);
  return forecast_cluster(slices, options.processes, options.run, sizeof(Scalar), options.machine);
}

/// On what is odd about the tensor, and about a rank that was asked for.
template <class Tensor>
std::vector<std::string> notes_on(const Tensor& tensor, const std::vector<SliceStatistics>& modes,
                                  const TensorFacts& facts, const InfoOptions& options) {
  std::vector<std::string> notes;
  const auto uses = uses_of(tensor, modes);
  auto note_on_modes = long_modes_note(uses, columns_of(facts.report));
  if (!note_on_modes.empty()) notes.push_back(std::move(note_on_modes));
  std::vector<std::size_t> used;
  for (const ModeUse& use : uses) used.push_back(is_long(use) ? 0 : use.used);
  if (auto note = single_rows_note(facts, used); !note.empty()) notes.push_back(std::move(note));
  for (std::string& note : notes_on_numbers(tensor, facts)) notes.push_back(std::move(note));
  for (std::string& note : notes_on_reading(facts)) notes.push_back(std::move(note));
  RunSettings of_any_run{.takes_missing = false, .entries = entry_facts(facts)};
  look_at_values(HostExec(), tensor, of_any_run);
  for (const Note& note : data_notes(of_any_run)) notes.push_back(in_words(note.text));
  if (options.given("--rank")) {
    if (auto note = rank_note(options.run.rank, facts.dimensions, {}); !note.empty()) {
      notes.push_back(std::move(note));
    }
  }
  return notes;
}

int info(InfoOptions options) {
  require_places({options.input.file}, {{options.report.json, OutputKind::json}});
  take_said_base(options.input);
  const auto show = [&] {
    return with_tensor<HostExec>(
        options.input, options.report.quiet, [&](const auto& tensor, const TensorFacts& facts) {
          const auto modes = slice_statistics(tensor);
          const auto problem = mttkrp_problem(tensor, modes, options.run.rank);
          TensorFacts noted = facts;
          noted.notes = notes_on(tensor, modes, facts, options);
          const Account account{std::move(noted),
                                value_facts(tensor),
                                modes,
                                options.run.rank,
                                estimate_memory(problem, facts.dimensions, options.run),
                                forecast(tensor, options)};
          write_json(options.report.json, account_json(account));
          print(report_stream(options.report.quiet, {options.report.json}), account);
          return static_cast<int>(success);
        });
  };
  try {
    return show();
  } catch (const Error& error) {
    const bool stream =
        can_be_read_again(options.input.file) && StreamingCp::saved_in(options.input.file);
    const bool model = stream || model_for_tensor(error) || tucker_for_tensor(error);
    if (!model || options.input.file == "-") throw;  // what was read cannot be read again
    return show_model(options.input.file, options.report);
  }
}

void declare(CLI::App& app, InfoOptions& options) {
  options.given = given_in(app);
  add_tensor_input(app, options.input);
  add_compact(app, options.input);
  add_precision(app, options.input.precision);
  add_option(app, {"rank", "rank for which memory is estimated", 1, 1e6}, options.run.rank);
  add_option(app,
             {"memory-limit",
              "bytes that MTTKRP may take beside tensor and model; 0: half of what is free", 0.0},
             options.run.mttkrp.memory_limit);
  add_option(app,
             {"memory-available",
              "bytes that the run may take beside the tensor; 0: as many as are free", 0.0},
             options.run.memory_available);
  const auto processes = add_option(
      app,
      {"ranks", "predict what so many processes would take, after counting what they send", 1,
       65536},
      options.processes, "none");
  for (const auto& [name, option] : add_fields(app, options.machine)) option.needs(processes);
  add_report(app, options.report);
  set_footer(app,
             "Of a model it tells what genten show --top 0 does.\n"
             "Means and medians are over the slices that have nonzeros.\n"
             "Processes send rows of the factors: counted are those that all of them send one\n"
             "way in an iteration; as many come back. Nothing is run on several processes.\n"
             "\n"
             "Examples:\n"
             "  genten info tensor.tns.gz --rank 64\n"
             "  genten info tensor.tns.gz --rank 16 --ranks 64 --bandwidth 25e9");
}

}  // namespace

void add_info(CLI::App& tool, Action& action) {
  add_command<InfoOptions>(tool, action, "info",
                           "size, values, slices and memory needs of a tensor", declare, info);
}

}  // namespace genten::cli
